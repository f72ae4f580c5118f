/** Rules: `AGENTS.md`, `.clinerules`, and folders of Markdown files. */
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
import { instructionFidelity } from "./fidelity.js";
import {
  AGENTS,
  CLINERULES,
  HARNESS,
  NAME,
  ownFolder,
  type Place,
  placesOf,
  RULES,
  SHARED,
} from "./places.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
/** Below `.clinerules` these are other things. */
const OTHERS = /^(?:skills|workflows|hooks)\//;

export const instructions: StateKind<Instructions> = { read, write, fidelity: instructionFidelity };

async function read(store: Store, context: KindContext): Promise<Instructions | undefined> {
  const files: Instruction[] = [];
  for (const place of placesOf(context)) {
    const base = place.project ?? store.root;
    for (const file of await filesOf(place, store.root, context)) {
      const whole = await readInstruction({ file, base, ...place, path: "", from: HARNESS }, context);
      if (whole) files.push(...instructionsIn(whole));
    }
  }
  return files.length > 0 ? { files } : undefined;
}

/** All that the program reads at a place, in its order. */
async function filesOf(
  { project }: Place,
  root: string,
  { source, environment }: Pick<KindContext, "source" | "environment">,
): Promise<string[]> {
  const paths = pathOf(environment);
  const found: string[] = [];
  const below = async (folder: string) => {
    const isRule = (name: string) => /\.(?:md|markdown|txt)$/i.test(name);
    const names = await filesBelow(folder, isRule, source, environment, { everywhere: true });
    for (const name of names) if (!OTHERS.test(name)) found.push(paths.join(folder, ...name.split("/")));
  };
  const file = async (path: string) => {
    if ((await source.stat(path))?.kind === "file") found.push(path);
  };
  if (project !== undefined) {
    await file(paths.join(project, AGENTS));
    const rules = paths.join(project, CLINERULES);
    await file(rules);
    if ((await source.stat(rules))?.kind === "directory") await below(rules);
    await below(paths.join(ownFolder(root, project, environment), RULES));
    return found;
  }
  await file(paths.join(environment.home, SHARED, AGENTS));
  await below(paths.join(root, RULES));
  for (const folder of [paths.join("Cline", "Rules"), paths.join("Documents", "Cline", "Rules")])
    await below(paths.join(environment.home, folder));
  return found;
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
    const project = file.project === undefined ? undefined : target.projectFolder(file.project);
    if (file.project !== undefined && project === undefined) {
      items[at] = leave(target, of, { ...KIND, reason: "no-place" });
      continue;
    }
    const seen = await readAlready(file, project, target);
    if (seen !== undefined) {
      items[at] = { ...of, outcome: "present", note: `${NAME} reads ${seen} itself` };
      continue;
    }
    // Private notes on a project have no place of their own: they go to the person's rules, by name.
    const isShared = file.scope === "project" && project !== undefined;
    const path = isShared
      ? paths.join(project, ...file.path.split("/").filter((part) => part !== ""), AGENTS)
      : paths.join(target.root, RULES, AGENTS);
    const list = byFile.get(path) ?? [];
    list.push({ piece: namedPiece(file, project ?? target.root), of: file, at });
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
    for (const [i, { of, at }] of list.entries()) {
      const reach = of.path === "" ? undefined : "only when a tool looks into that folder";
      items[at] = instructionItem(of, plan.outcomes[i] as PieceOutcome, path, target, NAME, reach);
    }
  }
  return { actions, items };
}

/** The very text stands in a file that the program reads: which one. */
async function readAlready(
  file: Instruction,
  project: string | undefined,
  target: KindTarget,
): Promise<string | undefined> {
  if (file.globs || file.scope === "local" || file.path !== "") return undefined;
  const { source, root, environment } = target;
  const place: Place = project === undefined ? { scope: "user" } : { scope: "project", project };
  for (const path of await filesOf(place, root, target)) {
    const own = await readText(source, path);
    if (own && takeApart(own.text).own.trim() === file.text.trim())
      return pathOf(environment)
        .relative(project ?? environment.home, path)
        .replaceAll("\\", "/");
  }
  return undefined;
}
