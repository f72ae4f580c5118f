/** NDJSON of ACP messages → sessions. A line that is no message of a session is kept as what it is. */
import {
  countOf,
  event,
  type ListContext,
  lineBatches,
  type Origin,
  pathOf,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  type Source,
  type Store,
} from "@asp-convert/core";
import { type Fields, fields, list, string } from "@asp-convert/core/values";
import { acpMethods } from "../methods.js";
import { blockOf } from "../projection/content.js";
import { updateReader } from "../projection/from-updates.js";
import { unknown } from "../projection/observed.js";

/** A message of the file, or a stretch of bytes that is none. */
interface Said {
  value: Fields | undefined;
  offset: number;
  length: number;
}

async function* messages(path: string, source: Source): AsyncGenerator<Said> {
  const file = await source.open(path);
  try {
    for (const batch of lineBatches(file))
      for (const line of batch)
        for (const piece of piecesOf(line)) {
          const { offset, length } = piece;
          yield { value: piece.ok ? fields(piece.value) : undefined, offset, length };
        }
  } finally {
    file.close();
  }
}

interface Head {
  harness: string;
  cwd: string | undefined;
  title: string | undefined;
  messages: number;
  times: string[];
}

export async function* listSessions(
  { root }: Store,
  { source, environment }: ListContext,
): AsyncGenerator<SessionRef> {
  const isFile = (await source.stat(root))?.kind === "file";
  const { join, basename } = pathOf(environment);
  const folders = isFile ? [] : [root, join(root, "acp")];
  const paths = isFile ? [root] : [];
  for (const folder of folders)
    for (const { name } of await source.readDir(folder))
      if (name.endsWith(".ndjson")) paths.push(join(folder, name));
  for (const path of paths) {
    const size = (await source.stat(path))?.size ?? 0;
    for (const [id, { harness, cwd, title, messages, times }] of await headsIn(path, source)) {
      const [createdAt] = times;
      yield {
        ...{ harness, id, path, size, messages, children: [] },
        // No transcript: the program's own bytes are not in it.
        files: [
          {
            path,
            relative: isFile ? basename(path) : path.slice(root.length + 1).replaceAll("\\", "/"),
            role: "companion",
          },
        ],
        ...(title !== undefined && { title }),
        ...(cwd !== undefined && { cwd }),
        ...(createdAt !== undefined && { createdAt, updatedAt: times.at(-1) ?? createdAt }),
      };
    }
  }
}

/** The sessions of a file, each with what is told of it as a whole. */
async function headsIn(path: string, source: Source): Promise<Map<string, Head>> {
  const heads = new Map<string, Head>();
  const readers = new Map<string, ReturnType<typeof sessionReader>>();
  const asked: Asked = new Map();
  const take = (head: Head, events: readonly SessionEvent[]): void => {
    for (const each of events) {
      head.messages += countOf(each).messages;
      if (each.time !== undefined) head.times.splice(head.times.length > 0 ? 1 : 0, 1, each.time);
      if (each.type !== "session.started" && each.type !== "session.bound") continue;
      const { title, cwd } = each.payload;
      head.title = title ?? head.title;
      head.cwd = cwd ?? head.cwd;
    }
  };
  for await (const { value } of messages(path, source)) {
    if (!value) continue;
    const id = sessionOf(value, asked);
    if (id === undefined) continue;
    const head = heads.get(id) ?? {
      harness: "acp",
      cwd: undefined,
      title: undefined,
      messages: 0,
      times: [],
    };
    heads.set(id, head);
    const harness = string(fields(fields(fields(value.params)?._meta)?.asp)?.harness);
    if (harness !== undefined) head.harness = harness;
    const cwd = string(asked.get(value.id)?.cwd);
    if (cwd !== undefined) head.cwd = cwd;
    const reader = readers.get(id) ?? sessionReader();
    readers.set(id, reader);
    take(head, reader.push(value, { record: 0, file: 0, offset: 0, length: 0 }));
  }
  for (const [id, head] of heads) take(head, readers.get(id)?.end() ?? []);
  return heads;
}

/** Requests whose answer says which session they made, by id. */
type Asked = Map<unknown, Fields>;

/** The session that a message is of; undefined: of none, or of the connection as a whole. */
function sessionOf(value: Fields, asked: Asked): string | undefined {
  const { method, id, params, result } = value;
  const own = string(fields(params)?.sessionId) ?? string(value.sessionId);
  if (method === acpMethods.newSession && id !== undefined) asked.set(id, fields(params) ?? {});
  if (own !== undefined) return own;
  if (value.sessionUpdate !== undefined) return "session";
  return asked.has(id) ? string(fields(result)?.sessionId) : undefined;
}

/** The messages of one session → its events. */
function sessionReader() {
  const updates = updateReader();
  let prompts = 0;
  return {
    push(value: Fields, origin: Origin): SessionEvent[] {
      const { method, params } = value;
      const given = fields(params) ?? {};
      if (method === acpMethods.prompt) {
        const blocks = list(given.prompt).map((each) => blockOf(each).block);
        const messageId = string(given.messageId) ?? `prompt-${prompts++}`;
        const said = event(
          "message.completed",
          { messageId, role: "user", blocks },
          { nativeId: messageId, origin: [origin] },
        );
        return [...updates.end(), said];
      }
      const update =
        method === acpMethods.update
          ? given.update
          : (value.update ?? (value.sessionUpdate === undefined ? undefined : value));
      if (update !== undefined) return updates.push(update, origin);
      return [unknown(`acp.${string(method) ?? "answer"}`, value, [origin])];
    },
    end: () => updates.end(),
  };
}

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const reader = sessionReader();
  const asked: Asked = new Map();
  let begun = false;
  const begin = (first: SessionEvent | undefined): SessionEvent[] => {
    if (begun) return [];
    begun = true;
    if (first?.type === "session.started") return [];
    const { id, cwd, title } = ref;
    const payload = {
      nativeSessionId: id,
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && { title }),
    };
    return [event("session.started", payload, { origin: [] })];
  };
  for await (const { value, offset, length } of messages(ref.path, source)) {
    signal?.throwIfAborted();
    const id = value && sessionOf(value, asked);
    if (id !== undefined && id !== ref.id) continue;
    const origin = { record: ledger.record(), file: 0, offset, length };
    const events = !value
      ? [unknown("acp.line", undefined, [origin], "unparsable")]
      : id === undefined
        ? [unknown(`acp.${string(value.method) ?? "answer"}`, value, [origin])]
        : reader.push(value, origin);
    if (events.length > 0) yield* begin(events[0]);
    yield* events;
  }
  const last = reader.end();
  yield* begin(last[0]);
  yield* last;
}
