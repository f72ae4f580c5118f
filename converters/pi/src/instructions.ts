/** AGENTS.md and its other names, and what is added to Pi's own prompt. Facts: STATE.md. */
import type { Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Instruction, type Instructions, pathOf } from "@asp-convert/core";
import {
  belonging,
  change,
  filesBelow,
  instructionItem,
  instructionsIn,
  isSafeInstruction,
  isSameFile,
  leave,
  namedPiece,
  type Piece,
  type PieceOutcome,
  planPieces,
  readInstruction,
  readText,
  standsFor,
  takeApart,
} from "@asp-convert/core/kinds";
import { instructionFidelity } from "./fidelity-state.js";
import {
  APPEND_SYSTEM,
  folderOf,
  INSTRUCTION_NAMES,
  INSTRUCTIONS,
  PROJECT_FOLDER,
  SYSTEM,
} from "./layout-state.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
const HARNESS = "pi";
const [OVERRIDE] = INSTRUCTION_NAMES;

export const instructions: StateKind<Instructions> = { read, write, fidelity: instructionFidelity };

type Place = Pick<Instruction, "scope" | "path" | "project">;

async function read(store: Store, context: KindContext): Promise<Instructions | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const files: Instruction[] = [];
  if (context.user) {
    const place: Place = { scope: "user", path: "" };
    files.push(...(await firstOf(store.root, store.root, place, context)));
    files.push(...(await promptsOf(store.root, store.root, place, context)));
  }
  for (const project of context.projects) {
    const named = (name: string) => INSTRUCTION_NAMES.includes(name);
    const found = await filesBelow(project, named, source, environment);
    const folders = new Set(["", ...found.map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0)))]);
    for (const path of folders) {
      const folder = path === "" ? project : paths.join(project, ...path.split("/"));
      files.push(...(await firstOf(folder, project, { scope: "project", project, path }, context)));
    }
    const own = folderOf(store, project, environment);
    files.push(...(await promptsOf(own, project, { scope: "project", project, path: "" }, context)));
  }
  return files.length > 0 ? { files } : undefined;
}

/** The one file of a folder that Pi reads, apart into its own text and the blocks in it. */
async function firstOf(
  folder: string,
  base: string,
  place: Place,
  context: KindContext,
): Promise<Instruction[]> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  for (const [i, name] of INSTRUCTION_NAMES.entries()) {
    const file = paths.join(folder, name);
    const whole = await readInstruction({ file, base, from: HARNESS, ...withProject(place) }, context);
    if (!whole) continue;
    for (const other of INSTRUCTION_NAMES.slice(i + 1)) {
      const hidden = paths.join(folder, other);
      // On some disks both names are one file; a pointer to the file that is read says nothing of its own.
      if (!(await source.stat(hidden)) || (await isSameFile(file, hidden, source))) continue;
      if (standsFor((await readText(source, hidden))?.text ?? "") === name) continue;
      const item = paths.relative(base, hidden).replaceAll("\\", "/");
      context.items.push(
        leave(context, belonging(place, item), {
          ...KIND,
          reason: "superseded",
          note: `Pi reads ${name} instead`,
        }),
      );
    }
    return textsIn(whole);
  }
  return [];
}

/** Pi follows no imports. */
function textsIn({ imports: _, ...whole }: Instruction): Instruction[] {
  return instructionsIn(whole);
}

/** What is added to Pi's prompt; what takes its place is Pi's alone. */
async function promptsOf(
  folder: string,
  base: string,
  place: Place,
  context: KindContext,
): Promise<Instruction[]> {
  const paths = pathOf(context.environment);
  const system = paths.join(folder, SYSTEM);
  if (await context.source.stat(system)) {
    const item = paths.relative(base, system).replaceAll("\\", "/");
    context.items.push(
      leave(context, belonging(place, item), {
        ...KIND,
        reason: "no-counterpart",
        note: "it takes the place of Pi's own prompt",
      }),
    );
  }
  const added = await readInstruction(
    { file: paths.join(folder, APPEND_SYSTEM), base, from: HARNESS, ...withProject(place) },
    context,
  );
  return added ? textsIn(added) : [];
}

function withProject({ project, ...rest }: Place) {
  return project === undefined ? rest : { ...rest, project };
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
    if (!isSafeInstruction(file)) {
      items[at] = leave(target, of, { ...KIND, reason: "unsafe", note: "its path" });
      continue;
    }
    const folder = file.project === undefined ? target.root : target.projectFolder(file.project);
    if (folder === undefined) {
      items[at] = leave(target, of, { ...KIND, reason: "no-place" });
      continue;
    }
    const path = await destination(file, folder, state, target);
    const note = await alreadyRead(file, folder, path, target);
    if (note !== undefined) {
      items[at] = { ...of, outcome: "present", note };
      continue;
    }
    const list = byFile.get(path) ?? [];
    list.push({ piece: namedPiece(file, folder), of: file, at });
    byFile.set(path, list);
  }
  const actions: KindPlan["actions"] = [];
  for (const [path, list] of byFile) {
    const pieces = list.map(({ piece }) => piece);
    const plan = await planPieces(path, pieces, target);
    actions.push(...plan.actions);
    const hidden =
      paths.basename(path) === INSTRUCTIONS &&
      (await target.source.stat(paths.join(paths.dirname(path), OVERRIDE as string)));
    for (const [i, { of, at }] of list.entries()) {
      items[at] = hidden
        ? change(target, belonging(of, of.source), {
            ...KIND,
            reason: "superseded",
            note: `Pi reads ${OVERRIDE} there instead of ${INSTRUCTIONS}`,
          })
        : itemOf(of, plan.outcomes[i] as PieceOutcome, path, target);
    }
  }
  return { actions, items };
}

/** The file of that folder which Pi reads, or will. Private notes on a project go to the person's file, by name. */
async function destination(
  file: Instruction,
  folder: string,
  state: Instructions,
  target: KindTarget,
): Promise<string> {
  const { root, environment, source } = target;
  const paths = pathOf(environment);
  if (file.from === HARNESS && paths.basename(file.source) === APPEND_SYSTEM && file.scope !== "local")
    return paths.join(
      folderOf(target, file.project === undefined ? undefined : folder, environment),
      APPEND_SYSTEM,
    );
  const at = file.scope === "project" ? folderAt(file, folder, target) : root;
  for (const name of INSTRUCTION_NAMES.slice(1)) {
    const path = paths.join(at, name);
    const text = (await readText(source, path))?.text;
    if (text === undefined) continue;
    if (!name.startsWith("CLAUDE")) return path;
    // An AGENTS.md beside it would hide it: it does no harm only if its text is in there too.
    const here = state.files.filter((one) => isHere(one, file));
    const isIt = ({ text: other }: Instruction) => other.trim() === text.trim();
    return here.some(isIt) && !here.every(isIt) ? paths.join(at, INSTRUCTIONS) : path;
  }
  return paths.join(at, INSTRUCTIONS);
}

/** For the same folder. */
function isHere(one: Instruction, file: Instruction): boolean {
  return one.scope === file.scope && one.project === file.project && one.path === file.path;
}

function folderAt({ path }: Instruction, folder: string, { environment }: KindTarget): string {
  return pathOf(environment).join(folder, ...path.split("/").filter((part) => part !== ""));
}

/** Pi reads the very text already: why, for a person. */
async function alreadyRead(
  file: Instruction,
  folder: string,
  destined: string,
  target: KindTarget,
): Promise<string | undefined> {
  if (file.scope !== "project" || file.globs) return undefined;
  const { source, environment } = target;
  const paths = pathOf(environment);
  const at = folderAt(file, folder, target);
  const pointsAt = standsFor(file.text);
  if (pointsAt !== undefined && paths.resolve(at, pointsAt) === destined && (await source.stat(destined)))
    return `it is nothing but a pointer to ${paths.basename(destined)}, which Pi reads itself`;
  const name = paths.basename(destined);
  const own = await readText(source, destined);
  return own && takeApart(own.text).own.trim() === file.text.trim() ? `Pi reads ${name} itself` : undefined;
}

function itemOf(file: Instruction, outcome: PieceOutcome, path: string, target: KindTarget): Item {
  const isOwn = file.source.startsWith(`${PROJECT_FOLDER}/`);
  const reach = isOwn ? undefined : "only when it is started in that folder or below";
  return instructionItem(file, outcome, path, target, "Pi", reach);
}
