/** The sessions of a store as a list shows them: subagents below the session that started them. */
import {
  type ListContext,
  type OpenFile,
  pathOf,
  type SessionRef,
  SourceError,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, name, parsed, string } from "@asp-convert/core/values";
import { NAME_INDEX } from "../layout.js";
import { evidenceOf, findRollouts, openRollout, type Thread, threadsOf, within } from "./catalog.js";
import { type Counts, count } from "./counts.js";
import { remember } from "./known.js";
import { type Pairer, pairer } from "./pairing.js";
import { courseOf } from "./stretches.js";

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: SessionRef[] };

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const threads = threadsOf(await findRollouts(store, context));
  const names = await namesIn(store, context);
  const below = new Map<string, string[]>();
  for (const { id, head } of threads) {
    const parent = parentOf(head.header?.meta ?? {}, id);
    if (parent?.relation === "subagent") below.set(parent.id, [...(below.get(parent.id) ?? []), id]);
  }
  const refs = new Map<string, Writable>();
  const starts = new Map<string, string>();
  for (const thread of threads) {
    context.signal?.throwIfAborted();
    const files: OpenFile[] = [];
    try {
      // A single session is most likely about to be read.
      const pairs = threads.length === 1 ? pairer() : undefined;
      const counts = await countsOf(thread, files, below.get(thread.id) ?? [], context, pairs);
      for (const [child, call] of counts?.starts ?? []) starts.set(child, call);
      const ref = refOf(thread, counts ?? NOTHING, names);
      refs.set(thread.id, ref);
      if (pairs && counts) remember(ref, files, pairs.done());
    } finally {
      for (const file of files) file.close();
    }
  }
  const children = new Set<string>();
  for (const ref of refs.values()) {
    const parent = ref.parent?.relation === "subagent" ? refs.get(ref.parent.id) : undefined;
    if (!ref.parent || !parent || descends(parent, ref.id, refs)) continue;
    const toolCallId = starts.get(ref.id);
    if (toolCallId !== undefined) ref.parent = { ...ref.parent, toolCallId };
    parent.children.push(ref);
    children.add(ref.id);
  }
  const { focus } = store;
  for (const ref of refs.values()) {
    if (focus !== undefined && focus !== store.root) {
      // What was pointed at is shown, be it a subagent's; whatever lies elsewhere is not.
      if (!within(ref.path, focus) || (children.has(ref.id) && parentShown(ref, refs, focus))) continue;
    } else if (children.has(ref.id)) continue;
    yield ref;
  }
}

function parentShown(ref: SessionRef, refs: ReadonlyMap<string, SessionRef>, focus: string): boolean {
  const parent = ref.parent && refs.get(ref.parent.id);
  return parent !== undefined && within(parent.path, focus);
}

/** Is `ref` the session `id` or below it? */
function descends(ref: SessionRef, id: string, refs: ReadonlyMap<string, SessionRef>): boolean {
  const seen = new Set<string>();
  for (let at: SessionRef | undefined = ref; at && !seen.has(at.id); ) {
    if (at.id === id) return true;
    seen.add(at.id);
    at = at.parent?.relation === "subagent" ? refs.get(at.parent.id) : undefined;
  }
  return false;
}

const INDEX_BYTES = 64 * 1024 * 1024;

/** Thread id → name. The last line of a thread counts. */
async function namesIn(store: Store, context: ListContext): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const path = pathOf(context.environment).join(store.root, NAME_INDEX);
  const bytes = await unlessUnreadable(context, () => context.source.readFile(path, INDEX_BYTES));
  for (const line of Buffer.from(bytes ?? [])
    .toString("utf8")
    .split("\n")) {
    const entry = fields(parsed(line));
    const id = name(entry?.id)?.toLowerCase();
    const title = string(entry?.thread_name);
    if (id === undefined || title === undefined) continue;
    if (title.trim() === "") names.delete(id);
    else names.set(id, title);
  }
  return names;
}

function refOf(thread: Thread, counts: Counts, names: ReadonlyMap<string, string>): Writable {
  const { head, ancestors, others, id } = thread;
  const meta: Fields = head.header?.meta ?? {};
  // A reverted thread began with its first segment.
  const begun = [head, ...ancestors, ...others].flatMap((each) =>
    each.id === id ? (isoTime(each.header?.meta.timestamp) ?? []) : [],
  );
  const created = begun.sort()[0] ?? counts.firstTime;
  // A fork may hold only what is older than itself.
  const last = counts.lastTime ?? created;
  const updated =
    created !== undefined && last !== undefined && Date.parse(last) < Date.parse(created) ? created : last;
  const inferred = created === undefined || updated === undefined;
  const fileTime = new Date(head.mtimeMs).toISOString();
  const git = gitOf(meta);
  const cwd = string(meta.cwd);
  const version = name(meta.cli_version);
  const parent = parentOf(meta, id);
  return {
    harness: "codex",
    id,
    path: head.path,
    files: evidenceOf(thread),
    ...titleOf(names.get(id) ?? counts.title, counts.prompt),
    ...(cwd !== undefined && { cwd }),
    ...(git && { git }),
    createdAt: created ?? fileTime,
    updatedAt: updated ?? fileTime,
    ...(inferred && { timesInferred: true }),
    size: [head, ...ancestors, ...others].reduce((sum, { size, id: of }) => sum + (of === id ? size : 0), 0),
    messages: counts.messages,
    ...(counts.model !== undefined && { model: counts.model }),
    ...(version !== undefined && { harnessVersion: version }),
    ...(head.archived && { archived: true }),
    ...(parent && { parent }),
    children: [],
  };
}

const NOTHING: Counts = { messages: 0, starts: new Map() };

/** @param files those of the thread, opened here. undefined: they cannot be read. */
async function countsOf(
  thread: Thread,
  files: OpenFile[],
  children: readonly string[],
  { source, signal }: ListContext,
  pairs: Pairer | undefined,
): Promise<Counts | undefined> {
  try {
    for (const rollout of [thread.head, ...thread.ancestors, ...thread.others])
      files.push(await openRollout(source, rollout));
    return count(files, courseOf(evidenceOf(thread), files).main, children, signal, pairs);
  } catch (error) {
    // Bytes that do not unpack: it is listed all the same; reading it will say what is wrong.
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

const TITLE_LENGTH = 120;

/** A name that only repeats the first prompt was not given by anyone: the program names threads so. */
function titleOf(
  named: string | undefined,
  prompt: string | undefined,
): Pick<SessionRef, "title" | "titleFrom"> {
  const first = prompt?.split("\n", 1)[0]?.trim();
  const short =
    first === undefined
      ? undefined
      : first.length > TITLE_LENGTH
        ? `${first.slice(0, TITLE_LENGTH - 1)}…`
        : first;
  if (named !== undefined) {
    const repeats = prompt?.trim().startsWith(named.replace(/(?:…|\.\.\.)$/, "").trim()) ?? false;
    return { title: named, titleFrom: repeats ? "prompt" : "user" };
  }
  return short ? { title: short, titleFrom: "prompt" } : {};
}

function gitOf(meta: Fields): SessionRef["git"] {
  const git = fields(meta.git);
  if (!git) return undefined;
  const branch = name(git.branch);
  const commit = name(git.commit_hash);
  const repository = name(git.repository_url);
  const found = {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(repository !== undefined && { repository }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function parentOf(meta: Fields, id: string): SessionRef["parent"] {
  const subagent = fields(meta.source)?.subagent;
  const spawn = fields(fields(subagent)?.thread_spawn);
  const started = name(meta.parent_thread_id) ?? name(spawn?.parent_thread_id);
  if (started !== undefined && (subagent !== undefined || meta.thread_source === "subagent")) {
    return started.toLowerCase() === id ? undefined : { id: started.toLowerCase(), relation: "subagent" };
  }
  const forked = name(meta.forked_from_id);
  return forked === undefined || forked.toLowerCase() === id
    ? undefined
    : { id: forked.toLowerCase(), relation: "fork" };
}
