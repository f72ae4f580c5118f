/** The sessions of a store as a list shows them: from one look over their events, and the file beside them. */
import {
  type EvidenceFile,
  isInside,
  type ListContext,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, isoOf, name, string } from "@asp-convert/core/values";
import { EVENTS, isLock, SESSIONS, sessionFolder, subagentFile, WORKSPACE } from "../layout.js";
import { type Party, type Place, recordAt, type Scan, scan, timeOf } from "./scan.js";
import { readWorkspace, type Workspace } from "./workspace.js";

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: Writable[] };

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const refs: Writable[] = [];
  /** Fork → the session that it was made of. */
  const forks = new Map<string, string>();
  for (const path of await eventFiles(store, context)) {
    context.signal?.throwIfAborted();
    const found = await unlessUnreadable(context, () => refOf(path, store, context));
    if (!found) continue;
    refs.push(found.ref);
    for (const fork of found.forks) forks.set(fork, found.ref.id);
  }
  for (const ref of refs) {
    const from = forks.get(ref.id);
    if (from !== undefined && from !== ref.id) ref.parent = { id: from, relation: "fork" };
    yield ref;
  }
}

async function eventFiles({ root, focus }: Store, context: ListContext): Promise<string[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const top = path.join(root, SESSIONS);
  const folders = (await unlessUnreadable(context, () => source.readDir(top))) ?? [];
  const files: string[] = [];
  for (const { name: id, kind } of folders) {
    if (kind === "file") continue;
    const file = path.join(top, id, EVENTS);
    if (await unlessUnreadable(context, () => source.stat(file))) files.push(file);
  }
  if (focus === undefined) return files;
  const within = files.filter(
    (file) =>
      isInside(file, focus, environment.platform) ||
      isInside(focus, path.dirname(file), environment.platform),
  );
  if (within.length > 0) return within;
  const kind = (await source.stat(focus))?.kind;
  if (kind === "file") return [focus];
  const inside = path.join(focus, EVENTS);
  return (await source.stat(inside)) ? [inside] : [];
}

async function refOf(
  path: string,
  store: Store,
  context: ListContext,
): Promise<{ ref: Writable; forks: readonly string[] } | undefined> {
  const paths = pathOf(context.environment);
  const folder = paths.dirname(path);
  const file = await context.source.open(path);
  try {
    const found = scan(file, context.signal);
    if (found.known === 0) return undefined;
    const workspace = await readWorkspace(await context.source.readFile(paths.join(folder, WORKSPACE)));
    const read = (place: Place | undefined) => dataOf(place && recordAt(file, place));
    const head = read(found.own.head);
    const isPlaced = isInside(path, store.root, context.environment.platform);
    const inStore = isPlaced && paths.basename(path) === EVENTS;
    const id =
      (inStore ? paths.basename(folder) : undefined) ??
      string(head.sessionId) ??
      paths.basename(path, ".jsonl");
    const relative = (at: string) =>
      isPlaced
        ? paths.relative(store.root, at).replaceAll("\\", "/")
        : `${sessionFolder(id)}/${paths.relative(folder, at).replaceAll("\\", "/")}`;
    const files: EvidenceFile[] = [{ path, relative: relative(path), role: "transcript" }];
    let size = file.size;
    if (inStore)
      for (const companion of await companionsIn(folder, context)) {
        files.push({ path: companion.path, relative: relative(companion.path), role: "companion" });
        size += companion.size;
      }
    const ref: Writable = {
      harness: store.harness,
      id,
      path,
      files,
      size,
      ...titleOf(found, workspace, read),
      ...headerOf(found.own, head, workspace, read, file.mtimeMs),
      children: [],
    };
    ref.children = childrenOf(found, ref, read, file.mtimeMs, relative);
    return { ref, forks: found.forks };
  } finally {
    file.close();
  }
}

interface Beside {
  path: string;
  size: number;
}

/** Every file in a session's folder. */
async function companionsIn(folder: string, context: ListContext, depth = 0): Promise<Beside[]> {
  const { source, environment } = context;
  const found: Beside[] = [];
  for (const { name: entry, kind } of (await unlessUnreadable(context, () => source.readDir(folder))) ?? []) {
    const path = pathOf(environment).join(folder, entry);
    if (depth === 0 && entry === EVENTS) continue;
    if (kind === "directory") {
      if (depth < DEEPEST) found.push(...(await companionsIn(path, context, depth + 1)));
    } else if (kind === "file" && !isLock(entry)) {
      const info = await source.stat(path);
      if (info) found.push({ path, size: info.size });
    }
  }
  return found;
}

/** `files/` may hold folders of the person's own. */
const DEEPEST = 4;

type Read = (place: Place | undefined) => Fields;

function headerOf(
  own: Party,
  head: Fields,
  workspace: Workspace,
  read: Read,
  mtimeMs: number,
): Omit<Partial<SessionRef>, "children"> {
  const context = fields(head.context) ?? {};
  const cwd = workspace.cwd ?? name(context.cwd);
  const branch = workspace.branch ?? name(context.branch);
  const commit = name(context.headCommit);
  const repository = name(context.repository);
  const started = timeOf(head.startTime);
  // A fork holds what was said before it was made.
  const created =
    started === undefined || (own.first !== undefined && own.first < started) ? own.first : started;
  const updated =
    own.last === undefined || (created !== undefined && own.last < created) ? created : own.last;
  const model = name(read(own.answer).model) ?? name(head.selectedModel);
  const version = name(head.copilotVersion);
  return {
    ...(cwd !== undefined && { cwd }),
    ...((branch !== undefined || commit !== undefined || repository !== undefined) && {
      git: {
        ...(branch !== undefined && { branch }),
        ...(commit !== undefined && { commit }),
        ...(repository !== undefined && { repository }),
      },
    }),
    ...times(created, updated, mtimeMs),
    messages: own.messages,
    ...(model !== undefined && { model }),
    ...(version !== undefined && { harnessVersion: version }),
  };
}

function times(
  created: number | undefined,
  updated: number | undefined,
  mtimeMs: number,
): Pick<SessionRef, "createdAt" | "updatedAt" | "timesInferred"> {
  const inferred = new Date(mtimeMs).toISOString();
  return {
    createdAt: isoOf(created) ?? inferred,
    updatedAt: isoOf(updated) ?? inferred,
    ...(created === undefined && { timesInferred: true }),
  };
}

/** Subagents inside who started them: the session itself, or one of its agents. */
function childrenOf(
  found: Scan,
  parent: Writable,
  read: Read,
  mtimeMs: number,
  relative: (path: string) => string,
): Writable[] {
  const refs = new Map<string, Writable>();
  for (const [agent, party] of found.agents) {
    const path = subagentFile(parent.path, agent);
    const size = party.lines.reduce((sum, part, i) => sum + (i % 2 === 1 ? part + 1 : 0), 0);
    const head = read(party.head);
    const model = name(read(party.answer).model) ?? name(head.model);
    refs.set(agent, {
      harness: parent.harness,
      id: `${parent.id}.${agent}`,
      path,
      files: [{ path, relative: relative(path), role: "transcript" }],
      size,
      ...promptTitle(read(party.prompt)),
      ...(parent.cwd !== undefined && { cwd: parent.cwd }),
      ...times(party.first, party.last, mtimeMs),
      messages: party.messages,
      ...(model !== undefined && { model }),
      children: [],
    });
  }
  const tops: Writable[] = [];
  for (const [agent, party] of found.agents) {
    const ref = refs.get(agent);
    if (!ref) continue;
    const by = startedBy(party, found);
    const above = by === undefined || isBelow(by, agent, found) ? undefined : refs.get(by);
    (above?.children ?? tops).push(ref);
    ref.parent = {
      id: (above ?? parent).id,
      relation: "subagent",
      ...(party.call !== undefined && { toolCallId: party.call }),
    };
  }
  return tops;
}

/** The subagent that started one; undefined: the session itself did. */
function startedBy({ call, parent }: Party, { callers }: Scan): string | undefined {
  return parent ?? (call === undefined ? undefined : callers.get(call));
}

/** Would the one be started by the other, or by itself? */
function isBelow(agent: string, top: string, found: Scan): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = agent; at !== undefined && !seen.has(at); ) {
    if (at === top) return true;
    seen.add(at);
    const party: Party | undefined = found.agents.get(at);
    at = party && startedBy(party, found);
  }
  return false;
}

const TITLE_LENGTH = 120;

/** The name that it has; one that is how the first prompt begins was made of that. */
function titleOf(
  found: Scan,
  { name: own, isNamed }: Workspace,
  read: Read,
): Pick<SessionRef, "title" | "titleFrom"> {
  const named = oneLine(own);
  const prompt = promptOf(read(found.own.prompt));
  if (named !== "") {
    const start = named.replace(/(?:…|\.\.\.)$/, "");
    const isPrompt = oneLine(prompt).startsWith(start);
    return { title: named, titleFrom: isNamed ? "user" : isPrompt ? "prompt" : "agent" };
  }
  const changed = oneLine(string(read(found.title).title));
  return changed === "" ? promptTitle(read(found.own.prompt)) : { title: changed, titleFrom: "agent" };
}

function promptTitle(prompt: Fields): Pick<SessionRef, "title" | "titleFrom"> {
  const line = oneLine(promptOf(prompt).trim().split("\n", 1)[0]);
  if (line === "") return {};
  return {
    title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
    titleFrom: "prompt",
  };
}

function promptOf(prompt: Fields): string {
  return string(prompt.content) ?? "";
}

function oneLine(text = ""): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}

function dataOf(record: Fields | undefined): Fields {
  return fields(record?.data) ?? {};
}
