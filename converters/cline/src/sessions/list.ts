/** The sessions of a store as a list shows them: from their manifests, and two or three of their messages. */
import {
  type EvidenceFile,
  type ListContext,
  type OpenFile,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, list, name, string } from "@asp-convert/core/values";
import { childId, DATA, relativeIn, SESSIONS } from "../layout.js";
import { objectIn, type SessionFiles, sessionFiles } from "./files.js";
import { ownOf } from "./own.js";
import { blocksIn, isTalk, messageAt, type Place, type Scan, scan, textsIn, timeOf } from "./scan.js";
import { shownText } from "./wire.js";

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: SessionRef[] };

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  for (const files of await sessionFiles(store, context)) {
    context.signal?.throwIfAborted();
    // Without its manifest nobody knows whose folder it is of: it is told of, and not shown in part.
    const manifest = await unlessUnreadable(context, () => objectIn(files.manifest, context));
    const { messages } = files;
    const ref =
      messages === undefined || manifest === undefined
        ? undefined
        : await unlessUnreadable(context, () => sessionIn(messages, files, manifest, store, context));
    const children = await childrenOf(files, ref, store, context);
    if (ref) {
      ref.children = children;
      if (children.length > 0) await unlessUnreadable(context, () => nameCalls(ref, context));
    }
    // Pointed at one subagent: it alone is meant.
    const focused = [...(ref ? [ref] : []), ...children].filter(({ path }) => path === store.focus);
    if (focused.length > 0) yield* focused;
    else if (ref) yield ref;
    else yield* children;
  }
}

async function sessionIn(
  path: string,
  files: SessionFiles,
  manifest: Fields,
  store: Store,
  context: ListContext,
): Promise<Writable | undefined> {
  const { manifest: manifestPath, compaction } = files;
  const ref = await refOf(path, manifest, store, context, (head) => idOf(files, manifest, head));
  if (!ref) return undefined;
  const metadata = fields(manifest.metadata) ?? {};
  const branch = name(fields(metadata.git)?.branch);
  const version = name(fields(metadata.sessionHistoryOrigin)?.version);
  const fork = name(fields(metadata.fork)?.forkedFromSessionId);
  for (const companion of [manifestPath, compaction]) {
    const info = companion === undefined ? undefined : await context.source.stat(companion);
    if (companion === undefined || info?.kind !== "file") continue;
    ref.files = [...ref.files, fileAt(companion, "companion", store, ref.id, context)];
    ref.size += info.size;
  }
  return {
    ...ref,
    ...(branch !== undefined && { git: { branch } }),
    ...(version !== undefined && { harnessVersion: version }),
    ...(fork !== undefined && { parent: { id: fork, relation: "fork" } }),
  };
}

/** The folder is called like it; a file that was taken out of there says it inside. */
function idOf({ id, manifest: path, messages }: SessionFiles, manifest: Fields, head: Fields): string {
  const named = path !== undefined || messages?.includes(`${id}.messages.json`);
  return (named ? id : undefined) ?? name(manifest.session_id) ?? name(head.sessionId) ?? id;
}

async function childrenOf(
  { children, id }: SessionFiles,
  above: SessionRef | undefined,
  store: Store,
  context: ListContext,
): Promise<Writable[]> {
  const found: Writable[] = [];
  for (const { stem, path } of children) {
    const ref = await unlessUnreadable(context, () =>
      refOf(path, {}, store, context, () => childId(id, stem)),
    );
    if (!ref) continue;
    found.push({
      ...ref,
      ...(above?.cwd !== undefined && { cwd: above.cwd }),
      parent: { id, relation: "subagent" },
    });
  }
  return found;
}

async function refOf(
  path: string,
  manifest: Fields,
  store: Store,
  context: ListContext,
  called: (head: Fields) => string,
): Promise<Writable | undefined> {
  const file = await context.source.open(path);
  try {
    const found = scan(file);
    const id = called(found.head);
    const said = saidIn(file, found, context.signal);
    const cwd = name(manifest.cwd);
    const started = isoTime(manifest.started_at) ?? said.first;
    const created = started ?? new Date(file.mtimeMs).toISOString();
    const updated = said.last ?? isoTime(manifest.ended_at) ?? created;
    const model = said.model ?? modelOf(manifest.provider, manifest.model);
    const version = name(fields(found.head.origin)?.version);
    return {
      harness: store.harness,
      id,
      path,
      files: [fileAt(path, "transcript", store, id, context)],
      ...titleOf(manifest, said.prompt),
      ...(cwd !== undefined && { cwd }),
      createdAt: new Date(created).toISOString(),
      updatedAt: new Date(Math.max(Date.parse(created), Date.parse(updated))).toISOString(),
      ...(started === undefined && { timesInferred: true }),
      size: file.size,
      messages: said.count,
      ...(model !== undefined && { model }),
      ...(version !== undefined && { harnessVersion: version }),
      children: [],
    };
  } finally {
    file.close();
  }
}

interface Said {
  count: number;
  prompt: string | undefined;
  first: string | undefined;
  last: string | undefined;
  model: string | undefined;
}

/** Most messages are only looked at: their bodies stay where they are. */
function saidIn(file: OpenFile, { messages }: Scan, signal: AbortSignal | undefined): Said {
  let count = 0;
  let prompt: string | undefined;
  let first: string | undefined;
  for (const place of messages) {
    signal?.throwIfAborted();
    const talk = talkAt(file, place);
    if (talk === undefined) continue;
    count++;
    if (prompt !== undefined || talk !== "user") continue;
    const message = messageAt(file, place) ?? {};
    first ??= timeOf(message);
    prompt = promptIn(message);
  }
  first ??= timeOf(messages[0] ? (messageAt(file, messages[0]) ?? {}) : {});
  let last: string | undefined;
  let model: string | undefined;
  for (const place of messages.slice(-LAST).reverse()) {
    const message = messageAt(file, place) ?? {};
    last ??= timeOf(message);
    const info = fields(message.modelInfo);
    model ??= modelOf(info?.provider, info?.id);
  }
  return { count, prompt, first, last, model };
}

/** Messages at the end that are asked for time and model. */
const LAST = 20;
const HEAD = 512;
const USUAL = /"role"\s*:\s*"(user|assistant)"\s*,\s*"content"\s*:\s*\[\s*\{\s*"type"\s*:\s*"([a-z_]+)"/;

/** Who says it; undefined for results, and for what is only shown. */
function talkAt(file: OpenFile, place: Place): string | undefined {
  const bytes = Buffer.from(file.read(place.offset, place.length));
  const usual = USUAL.exec(bytes.toString("latin1", 0, HEAD));
  if (usual && !bytes.includes('"displayOnly"')) {
    if (usual[2] === "tool_result") return undefined;
    if (usual[2] === "text" || usual[2] === "image") return usual[1];
    // Behind a thought or a call there may be words.
    return bytes.includes('{"type":"text"') || bytes.includes('"type": "text"') ? usual[1] : undefined;
  }
  const message = messageAt(file, place);
  return message && isTalk(message) ? string(message.role) : undefined;
}

/** The words that stand for a session, if these are words of a person's. */
function promptIn(message: Fields): string | undefined {
  const { injected, display } = ownOf(message);
  if (injected !== undefined) return undefined;
  const line = oneLine(display ?? textsIn(message).map(shownText).join(" "));
  return line === "" ? undefined : line;
}

const TITLE_LENGTH = 120;

/** The program calls a session by its first prompt; a person may call it otherwise. */
function titleOf(manifest: Fields, prompt: string | undefined): Pick<SessionRef, "title" | "titleFrom"> {
  const title = oneLine(string(fields(manifest.metadata)?.title) ?? "");
  const first = oneLine(shownText(string(manifest.prompt) ?? "")) || (prompt ?? "");
  if (title !== "") {
    const begins = (text: string) => text !== "" && first.startsWith(text);
    if (begins(title.replace(/(?:\.\.\.|…)$/, ""))) return { title, titleFrom: "prompt" };
    const forked = title.replace(/ \(fork\)$/, "");
    return { title, titleFrom: forked !== title && (prompt ?? "").startsWith(forked) ? "agent" : "user" };
  }
  if (first === "") return {};
  return {
    title: first.length > TITLE_LENGTH ? `${first.slice(0, TITLE_LENGTH - 1)}…` : first,
    titleFrom: "prompt",
  };
}

export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

export function modelOf(provider: unknown, model: unknown): string | undefined {
  const id = name(model);
  const by = name(provider);
  if (id === undefined || id === UNKNOWN) return undefined;
  return by === undefined || by === UNKNOWN ? id : `${by}/${id}`;
}

/** What the program itself puts where it does not know. */
export const UNKNOWN = "unknown";

function fileAt(
  path: string,
  role: EvidenceFile["role"],
  { root }: Store,
  id: string,
  { environment }: ListContext,
): EvidenceFile {
  const own = relativeIn(root, path, environment);
  const base = pathOf(environment).basename(path);
  return { path, relative: own ?? `${DATA}/${SESSIONS}/${id}/${base}`, role };
}

/** The call that started a subagent: by what we wrote down of it, or by the task that it was given. */
async function nameCalls(ref: Writable, context: ListContext): Promise<void> {
  const tasks = await tasksIn(ref.path, context);
  const children: SessionRef[] = [];
  for (const child of ref.children) {
    const first = await firstOf(child.path, context);
    const place = tasks.findIndex(({ task }) => task !== undefined && task === first?.task);
    const call = first?.call ?? (place === -1 ? undefined : tasks.splice(place, 1)[0]?.id);
    children.push(
      call === undefined
        ? child
        : { ...child, parent: { id: ref.id, relation: "subagent", toolCallId: call } },
    );
  }
  ref.children = children;
}

async function tasksIn(
  path: string,
  context: ListContext,
): Promise<{ id: string; task: string | undefined }[]> {
  const file = await context.source.open(path);
  try {
    const found: { id: string; task: string | undefined }[] = [];
    for (const place of scan(file).messages) {
      if (!Buffer.from(file.read(place.offset, place.length)).includes('"task"')) continue;
      for (const block of blocksIn(messageAt(file, place) ?? {})) {
        const { type, id, input } = fields(block) ?? {};
        if (type === "tool_use" && name(id))
          found.push({ id: id as string, task: string(fields(input)?.task) });
      }
    }
    return found;
  } finally {
    file.close();
  }
}

async function firstOf(
  path: string,
  context: ListContext,
): Promise<{ call?: string; task: string } | undefined> {
  const file = await context.source.open(path);
  try {
    const [place] = scan(file).messages;
    const message = place && messageAt(file, place);
    if (!message) return undefined;
    const { call } = ownOf(message);
    return { task: list(textsIn(message)).join("\n"), ...(call !== undefined && { call }) };
  } finally {
    file.close();
  }
}
