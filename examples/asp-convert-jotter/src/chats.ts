/** The chats of an export: what a list shows of them, and their lines as events. */
import {
  documentParts,
  documentTail,
  event,
  type ListContext,
  type OpenFile,
  type Origin,
  pathOf,
  pieceAt,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  type Slice,
  type Slices,
  type Store,
  slicesOf,
  startedOf,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, list, number, oneLine, string } from "@asp-convert/core/values";

export const EXPORT = "jotter-export.json";

type About = Pick<SessionRef, "title" | "titleFrom" | "cwd" | "createdAt" | "updatedAt" | "messages">;
type Place = Pick<Slice<About>, "offset" | "length">;

/** Each chat as a file of its own: its bytes are the session's evidence. */
export function chatsIn({ root }: Store): Slices<About> {
  return slicesOf({ root, extension: ".json", slices, one: (file) => chatAt(file, whole(file)) });
}

function* slices(file: OpenFile): Generator<Slice<About>> {
  for (const place of documentParts(file, ["chats"]).objects) {
    const chat = chatAt(file, place);
    if (chat) yield { ...chat, offset: place.offset, length: place.length };
  }
}

const whole = ({ size }: OpenFile): Place => ({ offset: 0, length: size });

function chatAt(file: OpenFile, place: Place): { id: string; about: About } | undefined {
  const piece = pieceAt(file, place);
  const chat = piece.ok ? fields(piece.value) : undefined;
  const id = number(chat?.id);
  if (!chat || id === undefined) return undefined;
  const lines = list(chat.lines).map(fields);
  const times = [chat.started, ...lines.map((line) => line?.when)]
    .flatMap((time) => isoTime(time) ?? [])
    .sort();
  const [createdAt, updatedAt] = [times[0], times.at(-1)];
  const title = oneLine(string(chat.name));
  const cwd = string(chat.dir);
  const about = {
    ...(title !== "" && { title, titleFrom: "user" as const }),
    ...(cwd !== undefined && { cwd }),
    ...(createdAt !== undefined && updatedAt !== undefined && { createdAt, updatedAt }),
    messages: lines.filter((line) => roleOf(line) !== undefined).length,
  };
  return { id: String(id), about };
}

export async function* listChats(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const { join, relative } = pathOf(context.environment);
  for (const { id, path, length, about } of await chatsIn(store).of(
    store.focus ?? join(store.root, EXPORT),
    context,
  ))
    yield {
      harness: "jotter",
      id,
      // Chats are numbered: every export has a first one.
      store: store.root,
      path,
      files: [{ path, relative: relative(store.root, path).replaceAll("\\", "/"), role: "transcript" }],
      ...about,
      ...(about.createdAt === undefined && { timesInferred: true }),
      size: length,
      children: [],
    };
}

/** The chat around its lines is a record, and each line is one. Lines are read one by one: a chat may be larger than memory. */
export async function* readChat(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  const record = ({ offset, length }: Place): Origin => ({
    record: ledger.record(),
    file: 0,
    offset,
    length,
  });
  try {
    const time = ref.createdAt === undefined ? {} : { time: ref.createdAt };
    yield event("session.started", startedOf(ref), {
      nativeId: ref.id,
      ...time,
      origin: [record(whole(file))],
    });
    const { objects, cut } = documentParts(file, ["lines"]);
    for (const place of objects) {
      signal?.throwIfAborted();
      const origin = record(place);
      const piece = pieceAt(file, place);
      if (piece.ok && piece.invalidText)
        ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin.record);
      yield* eventsOf((piece.ok && fields(piece.value)) || {}, origin);
    }
    const tail = documentTail(file, cut);
    if (tail) yield unread("raw", "raw", tail.why, record(tail));
  } finally {
    file.close();
  }
}

/** A line without an id goes by its place. One that ran something is a message with a call, and the call's result. */
function* eventsOf(line: Fields, origin: Origin): Generator<SessionEvent> {
  const [role, text, ran, model] = [roleOf(line), string(line.text), fields(line.ran), string(line.model)];
  if (role === undefined || text === undefined) {
    yield unread(string(line.who) ?? "line", "side-records", "not-supported", origin);
    return;
  }
  const nativeId = `at ${origin.offset}`;
  const time = isoTime(line.when);
  const rest = { nativeId, origin: [origin], ...(time !== undefined && { time }) };
  const call = {
    type: "tool-call" as const,
    toolCallId: nativeId,
    name: "shell",
    arguments: { command: ran?.cmd },
  };
  const blocks = [{ type: "text" as const, text }, ...(ran ? [call] : [])];
  yield event(
    "message.completed",
    { messageId: nativeId, role, blocks, ...(model !== undefined && { model }) },
    rest,
  );
  if (!ran) return;
  const result = [{ type: "text" as const, text: string(ran.out) ?? "" }];
  yield event("tool.completed", { toolCallId: nativeId, result, isError: ran.failed === true }, rest);
}

function roleOf(line: Fields | undefined): "user" | "assistant" | undefined {
  return line?.who === "me" ? "user" : line?.who === "bot" ? "assistant" : undefined;
}

/** What we do not read: its bytes are in `origin`, and `axis` says what it would have been. */
function unread(type: string, axis: string, reason: string, origin: Origin): SessionEvent {
  return event("unknown.observed", { nativeType: `jotter.${type}`, axis, reason }, { origin: [origin] });
}
