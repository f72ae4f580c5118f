/**
 * AGENTS.md and its other names, rule folders, and what a config names as `instructions`. In a project the program
 * takes the first name that exists anywhere in it, and all files of that name; other names are then not read.
 */
import {
  type Instruction,
  type Instructions,
  type Item,
  isInside,
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
import { configFolder } from "../layout.js";
import type { Program } from "../program.js";
import { instructionFidelity } from "./fidelity.js";
import { matcherOf } from "./glob.js";
import { configsOf, homeFolder, type Place } from "./places.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;
const REACH = "when it is started in that folder or below, or reads a file there";
const OWN = "AGENTS.md";
/** In a project, the first of these that is there. */
const NAMES = [OWN, "CLAUDE.md", "CONTEXT.md"];
/** In a home folder, where there is no file of the program's own. */
const OF_HOME = [".claude", "CLAUDE.md"];

export function instructions(program: Program): StateKind<Instructions> {
  return {
    read: (store, context) => new Reader(program, store, context).read(),
    write: (state, target) => write(program, state, target),
    fidelity: instructionFidelity,
  };
}

class Reader {
  readonly #program: Program;
  readonly #store: Store;
  readonly #context: KindContext;
  readonly #files: Instruction[] = [];
  /** Files that were read: a pattern may name them again. */
  readonly #seen = new Set<string>();

  constructor(program: Program, store: Store, context: KindContext) {
    this.#program = program;
    this.#store = store;
    this.#context = context;
  }

  async read(): Promise<Instructions | undefined> {
    const { environment, projects, user } = this.#context;
    const paths = pathOf(environment);
    const home = homeFolder(this.#program, this.#store, environment);
    if (user) {
      const place = { scope: "user" } as const;
      const folder = configFolder(this.#program, this.#store.root, environment);
      const own = await this.#take(paths.join(folder, OWN), folder, place);
      if (!own && home)
        await this.#take(paths.join(home, ...OF_HOME), paths.join(home, OF_HOME[0] as string), place);
      if (home) await this.#rules(home, place);
      await this.#named(place, folder, home);
    }
    for (const project of projects) {
      const place = { scope: "project", project } as const;
      await this.#project(project, place);
      await this.#rules(project, place);
      await this.#named(place, project, home);
    }
    return this.#files.length > 0 ? { files: this.#files } : undefined;
  }

  async #project(project: string, place: Place): Promise<void> {
    const { source, environment } = this.#context;
    const paths = pathOf(environment);
    const found = await filesBelow(project, (name) => NAMES.includes(name), source, environment);
    const inForce = nameInForce(found);
    for (const path of found) {
      const file = paths.join(project, ...path.split("/"));
      const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
      if (nameOf(path) === inForce) await this.#take(file, project, place, folder);
      else if (
        inForce !== undefined &&
        !(await this.#saysNothing(file, paths.join(project, ...folder.split("/"), inForce)))
      ) {
        this.#context.items.push(
          leave(this.#context, belonging(place, path), {
            ...KIND,
            reason: "superseded",
            note: `${this.#program.name} reads ${inForce} in this project, and no other name`,
          }),
        );
      }
    }
  }

  /** On some disks both names are one file; a pointer to the file that is read says nothing of its own. */
  async #saysNothing(file: string, other: string): Promise<boolean> {
    const { source, environment } = this.#context;
    if (await isSameFile(file, other, source)) return true;
    return standsFor((await readText(source, file))?.text ?? "") === pathOf(environment).basename(other);
  }

  async #rules(base: string, place: Place): Promise<void> {
    const { source, environment } = this.#context;
    const paths = pathOf(environment);
    for (const folder of this.#program.ruleFolders) {
      const at = paths.join(base, ...folder.split("/"));
      for (const { name } of await source.readDir(at)) {
        if (name.endsWith(".md")) await this.#take(paths.join(at, name), base, place);
      }
    }
  }

  /** `instructions` of the config: files, patterns, addresses. */
  async #named(place: Place, base: string, home: string | undefined): Promise<void> {
    const { source, environment } = this.#context;
    const paths = pathOf(environment);
    for (const { value } of await configsOf(
      this.#program,
      this.#store,
      place,
      "instructions",
      this.#context,
    )) {
      for (const entry of Array.isArray(value.instructions) ? value.instructions : []) {
        if (typeof entry !== "string") continue;
        const left = (reason: "not-supported" | "missing-file" | "no-counterpart" | "unsafe", note: string) =>
          this.#context.items.push(leave(this.#context, belonging(place, entry), { ...KIND, reason, note }));
        if (/^https?:/i.test(entry)) left("not-supported", "a text from the network");
        else if (entry.startsWith("~/") || paths.isAbsolute(entry)) {
          const file = entry.startsWith("~/") ? paths.join(home ?? environment.home, entry.slice(2)) : entry;
          // A project may be anybody's: it does not choose which of the person's files are taken along.
          if (place.project !== undefined && !isInside(file, place.project, environment.platform))
            left("unsafe", "it lies outside of the project");
          else if (/[*?[{]/.test(entry)) left("not-supported", "a pattern outside of the project");
          else if (!(await source.stat(file))) left("missing-file", "there is no such file");
          else await this.#take(file, paths.dirname(file), place);
        } else if (place.project === undefined) left("no-counterpart", "looked for in every project anew");
        else {
          const matches = matcherOf(entry);
          const found = await filesBelow(place.project, () => true, source, environment, {
            everywhere: true,
          });
          for (const path of found)
            if (matches(path)) await this.#take(paths.join(base, ...path.split("/")), base, place);
        }
      }
    }
  }

  /** @returns whether there is such a file. */
  async #take(file: string, base: string, place: Place, path = ""): Promise<boolean> {
    if (this.#seen.has(file)) return true;
    this.#seen.add(file);
    const whole = await readInstruction(
      { file, base, path, from: this.#program.id, ...place },
      this.#context,
    );
    if (whole) this.#files.push(...instructionsIn(whole));
    return whole !== undefined;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function nameInForce(paths: readonly string[]): string | undefined {
  return NAMES.find((name) => paths.some((path) => nameOf(path) === name));
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
    const folder =
      file.project === undefined
        ? configFolder(program, target.root, target.environment)
        : target.projectFolder(file.project);
    if (folder === undefined) {
      items[at] = leave(target, of, { ...KIND, reason: "no-place" });
      continue;
    }
    const path = await destination(program, file, folder, state, target);
    const note = await alreadyRead(program, file, folder, path, target);
    if (note !== undefined) {
      items[at] = { ...of, outcome: "present", note };
      continue;
    }
    byFile.set(path, [...(byFile.get(path) ?? []), { piece: namedPiece(file, folder), of: file, at }]);
  }
  const actions: KindPlan["actions"] = [];
  for (const [path, list] of byFile) {
    if (await isOfHome(program, path, list, target)) {
      for (const { of, at } of list) {
        const note = `${program.name} reads ~/${OF_HOME.join("/")} itself, as long as it has no ${OWN} of its own`;
        items[at] = { ...belonging(of, of.source), outcome: "present", note };
      }
      continue;
    }
    const plan = await planPieces(
      path,
      list.map(({ piece }) => piece),
      target,
    );
    actions.push(...plan.actions);
    for (const [i, { of, at }] of list.entries())
      items[at] = instructionItem(of, plan.outcomes[i] as PieceOutcome, path, target, program.name, REACH);
  }
  return { actions, items };
}

/** All that would go into a new file of the person's is what the program reads in the home folder anyway. */
async function isOfHome(
  program: Program,
  path: string,
  list: readonly Planned[],
  target: KindTarget,
): Promise<boolean> {
  const { environment, source } = target;
  const paths = pathOf(environment);
  const home = homeFolder(program, target, environment);
  const own = paths.join(configFolder(program, target.root, environment), OWN);
  if (path !== own || home === undefined || (await source.stat(own))) return false;
  const text = (await readText(source, paths.join(home, ...OF_HOME)))?.text;
  return text !== undefined && list.every(({ of }) => of.scope === "user" && of.text.trim() === text.trim());
}

/**
 * The file that the program reads there, or will. Private notes on a project go to the person's own file, by name.
 * A new AGENTS.md would switch off the CLAUDE.md files of the whole project: it is made only if their texts come too.
 */
async function destination(
  program: Program,
  file: Instruction,
  folder: string,
  state: Instructions,
  { root, environment, source }: KindTarget,
): Promise<string> {
  const paths = pathOf(environment);
  if (file.scope !== "project") return paths.join(configFolder(program, root, environment), OWN);
  const here = paths.join(folder, ...file.path.split("/").filter((part) => part !== ""));
  const found = await filesBelow(folder, (name) => NAMES.includes(name), source, environment);
  const inForce = nameInForce(found);
  if (inForce === undefined || inForce === OWN) return paths.join(here, OWN);
  const come = new Set(
    state.files.filter((one) => one.project === file.project).map(({ text }) => text.trim()),
  );
  for (const path of found) {
    if (nameOf(path) !== inForce) continue;
    const text = (await readText(source, paths.join(folder, ...path.split("/"))))?.text ?? "";
    if (!come.has(text.trim())) return paths.join(here, inForce);
  }
  // All of them come along: but then they are read where they are.
  return paths.join(here, inForce);
}

/** The program reads the very text already: why, for a person. */
async function alreadyRead(
  program: Program,
  file: Instruction,
  folder: string,
  destined: string,
  target: KindTarget,
): Promise<string | undefined> {
  const { environment, source } = target;
  if (file.scope !== "project" || file.globs) return undefined;
  const paths = pathOf(environment);
  const name = paths.basename(destined);
  const here = paths.join(folder, ...file.path.split("/").filter((part) => part !== ""));
  const pointsAt = standsFor(file.text);
  if (pointsAt !== undefined && paths.resolve(here, pointsAt) === destined && (await source.stat(destined)))
    return `it is nothing but a pointer to ${name}, which ${program.name} reads itself`;
  const own = await readText(source, destined);
  if (own && takeApart(own.text).own.trim() === file.text.trim())
    return `${program.name} reads ${name} itself`;
  const rule = paths.join(folder, ...file.source.split("/"));
  const isRule = program.ruleFolders.some((one) => file.source.startsWith(`${one}/`));
  const isRead = isRule || (await isNamed(program, file.source, folder, target));
  const there = isRead ? await readText(source, rule) : undefined;
  return there?.text.trim() === file.text.trim() ? `${program.name} reads ${file.source} itself` : undefined;
}

/** The config of the project names it, by itself or by a pattern. */
async function isNamed(
  program: Program,
  path: string,
  project: string,
  { root, source, environment }: KindTarget,
): Promise<boolean> {
  const place = { scope: "project", project } as const;
  const context = { source, environment, losses: [] };
  const configs = await configsOf(program, { root }, place, "instructions", context);
  return configs.some(
    ({ value }) =>
      Array.isArray(value.instructions) &&
      value.instructions.some((entry) => typeof entry === "string" && matcherOf(entry)(path)),
  );
}
