/** AGENTS.md: the person's, the one that other programs read too, and those of a project with `.kimi-code/` beside. */
import {
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
  filesBelow,
  instructionItem,
  instructionsIn,
  isSafeInstruction,
  leave,
  namedPiece,
  type Piece,
  type PieceOutcome,
  planPieces,
  readInstruction,
  readText,
  takeApart,
} from "@asp-convert/core/kinds";
import { instructionFidelity } from "./fidelity-state.js";
import { folderOf, HARNESS, INSTRUCTION_NAMES, NAME, SHARED } from "./layout-state.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
const [WRITTEN = ""] = INSTRUCTION_NAMES;
/** Of a folder below the one that it is started in, it tells its model only that there is such a file. */
const REACH =
  "only when it is started there; else its model is told of the file when it works in that folder";

export const instructions: StateKind<Instructions> = { read, write, fidelity: instructionFidelity };

type Place = Pick<Instruction, "scope" | "path"> & { project?: string };

async function read(store: Store, context: KindContext): Promise<Instructions | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const files: Instruction[] = [];
  if (context.user) {
    const user: Place = { scope: "user", path: "" };
    files.push(...(await oneOf(store.root, [WRITTEN], store.root, user, context)));
    const shared = paths.join(environment.home, SHARED);
    files.push(...(await oneOf(shared, INSTRUCTION_NAMES, environment.home, user, context)));
  }
  for (const project of context.projects) {
    const isOne = (name: string) => INSTRUCTION_NAMES.includes(name);
    const found = await filesBelow(project, isOne, source, environment);
    const folders = new Set(["", ...found.map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0)))]);
    for (const path of folders) {
      const folder = path === "" ? project : paths.join(project, ...path.split("/"));
      const place: Place = { scope: "project", project, path };
      const own = folderOf(store, folder, environment);
      files.push(...(await oneOf(own, [WRITTEN], project, place, context)));
      files.push(...(await oneOf(folder, INSTRUCTION_NAMES, project, place, context)));
    }
  }
  return files.length > 0 ? { files } : undefined;
}

/** The first of the names that says something; it follows no imports. */
async function oneOf(
  folder: string,
  names: readonly string[],
  base: string,
  place: Place,
  context: KindContext,
): Promise<Instruction[]> {
  for (const name of names) {
    const file = pathOf(context.environment).join(folder, name);
    const whole = await readInstruction({ file, base, from: HARNESS, ...place }, context);
    if (!whole || whole.text.trim() === "") continue;
    const { imports: _, ...text } = whole;
    return instructionsIn(text);
  }
  return [];
}

interface Planned {
  piece: Piece;
  of: Instruction;
  at: number;
}

async function write(state: Instructions, target: KindTarget): Promise<KindPlan> {
  const paths = pathOf(target.environment);
  const items: Item[] = [];
  const byFile = new Map<string, Planned[]>();
  for (const [at, file] of state.files.entries()) {
    const of = belonging(file, file.source);
    const project = file.project === undefined ? undefined : target.projectFolder(file.project);
    if (!isSafeInstruction(file))
      items[at] = leave(target, of, { ...KIND, reason: "unsafe", note: "its path" });
    else if (file.project !== undefined && project === undefined)
      items[at] = leave(target, of, { ...KIND, reason: "no-place" });
    else {
      // Private notes on a project have no place of their own: they go to the person's file, by name.
      const isProject = file.scope === "project" && project !== undefined;
      const folder = isProject ? below(project, file.path, target) : target.root;
      const seen = isProject ? await readAlready(file, folder, target) : undefined;
      if (seen !== undefined) {
        items[at] = { ...of, outcome: "present", note: `${NAME} reads ${seen} itself` };
        continue;
      }
      const path = paths.join(folder, WRITTEN);
      const list = byFile.get(path) ?? [];
      list.push({ piece: namedPiece(file, project ?? folder), of: file, at });
      byFile.set(path, list);
    }
  }
  const actions: KindPlan["actions"] = [];
  for (const [path, list] of byFile) {
    const plan = await planPieces(
      path,
      list.map(({ piece }) => piece),
      target,
    );
    actions.push(...plan.actions);
    for (const [i, { of, at }] of list.entries()) {
      const outcome = plan.outcomes[i] as PieceOutcome;
      items[at] = instructionItem(of, outcome, path, target, NAME, of.path === "" ? undefined : REACH);
    }
  }
  return { actions, items };
}

function below(project: string, path: string, { environment }: KindTarget): string {
  return pathOf(environment).join(project, ...path.split("/").filter((part) => part !== ""));
}

/** The very text stands in a file that the program reads: which one. */
async function readAlready(
  file: Instruction,
  folder: string,
  { source, environment }: KindTarget,
): Promise<string | undefined> {
  if (file.globs) return undefined;
  const own = folderOf({ root: "" }, folder, environment);
  const paths = pathOf(environment);
  for (const path of [
    paths.join(own, WRITTEN),
    ...INSTRUCTION_NAMES.map((name) => paths.join(folder, name)),
  ]) {
    const there = await readText(source, path);
    if (there && takeApart(there.text).own.trim() === file.text.trim())
      return paths.relative(folder, path).replaceAll("\\", "/");
  }
  return undefined;
}
