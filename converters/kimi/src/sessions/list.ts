/** The sessions of a store as a list shows them: a folder each, with a journal for every agent in it. */
import {
  type DirEntry,
  type EvidenceFile,
  isInside,
  type ListContext,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, name, oneLine, parsed } from "@asp-convert/core/values";
import {
  AGENTS,
  isProjectFolder,
  MAIN,
  NOT_KEPT,
  SESSIONS,
  sessionFolder,
  WIRE,
  wirePath,
} from "../layout.js";
import { type Scan, type Spawned, scan } from "./scan.js";
import { agentOf, momentOf, stateOf, titleOf } from "./state.js";

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: SessionRef[] };

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const roots = await projectRoots(store, context);
  for (const folder of await sessionFolders(store, context)) {
    context.signal?.throwIfAborted();
    const session = new Session(folder, store, context, roots);
    const ref = await session.ref();
    // Of a session that cannot be read, what its subagents said still can be.
    if (ref) yield ref;
    else yield* await session.orphans();
  }
  const { focus } = store;
  if (
    focus === undefined ||
    isInside(focus, pathOf(context.environment).join(store.root, SESSIONS), context.environment.platform)
  )
    return;
  const alone = await new Lone(focus, store, context).ref();
  if (alone) yield alone;
}

async function entriesOf(folder: string, context: ListContext): Promise<DirEntry[]> {
  return (await unlessUnreadable(context, () => context.source.readDir(folder))) ?? [];
}

/** Those that the store is asked for: all, those below a folder, or the one that a file is of. */
async function sessionFolders({ root, focus }: Store, context: ListContext): Promise<string[]> {
  const path = pathOf(context.environment);
  const { platform } = context.environment;
  const folders: string[] = [];
  for (const { name: key, kind } of await entriesOf(path.join(root, SESSIONS), context)) {
    if (kind === "file" || !isProjectFolder(key)) continue;
    const project = path.join(root, SESSIONS, key);
    if (focus !== undefined && !isInside(project, focus, platform) && !isInside(focus, project, platform))
      continue;
    for (const { name: id, kind: what } of await entriesOf(project, context))
      if (what !== "file") folders.push(path.join(project, id));
  }
  return focus === undefined
    ? folders
    : folders.filter((folder) => isInside(folder, focus, platform) || isInside(focus, folder, platform));
}

/** A project folder's name is made of its path, which the program keeps here. */
async function projectRoots({ root }: Store, context: ListContext): Promise<Fields> {
  const path = pathOf(context.environment).join(root, "workspaces.json");
  const bytes = await context.source.readFile(path).catch(() => undefined);
  return fields(fields(parsed(bytes && Buffer.from(bytes).toString("utf8")))?.workspaces) ?? {};
}

class Session {
  readonly #folder: string;
  readonly #store: Store;
  readonly #context: ListContext;
  readonly #roots: Fields;
  readonly #id: string;

  constructor(folder: string, store: Store, context: ListContext, roots: Fields) {
    this.#folder = folder;
    this.#store = store;
    this.#context = context;
    this.#roots = roots;
    this.#id = pathOf(context.environment).basename(folder);
  }

  /** undefined: it is no session, or its journal cannot be read. */
  async ref(): Promise<SessionRef | undefined> {
    const wire = await this.#wire(MAIN);
    if (!wire) return undefined;
    const state = await stateOf(this.#folder, this.#context);
    const ref = this.#head(this.#id, wire, state);
    const forked = name(state.forkedFrom);
    if (forked !== undefined) ref.parent = { id: forked, relation: "fork" };
    if (state.archived === true) ref.archived = true;
    await this.#addCompanions(ref, this.#folder, true);
    const agents = await this.#agents();
    ref.children = await this.#childrenOf(MAIN, ref.id, agents, state, wire.scan);
    // Whoever started them is not there: they are the session's all the same.
    for (const agent of agents) {
      const child = await this.#child(agent, ref.id, agents, state, wire.scan.spawned.get(agent));
      if (child) ref.children.push(child);
    }
    return ref;
  }

  async orphans(): Promise<SessionRef[]> {
    const state = await stateOf(this.#folder, this.#context);
    const refs: SessionRef[] = [];
    const agents = await this.#agents();
    for (const agent of agents) {
      const child = await this.#child(agent, this.#id, agents, state, undefined);
      if (child) refs.push(child);
    }
    return refs;
  }

  /** Names that are taken out as they find their place. */
  async #agents(): Promise<Set<string>> {
    const entries = await entriesOf(
      pathOf(this.#context.environment).join(this.#folder, AGENTS),
      this.#context,
    );
    return new Set(
      entries.flatMap(({ name: agent, kind }) => (kind !== "file" && agent !== MAIN ? [agent] : [])),
    );
  }

  async #childrenOf(
    parent: string,
    parentId: string,
    agents: Set<string>,
    state: Fields,
    { spawned }: Scan,
  ): Promise<SessionRef[]> {
    const children: SessionRef[] = [];
    for (const agent of [...agents]) {
      const isOwn = spawned.has(agent) || (agentOf(state, agent).parent ?? MAIN) === parent;
      if (!isOwn || !agents.has(agent)) continue;
      const child = await this.#child(agent, parentId, agents, state, spawned.get(agent));
      if (child) children.push(child);
    }
    return children;
  }

  async #child(
    agent: string,
    parentId: string,
    agents: Set<string>,
    state: Fields,
    spawned: Spawned | undefined,
  ): Promise<SessionRef | undefined> {
    if (!agents.delete(agent)) return undefined;
    const wire = await this.#wire(agent);
    if (!wire) return undefined;
    // Agents of two sessions are called the same.
    const ref = this.#head(`${this.#id}.${agent}`, wire, state);
    const title = oneLine(spawned?.title ?? agentOf(state, agent).profile);
    delete ref.title;
    delete ref.titleFrom;
    Object.assign(ref, title === "" ? promptTitle(wire.scan) : { title, titleFrom: "agent" });
    ref.parent = {
      id: parentId,
      relation: "subagent",
      ...(spawned?.call !== undefined && { toolCallId: spawned.call }),
    };
    await this.#addCompanions(ref, pathOf(this.#context.environment).dirname(wire.path), false);
    ref.children = await this.#childrenOf(agent, ref.id, agents, state, wire.scan);
    return ref;
  }

  async #wire(agent: string): Promise<Wire | undefined> {
    const path = pathOf(this.#context.environment).join(this.#folder, AGENTS, agent, WIRE);
    return wireAt(path, this.#context);
  }

  #head(id: string, wire: Wire, state: Fields): Writable {
    const key = pathOf(this.#context.environment).basename(
      pathOf(this.#context.environment).dirname(this.#folder),
    );
    const cwd = name(state.cwd) ?? name(state.workDir) ?? name(fields(this.#roots[key])?.root);
    const title = titleOf(state);
    return headOf(id, wire, this.#store, {
      ...(title.title === undefined ? promptTitle(wire.scan) : title),
      ...(cwd !== undefined && { cwd }),
      relative: this.#relative(wire.path),
      created: momentOf(state.createdAt),
      updated: momentOf(state.updatedAt),
    });
  }

  /** All that lies in the folder. @param isSession the agents' folders are their own, but for the main one's. */
  async #addCompanions(ref: Writable, folder: string, isSession: boolean): Promise<void> {
    const { environment, source } = this.#context;
    const path = pathOf(environment);
    const files: EvidenceFile[] = [...ref.files];
    const look = async (at: string, depth: number): Promise<void> => {
      for (const { name: entry, kind } of await entriesOf(at, this.#context)) {
        const here = path.join(at, entry);
        if (here === ref.path || (depth === 0 && NOT_KEPT.has(entry))) continue;
        if (kind === "directory") {
          const isOthers = isSession && depth === 1 && path.basename(at) === AGENTS && entry !== MAIN;
          if (!isOthers) await look(here, depth + 1);
        } else if (kind === "file") {
          const size = (await source.stat(here))?.size ?? 0;
          files.push({ path: here, relative: this.#relative(here), role: "companion" });
          ref.size += size;
        }
      }
    };
    await look(folder, 0);
    ref.files = files;
  }

  #relative(file: string): string {
    return pathOf(this.#context.environment).relative(this.#store.root, file).replaceAll("\\", "/");
  }
}

/** A journal that lies in no store. */
class Lone {
  readonly #path: string;
  readonly #store: Store;
  readonly #context: ListContext;

  constructor(path: string, store: Store, context: ListContext) {
    this.#path = path;
    this.#store = store;
    this.#context = context;
  }

  async ref(): Promise<SessionRef | undefined> {
    const { environment, source } = this.#context;
    const path = pathOf(environment);
    const info = await source.stat(this.#path);
    if (!info) return undefined;
    const wire = info.kind === "file" ? this.#path : path.join(this.#path, AGENTS, MAIN, WIRE);
    const parts = wire.split(/[/\\]/);
    const isPlaced = parts.at(-3) === AGENTS;
    const folder = isPlaced ? path.dirname(path.dirname(path.dirname(wire))) : undefined;
    const found = await wireAt(wire, this.#context);
    if (!found) return undefined;
    const state = folder === undefined ? {} : await stateOf(folder, this.#context);
    const id = (folder === undefined ? undefined : path.basename(folder)) || path.basename(wire, ".jsonl");
    const cwd = name(state.cwd);
    const title = titleOf(state);
    return headOf(id, found, this.#store, {
      ...(title.title === undefined ? promptTitle(found.scan) : title),
      ...(cwd !== undefined && { cwd }),
      relative: `${sessionFolder(cwd ?? "", id)}/${wirePath(MAIN)}`,
      created: undefined,
      updated: undefined,
    });
  }
}

interface Wire {
  path: string;
  size: number;
  mtimeMs: number;
  scan: Scan;
}

async function wireAt(path: string, context: ListContext): Promise<Wire | undefined> {
  if (!(await unlessUnreadable(context, () => context.source.stat(path)))) return undefined;
  return unlessUnreadable(context, async () => {
    const file = await context.source.open(path);
    try {
      return { path, size: file.size, mtimeMs: file.mtimeMs, scan: scan(file, context.signal) };
    } finally {
      file.close();
    }
  });
}

interface Head extends Pick<SessionRef, "title" | "titleFrom" | "cwd"> {
  relative: string;
  created: number | undefined;
  updated: number | undefined;
}

function headOf(
  id: string,
  { path, size, mtimeMs, scan: { first, last, said, model } }: Wire,
  { harness }: Store,
  { relative, created, updated, ...head }: Head,
): Writable {
  const from = first ?? created ?? mtimeMs;
  const to = Math.max(from, last ?? updated ?? mtimeMs);
  return {
    harness,
    id,
    path,
    files: [{ path, relative, role: "transcript" }],
    ...head,
    createdAt: new Date(from).toISOString(),
    updatedAt: new Date(to).toISOString(),
    ...(first === undefined && created === undefined && { timesInferred: true }),
    size,
    messages: said,
    ...(model !== undefined && { model }),
    children: [],
  };
}

const TITLE_LENGTH = 120;

function promptTitle({ prompt }: Scan): Pick<SessionRef, "title" | "titleFrom"> {
  const line = oneLine(prompt?.split("\n", 1)[0]);
  if (line === "") return {};
  return {
    title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
    titleFrom: "prompt",
  };
}
