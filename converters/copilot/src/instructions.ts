/**
 * The person's text; a project's own in `.github/`, beside those of other programs that are read too; and texts for some
 * files only, which say so in their front matter.
 */
import {
  type Action,
  type Instruction,
  type Instructions,
  type Item,
  type KindContext,
  type KindPlan,
  type KindTarget,
  pathOf,
  type StateKind,
  type Store,
} from "@asp-convert/core";
import {
  belonging,
  instructionItem,
  instructionsIn,
  isSafeInstruction,
  leave,
  namedPiece,
  type Piece,
  type PieceOutcome,
  planPieces,
  readFrontMatter,
  readInstruction,
  readText,
  takeApart,
  withFrontMatter,
} from "@asp-convert/core/kinds";
import { instructionFidelity } from "./fidelity-state.js";
import { folderOf, HARNESS, NAME, OWN_TEXT, PROJECT_TEXTS, RULE_END, RULES } from "./layout-state.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
const [WRITTEN = ""] = PROJECT_TEXTS;

export const instructions: StateKind<Instructions> = { read, write, fidelity: instructionFidelity };

async function read(store: Store, context: KindContext): Promise<Instructions | undefined> {
  const paths = pathOf(context.environment);
  const files: Instruction[] = [];
  const take = async (
    file: string,
    base: string,
    place: Pick<Instruction, "scope"> & { project?: string },
  ) => {
    const whole = await readInstruction({ file, base, path: "", from: HARNESS, ...place }, context);
    if (!whole || whole.text.trim() === "") return;
    // It follows no imports.
    const { imports: _, ...text } = whole;
    files.push(...(file.endsWith(RULE_END) ? [await ruled(text)] : instructionsIn(text)));
  };
  if (context.user) await take(paths.join(store.root, OWN_TEXT), store.root, { scope: "user" });
  for (const project of context.projects) {
    const place = { scope: "project", project } as const;
    const folder = folderOf(store, project, context.environment);
    await take(paths.join(folder, OWN_TEXT), project, place);
    for (const name of PROJECT_TEXTS) await take(paths.join(project, name), project, place);
    const rules = paths.join(folder, RULES);
    for (const { name } of await context.source.readDir(rules))
      if (name.endsWith(RULE_END)) await take(paths.join(rules, name), project, place);
  }
  return files.length > 0 ? { files } : undefined;
}

/** Whom it is for stands before the text. */
async function ruled(whole: Instruction): Promise<Instruction> {
  const { data, body, present } = await readFrontMatter(whole.text);
  if (!present) return whole;
  const globs = (typeof data.applyTo === "string" ? data.applyTo : "")
    .split(",")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "");
  return { ...whole, text: body, ...(globs.length > 0 && { globs }) };
}

interface Planned {
  piece: Piece;
  of: Instruction;
  at: number;
}

async function write(state: Instructions, target: KindTarget): Promise<KindPlan> {
  const paths = pathOf(target.environment);
  const items: Item[] = [];
  const actions: Action[] = [];
  const byFile = new Map<string, Planned[]>();
  for (const [at, file] of state.files.entries()) {
    const of = belonging(file, file.source);
    const project = file.project === undefined ? undefined : target.projectFolder(file.project);
    if (!isSafeInstruction(file))
      items[at] = leave(target, of, { ...KIND, reason: "unsafe", note: "its path" });
    else if (file.project !== undefined && project === undefined)
      items[at] = leave(target, of, { ...KIND, reason: "no-place" });
    else if (file.scope === "project" && project !== undefined && (file.globs || file.path !== ""))
      items[at] = await writeRule(file, project, actions, target);
    else {
      // Private notes on a project have no place of their own: they go to the person's file, by name.
      const isProject = file.scope === "project" && project !== undefined;
      const seen = isProject ? await readAlready(file, project, target) : undefined;
      if (seen !== undefined) {
        items[at] = { ...of, outcome: "present", note: `${NAME} reads ${seen} itself` };
        continue;
      }
      const path = isProject ? paths.join(project, WRITTEN) : paths.join(target.root, OWN_TEXT);
      const list = byFile.get(path) ?? [];
      list.push({ piece: namedPiece(file, project ?? target.root), of: file, at });
      byFile.set(path, list);
    }
  }
  for (const [path, list] of byFile) {
    const plan = await planPieces(
      path,
      list.map(({ piece }) => piece),
      target,
    );
    actions.push(...plan.actions);
    for (const [i, { of, at }] of list.entries())
      items[at] = instructionItem(of, plan.outcomes[i] as PieceOutcome, path, target, NAME, undefined);
  }
  return { actions, items };
}

/** A text for some files, or for a folder, is a file of its own. */
async function writeRule(
  file: Instruction,
  project: string,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const of = belonging(file, file.source);
  const applyTo = (file.globs ?? ["**"]).map((glob) => (file.path === "" ? glob : `${file.path}/${glob}`));
  const name = `${file.source
    .replace(/^.*rules\//, "")
    .replace(/(?:\.instructions)?\.mdc?$/i, "")
    .replace(/^\.github\/instructions\//, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+/, "")}${RULE_END}`;
  const paths = pathOf(target.environment);
  const path = paths.join(folderOf(target, project, target.environment), RULES, name);
  const text = await withFrontMatter({ applyTo: applyTo.join(",") }, file.text);
  const had = (await readText(target.source, path))?.text;
  if (had !== undefined) {
    const there = await readFrontMatter(had);
    if (there.body.trim() === file.text.trim()) return { ...of, outcome: "present" };
    return leave(target, of, { ...KIND, reason: "exists", note: path });
  }
  if (actions.some((action) => action.path === path))
    return leave(target, of, { ...KIND, reason: "exists", note: path });
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  return { ...of, outcome: "written" };
}

/** The very text stands in a file that the program reads: which one. */
async function readAlready(
  file: Instruction,
  project: string,
  { source, environment }: KindTarget,
): Promise<string | undefined> {
  for (const name of [...PROJECT_TEXTS, `.github/${OWN_TEXT}`]) {
    const there = await readText(source, pathOf(environment).join(project, ...name.split("/")));
    if (there && takeApart(there.text).own.trim() === file.text.trim()) return name;
  }
  return undefined;
}
