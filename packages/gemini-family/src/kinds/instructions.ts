/** Instruction texts: `GEMINI.md`, `QWEN.md`, and what else the settings call them. */
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
  readJsonObject,
  readText,
  takeApart,
  valueAt,
} from "@asp-convert/core/kinds";
import { instructionFidelity } from "./fidelity.js";
import { folderOf, type Program, SETTINGS } from "./program.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;

export function instructions(program: Program): StateKind<Instructions> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: instructionFidelity,
  };
}

type Looking = Pick<KindContext, "source" | "environment" | "losses">;

/** As the settings of the person, or of the project, call them. */
async function namesOf(
  program: Program,
  root: string,
  project: string | undefined,
  context: Looking,
): Promise<readonly string[]> {
  const paths = pathOf(context.environment);
  for (const of of project === undefined ? [undefined] : [project, undefined]) {
    const path = paths.join(await folderOf(program, root, of, context), SETTINGS);
    const named = valueAt(await readJsonObject(path, KIND, context), ["context", "fileName"]);
    const names = (Array.isArray(named) ? named : [named]).filter(
      (name): name is string => typeof name === "string" && /^[^/\\]+$/.test(name) && name !== "..",
    );
    if (names.length > 0) return names;
  }
  return program.texts;
}

async function read(program: Program, store: Store, context: KindContext): Promise<Instructions | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const from = program.id;
  const files: Instruction[] = [];
  const take = async (place: Parameters<typeof readInstruction>[0]) => {
    const whole = await readInstruction(place, context);
    if (whole) files.push(...instructionsIn(whole));
  };
  if (context.user) {
    const base = await program.state(store.root, source, environment);
    for (const name of await namesOf(program, store.root, undefined, context))
      await take({ file: paths.join(base, name), base, scope: "user", path: "", from });
  }
  for (const project of context.projects) {
    const names = await namesOf(program, store.root, project, context);
    for (const path of await filesBelow(project, (name) => names.includes(name), source, environment)) {
      const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
      const file = paths.join(project, ...path.split("/"));
      await take({ file, base: project, scope: "project", project, path: folder, from });
    }
    if (program.privateText !== undefined) {
      const file = paths.join(project, ...program.privateText.split("/"));
      await take({ file, base: project, scope: "local", project, path: "", from });
    }
  }
  return files.length > 0 ? { files } : undefined;
}

interface Planned {
  piece: Piece;
  of: Instruction;
  at: number;
}

async function write(program: Program, state: Instructions, target: KindTarget): Promise<KindPlan> {
  const items: Item[] = [];
  const byFile = new Map<string, Planned[]>();
  for (const [at, file] of state.files.entries()) {
    const of = belonging(file, file.source);
    if (!isSafeInstruction(file)) {
      items[at] = leave(target, of, { ...KIND, reason: "unsafe", note: "its path" });
      continue;
    }
    const project = file.project === undefined ? undefined : target.projectFolder(file.project);
    if (file.project !== undefined && project === undefined) {
      items[at] = leave(target, of, { ...KIND, reason: "no-place" });
      continue;
    }
    const { folder, names } = await placeOf(program, file, project, target);
    const seen = await readAlready(file, folder, names, target);
    if (seen !== undefined) {
      items[at] = { ...of, outcome: "present", note: `${program.name} reads ${seen} itself` };
      continue;
    }
    const path = pathOf(target.environment).join(folder, names[0] ?? "");
    const list = byFile.get(path) ?? [];
    list.push({ piece: namedPiece(file, project ?? folder), of: file, at });
    byFile.set(path, list);
  }
  const actions: KindPlan["actions"] = [];
  for (const [path, list] of byFile) {
    const plan = await planPieces(
      path,
      list.map(({ piece }) => piece),
      target,
    );
    actions.push(...plan.actions);
    for (const [i, { of, at }] of list.entries())
      items[at] = instructionItem(
        of,
        plan.outcomes[i] as PieceOutcome,
        path,
        target,
        program.name,
        of.path === "" ? undefined : program.reach,
      );
  }
  return { actions, items };
}

/** The folder that a text goes into, and what the program calls such a file there. */
async function placeOf(
  program: Program,
  file: Instruction,
  project: string | undefined,
  target: KindTarget,
): Promise<{ folder: string; names: readonly string[] }> {
  const paths = pathOf(target.environment);
  if (file.scope === "local" && project !== undefined && program.privateText !== undefined) {
    const path = paths.join(project, ...program.privateText.split("/"));
    return { folder: paths.dirname(path), names: [paths.basename(path)] };
  }
  const isProject = file.scope === "project" && project !== undefined;
  const names = await namesOf(program, target.root, isProject ? project : undefined, target);
  // Private notes on a project have no place of their own everywhere: they go to the person's file, by name.
  const folder = isProject
    ? paths.join(project, ...file.path.split("/").filter((part) => part !== ""))
    : await program.state(target.root, target.source, target.environment);
  return { folder, names };
}

/** The very text stands in a file that the program reads: which one. */
async function readAlready(
  file: Instruction,
  folder: string,
  names: readonly string[],
  { source, environment }: KindTarget,
): Promise<string | undefined> {
  if (file.scope !== "project" || file.globs) return undefined;
  for (const name of names) {
    const own = await readText(source, pathOf(environment).join(folder, name));
    if (own && takeApart(own.text).own.trim() === file.text.trim()) return name;
  }
  return undefined;
}
