/** CLAUDE.md files, rules and what imports them. Facts: STATE.md. */

import type { Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Instruction, type Instructions, pathOf } from "@asp-convert/core";
import {
  asText,
  belonging,
  change,
  filesBelow,
  findImports,
  instructionsIn,
  isSafeInstruction,
  isSameFile,
  leave,
  type Piece,
  type PieceOutcome,
  planPieces,
  readFrontMatter,
  readInstruction,
  readText,
  standsFor,
  takeApart,
  unwritten,
} from "@asp-convert/core/kinds";
import { instructionFidelity } from "./fidelity-state.js";
import {
  INSTRUCTIONS,
  LOCAL_INSTRUCTIONS,
  MANAGED_INSTRUCTIONS,
  PROJECT_FOLDER,
  RULES,
} from "./layout-state.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
const HARNESS = "claude";
const SHARED = "AGENTS.md";

export const instructions: StateKind<Instructions> = { read, write, fidelity: instructionFidelity };

async function read(store: Store, context: KindContext): Promise<Instructions | undefined> {
  const { source, environment, items } = context;
  const paths = pathOf(environment);
  const files: Instruction[] = [];
  if (context.user) {
    files.push(
      ...(await takenApart(
        paths.join(store.root, INSTRUCTIONS),
        store.root,
        { scope: "user", path: "" },
        context,
      )),
    );
    files.push(...(await rules(paths.join(store.root, RULES), store.root, { scope: "user" }, context)));
    if (await source.stat(MANAGED_INSTRUCTIONS)) {
      items.push(
        leave(context, { item: MANAGED_INSTRUCTIONS, scope: "managed" }, { ...KIND, reason: "managed" }),
      );
    }
  }
  for (const project of context.projects) {
    const own = await ofProject(project, context);
    files.push(...own);
  }
  return files.length > 0 ? { files } : undefined;
}

type Place = { scope: Instruction["scope"]; project?: string; path: string };

async function ofProject(project: string, context: KindContext): Promise<Instruction[]> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const at = { scope: "project", project, path: "" } as const;
  const files: Instruction[] = [];
  for (const name of [INSTRUCTIONS, `${PROJECT_FOLDER}/${INSTRUCTIONS}`]) {
    files.push(...(await takenApart(paths.join(project, ...name.split("/")), project, at, context)));
  }
  files.push(
    ...(await rules(
      paths.join(project, PROJECT_FOLDER, RULES),
      project,
      { scope: "project", project },
      context,
    )),
  );
  files.push(
    ...(await takenApart(
      paths.join(project, LOCAL_INSTRUCTIONS),
      project,
      { ...at, scope: "local" },
      context,
    )),
  );
  // Claude Code reads AGENTS.md itself, but only where there is none of its own files.
  const hasOwn = files.some(({ source: name }) => !name.startsWith(`${PROJECT_FOLDER}/${RULES}/`));
  const pointer = files.some(({ text, source: name }) => name === INSTRUCTIONS && standsFor(text) === SHARED);
  if ((!hasOwn || pointer) && !files.some(({ source: name }) => name === SHARED)) {
    files.push(...(await takenApart(paths.join(project, SHARED), project, at, context)));
  }
  const below = await filesBelow(project, (name) => name === INSTRUCTIONS, source, environment);
  for (const name of below.filter((path) => path.includes("/"))) {
    const path = name.slice(0, name.lastIndexOf("/"));
    files.push(
      ...(await takenApart(paths.join(project, ...name.split("/")), project, { ...at, path }, context)),
    );
  }
  return files;
}

/** A file's own text and each marked block in it that another converter's texts came in. */
async function takenApart(
  file: string,
  base: string,
  place: Place,
  context: KindContext,
): Promise<Instruction[]> {
  const whole = await readInstruction(
    { file: await behindLink(file, base, context), base, from: HARNESS, ...place },
    context,
  );
  return whole ? instructionsIn(whole) : [];
}

/** A link to another file of the same folder is that file: `CLAUDE.md → AGENTS.md`. */
async function behindLink(file: string, base: string, { source, environment }: KindContext): Promise<string> {
  const paths = pathOf(environment);
  if (!(await source.stat(file))?.link) return file;
  const [real, folder] = [await source.realPath(file), await source.realPath(base)];
  if (!real || !folder) return file;
  const relative = paths.relative(folder, real);
  return relative.startsWith("..") || paths.isAbsolute(relative) ? file : paths.join(base, relative);
}

async function rules(
  folder: string,
  base: string,
  place: Omit<Place, "path">,
  context: KindContext,
): Promise<Instruction[]> {
  const paths = pathOf(context.environment);
  const found: Instruction[] = [];
  for (const name of await filesBelow(
    folder,
    (file) => file.endsWith(".md"),
    context.source,
    context.environment,
  )) {
    const file = paths.join(folder, ...name.split("/"));
    const rule = await readInstruction({ file, base, path: "", from: HARNESS, ...place }, context);
    if (!rule) continue;
    const { paths: globs } = (await readFrontMatter(rule.text)).data;
    const list = (Array.isArray(globs) ? globs : [globs]).map(asText).filter((glob) => glob !== undefined);
    found.push(list.length > 0 ? { ...rule, globs: list } : rule);
  }
  return found;
}

async function write(state: Instructions, target: KindTarget): Promise<KindPlan> {
  const paths = pathOf(target.environment);
  const items: Item[] = [];
  const byFile = new Map<string, { piece: Piece; of: Instruction; at: number }[]>();
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
    const read = file.project === undefined ? undefined : await alreadyRead(file, folder, state, target);
    if (read) {
      items[at] = { ...of, ...read };
      continue;
    }
    const { name, text } = await destination(file, folder, target);
    const path = paths.join(folder, ...name.split("/"));
    const list = byFile.get(path) ?? [];
    const marks = { from: file.from, file: file.source };
    list.push({ piece: { text, marks, whole: !isSetting(file) }, of: file, at });
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
      items[at] = itemOf(of, plan.outcomes[i] as PieceOutcome, path, target);
  }
  return { actions, items };
}

function isSetting({ source }: Instruction): boolean {
  return source.includes("#");
}

/** The file that a text goes to, and as what: the name it had here before, else CLAUDE.md. */
async function destination(
  file: Instruction,
  folder: string,
  { source, environment }: KindTarget,
): Promise<{ name: string; text: string }> {
  if (file.from === HARNESS && /(?:^|\/)(?:CLAUDE(?:\.local)?\.md|rules\/.+\.md)$/.test(file.source))
    return { name: file.source, text: file.text };
  if (file.scope === "local") return { name: LOCAL_INSTRUCTIONS, text: file.text };
  const at = file.path === "" ? "" : `${file.path}/`;
  const name = at + INSTRUCTIONS;
  // Beside the very file a one-line import does: never two copies of one text.
  const paths = pathOf(environment);
  const beside =
    file.project !== undefined &&
    (await isSameFile(paths.join(file.project, file.source), paths.join(folder, file.source), source));
  return { name, text: beside ? `@${file.source.slice(at.length)}\n` : file.text };
}

/** Claude Code reads the very file, or one that imports it. */
async function alreadyRead(
  file: Instruction,
  folder: string,
  state: Instructions,
  target: KindTarget,
): Promise<Pick<Item, "outcome" | "note"> | undefined> {
  const { source, environment } = target;
  const paths = pathOf(environment);
  const there = paths.join(folder, ...file.source.split("/"));
  const native = await readText(source, there);
  if (!native || takeApart(native.text).own.trim() !== file.text.trim()) return undefined;
  const at = file.path === "" ? folder : paths.join(folder, ...file.path.split("/"));
  if (file.source !== (file.path === "" ? SHARED : `${file.path}/${SHARED}`)) {
    const imported = await importedBy(at, there, target);
    return imported === undefined ? undefined : { outcome: "present", note: `${imported} imports it` };
  }
  const own = await ownFiles(folder, at, target);
  if (own.length === 0) return { outcome: "present", note: `Claude Code reads ${SHARED} itself` };
  const imported = await importedBy(at, there, target);
  if (imported !== undefined) return { outcome: "present", note: `${imported} imports it` };
  // The other way round was done before: what CLAUDE.md says stands in AGENTS.md already.
  const exchanged = state.files.some(
    (other) => other.from === HARNESS && other.project === file.project && other.source === INSTRUCTIONS,
  );
  return exchanged
    ? { outcome: "present", note: `${INSTRUCTIONS} is there, and its text was in ${SHARED}` }
    : undefined;
}

/** Claude Code's own instruction files on the way from the project's root to a folder. */
async function ownFiles(folder: string, at: string, { source, environment }: KindTarget): Promise<string[]> {
  const paths = pathOf(environment);
  const found: string[] = [];
  for (let here = at; ; here = paths.dirname(here)) {
    for (const name of [INSTRUCTIONS, `${PROJECT_FOLDER}/${INSTRUCTIONS}`, LOCAL_INSTRUCTIONS]) {
      const path = paths.join(here, ...name.split("/"));
      if ((await source.stat(path))?.kind === "file") found.push(path);
    }
    if (here === folder || paths.dirname(here) === here) return found;
  }
}

/** The CLAUDE.md of a folder that is this file, or imports it. */
async function importedBy(
  folder: string,
  file: string,
  { source, environment }: KindTarget,
): Promise<string | undefined> {
  const paths = pathOf(environment);
  for (const name of [INSTRUCTIONS, `${PROJECT_FOLDER}/${INSTRUCTIONS}`, LOCAL_INSTRUCTIONS]) {
    const path = paths.join(folder, ...name.split("/"));
    const text = (await readText(source, path))?.text;
    if (text === undefined) continue;
    if (await isSameFile(path, file, source)) return name;
    const imports = [...(await findImports(text)), ...[standsFor(text)].filter((only) => only !== undefined)];
    for (const one of imports) if (paths.resolve(paths.dirname(path), one) === file) return name;
  }
  return undefined;
}

function itemOf(file: Instruction, outcome: PieceOutcome, path: string, target: KindTarget): Item {
  const left = unwritten(file, outcome, path, target);
  if (left) return left;
  const of = belonging(file, file.source);
  if (isSetting(file)) {
    return change(target, of, {
      ...KIND,
      axis: "instruction-scopes",
      reason: "scope-changed",
      note: `now in ${path}`,
    });
  }
  if (outcome !== "created") return change(target, of, { ...KIND, reason: "marked-block", note: path });
  return { ...of, outcome: "written" };
}
