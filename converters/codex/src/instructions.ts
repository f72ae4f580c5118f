/** AGENTS.md files and what takes their place. Facts: STATE.md. */

import type { Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Instruction, type Instructions, pathOf } from "@asp-convert/core";
import {
  belonging,
  change,
  filesBelow,
  instructionItem,
  instructionsIn,
  isSafeInstruction,
  leave,
  lose,
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
  CONFIG,
  fallbackNames,
  INSTRUCTIONS,
  OVERRIDE,
  PROJECT_DOC_BYTES,
  readConfig,
} from "./layout-state.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
const HARNESS = "codex";
const REACH = "only when it is started in that folder";
/** The instructions in config.toml, which reach the model as a message of their own. */
const DEVELOPER = `${CONFIG}#developer_instructions`;

export const instructions: StateKind<Instructions> = { read, write, fidelity: instructionFidelity };

async function read(store: Store, context: KindContext): Promise<Instructions | undefined> {
  const { source, environment } = context;
  const { table } = await readConfig(store.root, source, environment);
  const files: Instruction[] = [];
  if (context.user) {
    files.push(
      ...(await firstOf(
        [OVERRIDE, INSTRUCTIONS],
        store.root,
        store.root,
        { scope: "user", path: "" },
        context,
      )),
    );
    const developer = table.developer_instructions;
    if (typeof developer === "string" && developer.trim() !== "") {
      files.push({ scope: "user", path: "", text: developer, source: DEVELOPER, from: HARNESS });
    }
  }
  const names = [OVERRIDE, INSTRUCTIONS, ...fallbackNames(table)];
  for (const project of context.projects) {
    const paths = pathOf(environment);
    const found = await filesBelow(project, (name) => names.includes(name), source, environment);
    const folders = new Set(found.map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0))));
    for (const path of ["", ...[...folders].filter((folder) => folder !== "")]) {
      const folder = path === "" ? project : paths.join(project, ...path.split("/"));
      files.push(...(await firstOf(names, folder, project, { scope: "project", project, path }, context)));
    }
  }
  return files.length > 0 ? { files } : undefined;
}

/** The one file of a folder that Codex reads, apart into its own text and the blocks in it. */
async function firstOf(
  names: readonly string[],
  folder: string,
  base: string,
  place: Pick<Instruction, "scope" | "path" | "project">,
  context: KindContext,
): Promise<Instruction[]> {
  const paths = pathOf(context.environment);
  for (const [i, name] of names.entries()) {
    const whole = await readInstruction(
      { file: paths.join(folder, name), base, from: HARNESS, ...withProject(place) },
      context,
    );
    if (!whole) continue;
    for (const hidden of names.slice(i + 1)) {
      if (!(await context.source.stat(paths.join(folder, hidden)))) continue;
      const item = paths.relative(base, paths.join(folder, hidden)).replaceAll("\\", "/");
      context.items.push(
        leave(context, belonging(place, item), {
          ...KIND,
          reason: "superseded",
          note: `Codex reads ${name} instead`,
        }),
      );
    }
    const { imports: _, ...bare } = whole; // Codex follows none.
    return instructionsIn(bare);
  }
  return [];
}

function withProject({ project, ...rest }: Pick<Instruction, "scope" | "path" | "project">) {
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
    const note = file.project === undefined ? undefined : await alreadyRead(file, folder, target);
    if (note !== undefined) {
      items[at] = { ...of, outcome: "present", note };
      continue;
    }
    const path = destination(file, folder, target);
    const list = byFile.get(path) ?? [];
    list.push({ piece: namedPiece(file, folder), of: file, at });
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
    const hidden = await target.source.stat(paths.join(paths.dirname(path), OVERRIDE));
    for (const [i, { of, at }] of list.entries()) {
      items[at] = instructionItem(of, plan.outcomes[i] as PieceOutcome, path, target, "Codex", REACH);
      if (hidden) {
        items[at] = change(target, belonging(of, of.source), {
          ...KIND,
          reason: "superseded",
          note: `Codex reads ${OVERRIDE} there instead of ${INSTRUCTIONS}`,
        });
      }
    }
    await checkSize(path, list, target);
  }
  return { actions, items };
}

/** Private notes on a project have no place of their own here: they go to the person's file, by name. */
function destination(file: Instruction, folder: string, { root, environment }: KindTarget): string {
  const paths = pathOf(environment);
  if (file.scope === "local" || file.scope === "user") return paths.join(root, INSTRUCTIONS);
  return paths.join(folder, ...file.path.split("/").filter((part) => part !== ""), INSTRUCTIONS);
}

/** Codex reads the very file already: why, for a person. */
async function alreadyRead(
  file: Instruction,
  folder: string,
  target: KindTarget,
): Promise<string | undefined> {
  const { source, environment, root } = target;
  const paths = pathOf(environment);
  const at = paths.join(folder, ...file.path.split("/").filter((part) => part !== ""));
  const main = await readText(source, paths.join(at, INSTRUCTIONS));
  if (file.scope === "local") return undefined;
  const pointsAt = standsFor(file.text);
  if (main && pointsAt !== undefined && paths.resolve(at, pointsAt) === paths.join(at, INSTRUCTIONS)) {
    return `it is nothing but a pointer to ${INSTRUCTIONS}, which Codex reads itself`;
  }
  const own = main && takeApart(main.text).own.trim();
  const name = paths.basename(file.source);
  if (own !== undefined && own === file.text.trim())
    return name === INSTRUCTIONS ? "Codex reads it itself" : `${INSTRUCTIONS} says the same`;
  // A fallback name counts only where none of Codex's own is.
  if (main || (await source.stat(paths.join(at, OVERRIDE)))) return undefined;
  const fallbacks = fallbackNames((await readConfig(root, source, environment)).table);
  const isThere = (await readText(source, paths.join(at, name)))?.text.trim() === file.text.trim();
  return fallbacks.includes(name) && isThere
    ? `Codex reads ${name} itself (project_doc_fallback_filenames)`
    : undefined;
}

/** Project documents share a cap; what lies over it Codex cuts without a word, so it is told here. */
async function checkSize(path: string, list: readonly Planned[], target: KindTarget): Promise<void> {
  const project = list.find(({ of }) => of.scope === "project");
  if (!project) return;
  const { table } = await readConfig(target.root, target.source, target.environment);
  const limit =
    typeof table.project_doc_max_bytes === "number" ? table.project_doc_max_bytes : PROJECT_DOC_BYTES;
  const had = (await readText(target.source, path))?.text ?? "";
  const bytes =
    Buffer.byteLength(had) + list.reduce((sum, { piece }) => sum + Buffer.byteLength(piece.text), 0);
  if (bytes <= limit) return;
  lose(target.losses, {
    ...KIND,
    level: "partial",
    reason: "target-limit",
    item: path,
    note: `about ${bytes} bytes; Codex reads ${limit} (project_doc_max_bytes) over all folders of a project`,
  });
}
