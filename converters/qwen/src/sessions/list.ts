/** The sessions of a store as a list shows them: from the order of their records, and a few of them. */
import {
  type DirEntry,
  type EvidenceFile,
  isInside,
  type ListContext,
  type OpenFile,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, name, oneLine, parsed, string } from "@asp-convert/core/values";
import { partsIn } from "@asp-convert/gemini-family";
import {
  ARCHIVE,
  CHATS,
  isSessionFile,
  isSubagentFile,
  metaOf,
  PROJECTS,
  SUBAGENTS,
  sessionPath,
} from "../layout.js";
import { type Entry, pathOfTalk, recordAt, scan } from "./scan.js";

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: SessionRef[] };

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const { focus } = store;
  const files = await sessionFiles(store, context);
  const isFile = files.some(({ path }) => path === focus);
  for (const file of files) {
    context.signal?.throwIfAborted();
    if (isFile && file.path !== focus) continue;
    const ref = await unlessUnreadable(context, () => refOf(file, store, context));
    const children = await subagentsOf(
      ref ?? { id: idOf(file.path, context), path: file.path },
      store,
      context,
    );
    // Of a session that cannot be read, what its subagents said still can be.
    if (!ref) yield* children;
    else yield { ...ref, children };
  }
}

async function entriesOf(folder: string, context: ListContext): Promise<DirEntry[]> {
  return (await unlessUnreadable(context, () => context.source.readDir(folder))) ?? [];
}

interface SessionFile {
  path: string;
  isArchived: boolean;
}

async function sessionFiles({ root, focus }: Store, context: ListContext): Promise<SessionFile[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const files: SessionFile[] = [];
  const add = async (folder: string, isArchived: boolean) => {
    for (const { name: file } of await entriesOf(folder, context))
      if (isSessionFile(file)) files.push({ path: path.join(folder, file), isArchived });
  };
  for (const { name: slug, kind } of await entriesOf(path.join(root, PROJECTS), context)) {
    if (kind === "file") continue;
    const chats = path.join(root, PROJECTS, slug, CHATS);
    await add(chats, false);
    await add(path.join(chats, ARCHIVE), true);
  }
  if (focus === undefined) return files;
  const within = files.filter((file) => isInside(file.path, focus, environment.platform));
  if (within.length > 0) return within;
  if ((await source.stat(focus))?.kind === "file") return [{ path: focus, isArchived: false }];
  await add(focus, false);
  return files.filter((file) => isInside(file.path, focus, environment.platform));
}

/** undefined: it is no session. */
async function refOf(
  { path, isArchived }: SessionFile,
  store: Store,
  context: ListContext,
): Promise<Writable | undefined> {
  const own = idOf(path, context);
  const file = await context.source.open(path);
  try {
    const ref = headOf(file, own, store, context);
    if (!ref) return undefined;
    if (isArchived) ref.archived = true;
    await addCompanions(
      ref,
      [".worktree.json", ".pr.json", ".ledger.jsonl"].map((end) => path.replace(/\.jsonl$/, end)),
      store,
      context,
    );
    return ref;
  } finally {
    file.close();
  }
}

function headOf(file: OpenFile, id: string, store: Store, context: ListContext): Writable | undefined {
  const found = scan(file, context.signal);
  const { path: talk } = pathOfTalk(found);
  const said = talk.filter(({ type }) => type === "user" || type === "assistant");
  if (said.length === 0 && !found.entries.some(({ type }) => type === "user" || type === "assistant")) {
    if (found.others.length === 0) return undefined;
  }
  const read = (entry: Entry | undefined) => (entry ? recordAt(file, entry) : {});
  const [first] = found.entries;
  const head = read(first);
  const times = talk.filter(({ type }) => type !== "system").flatMap(({ time }) => time ?? []);
  const created = times[0] ?? first?.time;
  const updated = times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : created;
  const cwd = name(head.cwd);
  const branch = name(read(talk.at(-1)).gitBranch) ?? name(head.gitBranch);
  const model = name(read(talk.findLast(({ type }) => type === "assistant")).model);
  const version = name(read(talk.at(-1)).version);
  const forked = name(fields(head.forkedFrom)?.sessionId);
  return {
    harness: store.harness,
    id,
    path: file.path,
    files: [
      { path: file.path, relative: relativeTo(store, file.path, cwd ?? "", id, context), role: "transcript" },
    ],
    ...titleOf(found.entries, talk, read),
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { git: { branch } }),
    createdAt: new Date(created ?? file.mtimeMs).toISOString(),
    updatedAt: new Date(updated ?? file.mtimeMs).toISOString(),
    ...(created === undefined && { timesInferred: true }),
    size: file.size,
    messages: said.filter((entry) => says(read(entry))).length,
    ...(model !== undefined && { model }),
    ...(version !== undefined && { harnessVersion: version }),
    ...(forked !== undefined && { parent: { id: forked, relation: "fork" } }),
    children: [],
  };
}

/** It has words, or a picture: it is no thought or call alone. */
function says({ message, asp, provenance }: Fields): boolean {
  if (fields(asp)?.injected !== undefined || provenance === "system") return false;
  return partsIn(fields(message)?.parts).some((part) => {
    const { text, thought, inlineData, fileData } = fields(part) ?? {};
    return inlineData !== undefined || fileData !== undefined || (thought !== true && string(text)?.trim());
  });
}

/** What the model was told by a call of the session, each in a file of its own. */
async function subagentsOf(
  parent: Pick<SessionRef, "id" | "path">,
  store: Store,
  context: ListContext,
): Promise<SessionRef[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const chats = path.dirname(parent.path);
  const project = path.dirname(path.basename(chats) === ARCHIVE ? path.dirname(chats) : chats);
  const folder = path.join(project, SUBAGENTS, parent.id);
  const children: SessionRef[] = [];
  for (const { name: file } of await entriesOf(folder, context)) {
    if (!isSubagentFile(file)) continue;
    const at = path.join(folder, file);
    const ref = await unlessUnreadable(context, () => refOf({ path: at, isArchived: false }, store, context));
    if (!ref) continue;
    const bytes = await source.readFile(metaOf(at)).catch(() => undefined);
    const meta = fields(parsed(bytes && Buffer.from(bytes).toString("utf8"))) ?? {};
    const toolCallId = name(meta.toolUseId);
    const agent = file.slice("agent-".length, -".jsonl".length);
    // An agent is called by its call, and calls of two sessions may be called the same.
    ref.id = `${parent.id}.${agent}`;
    ref.parent = { id: parent.id, relation: "subagent", ...(toolCallId !== undefined && { toolCallId }) };
    await addCompanions(ref, [metaOf(at)], store, context);
    children.push(ref);
  }
  return children;
}

async function addCompanions(
  ref: Writable,
  paths: readonly string[],
  store: Store,
  context: ListContext,
): Promise<void> {
  const files: EvidenceFile[] = [...ref.files];
  for (const path of paths) {
    const info = await context.source.stat(path);
    if (info?.kind !== "file" || !isInside(path, store.root, context.environment.platform)) continue;
    files.push({ path, relative: relativeTo(store, path, "", ref.id, context), role: "companion" });
    ref.size += info.size;
  }
  ref.files = files;
}

const TITLE_LENGTH = 120;

/** The last name given, wherever in the file it stands; else the first words that were said. */
function titleOf(
  entries: readonly Entry[],
  talk: readonly Entry[],
  read: (entry: Entry | undefined) => Fields,
): Pick<SessionRef, "title" | "titleFrom"> {
  const payload = fields(read(entries.findLast(({ subtype }) => subtype === "custom_title")).systemPayload);
  const named = oneLine(string(payload?.customTitle));
  if (named !== "") return { title: named, titleFrom: payload?.titleSource === "auto" ? "agent" : "user" };
  for (const entry of talk) {
    if (entry.type !== "user" || entry.subtype !== undefined) continue;
    const { message, asp } = read(entry);
    if (fields(asp)?.injected !== undefined) continue;
    const words = partsIn(fields(message)?.parts).flatMap((part) => string(fields(part)?.text) ?? []);
    const line = oneLine(words.join(" ").trim().split("\n", 1)[0]);
    if (line === "") continue;
    return {
      title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
      titleFrom: "prompt",
    };
  }
  return {};
}

/** The id is the file's name: what stands inside is not looked at. */
function idOf(file: string, { environment }: ListContext): string {
  return pathOf(environment).basename(file, ".jsonl");
}

/** Where a session lies in the store; one that lies elsewhere is given the place that it would have. */
function relativeTo(
  { root }: Store,
  file: string,
  cwd: string,
  id: string,
  { environment }: ListContext,
): string {
  const path = pathOf(environment);
  if (isInside(file, root, environment.platform)) return path.relative(root, file).replaceAll("\\", "/");
  return sessionPath(cwd, id, environment);
}
