/** A session's records in order, whatever store they lie in: rows of a database, the old JSON tree, an export. */
import {
  type EvidenceFile,
  lineBatches,
  type OpenFile,
  type Origin,
  piecesOf,
  type ReadContext,
  type SessionRef,
  type Source,
} from "@asp-convert/core";
import { fields, number, parsed, string } from "../json.js";
import { type Row, rowFrom } from "./line.js";
import { spansOf } from "./span.js";

/** `row` absent: bytes that are no record; `why` then says what they are. */
export interface Located {
  origin: Omit<Origin, "record">;
  row?: Row;
  why?: "unparsable" | "torn-tail" | "over-bound";
  invalidText?: boolean;
}

type Context = Pick<ReadContext, "source" | "signal">;

/**
 * @param needle only records whose bytes hold this text (and all that must be parsed to find out).
 */
export function recordsOf(ref: SessionRef, context: Context, needle?: string): AsyncGenerator<Located> {
  const [first] = ref.files;
  if (!first) return none();
  if (ref.files.length > 1 || isTreePath(first.relative)) return treeRecords(ref.files, context, needle);
  return first.path.endsWith(".jsonl")
    ? rowRecords(first, context, needle)
    : exportRecords(first, context, needle);
}

async function* none(): AsyncGenerator<Located> {}

export function isTreePath(relative: string): boolean {
  return relative.startsWith("storage/session/");
}

async function* rowRecords(
  evidence: EvidenceFile,
  { source, signal }: Context,
  needle?: string,
): AsyncGenerator<Located> {
  const file = await source.open(evidence.path);
  try {
    for (const batch of lineBatches(file, { signal })) {
      for (const line of batch) {
        if (needle !== undefined && line.bytes && !line.bytes.includes(needle)) continue;
        for (const piece of piecesOf(line)) {
          const origin = { file: 0, offset: piece.offset, length: piece.length };
          if (!piece.ok) {
            yield { origin, why: piece.why };
            continue;
          }
          const row = rowFrom(piece.value, () => undefined);
          yield {
            origin,
            ...(row ? { row } : { why: "unparsable" }),
            ...(piece.invalidText && { invalidText: true }),
          };
        }
      }
    }
  } finally {
    file.close();
  }
}

/** One file, one record. The order of files is that of the list: session, todos, messages with their parts. */
async function* treeRecords(
  files: readonly EvidenceFile[],
  { source, signal }: Context,
  needle?: string,
): AsyncGenerator<Located> {
  for (const [index, { path, relative }] of files.entries()) {
    signal?.throwIfAborted();
    const bytes = await source.readFile(path, Number.MAX_SAFE_INTEGER);
    if (!bytes) continue;
    const text = Buffer.from(bytes).toString("utf8");
    if (needle !== undefined && !text.includes(needle)) continue;
    const origin = { file: index, offset: 0, length: bytes.length };
    const value = parsed(text);
    const kind = /^storage\/(session|message|part|todo)\//.exec(relative)?.[1];
    if (kind === "todo" && Array.isArray(value)) {
      yield { origin, row: { table: "todo", columns: {}, text, data: { todos: value } } };
      continue;
    }
    const data = fields(value);
    yield data && kind ? { origin, row: rowOfInfo(kind, data, text) } : { origin, why: "unparsable" };
  }
}

const EXPORTED = new Map([
  ["info", "session"],
  ["messages.info", "message"],
  ["messages.parts", "part"],
]);

async function* exportRecords(
  evidence: EvidenceFile,
  { source, signal }: Context,
  needle?: string,
): AsyncGenerator<Located> {
  const file = await source.open(evidence.path);
  try {
    const spans = spansOf(file, new Set(EXPORTED.keys()));
    let end = 0;
    for (;;) {
      signal?.throwIfAborted();
      const next = spans.next();
      if (next.done) {
        const last = Math.max(end, next.value);
        if (last < file.size && !isBlank(file, last)) {
          yield { origin: { file: 0, offset: last, length: file.size - last }, why: "torn-tail" };
        }
        return;
      }
      const { path, offset, length } = next.value;
      end = offset + length;
      const text = Buffer.from(file.read(offset, length)).toString("utf8");
      if (needle !== undefined && !text.includes(needle)) continue;
      const origin = { file: 0, offset, length };
      const data = fields(parsed(text));
      yield data
        ? { origin, row: rowOfInfo(EXPORTED.get(path) ?? path, data, text) }
        : { origin, why: "unparsable" };
    }
  } finally {
    file.close();
  }
}

/** What is left of a whole document after its last record: brackets and white space. */
function isBlank(file: OpenFile, from: number): boolean {
  return /^[\s\]}]*$/.test(Buffer.from(file.read(from, 64 * 1024)).toString("utf8"));
}

/** A record as it stands outside a database, its ids among its other keys, as a row. */
function rowOfInfo(table: string, data: Readonly<Record<string, unknown>>, text: string): Row {
  const time = fields(data.time);
  const columns: Record<string, unknown> = {};
  const id = string(data.id);
  if (id !== undefined) columns.id = id;
  const created = number(time?.created);
  if (table !== "part" && created !== undefined) columns.time_created = created;
  for (const [column, key] of [
    ["session_id", "sessionID"],
    ["message_id", "messageID"],
  ] as const) {
    const value = string(data[key]);
    if (value !== undefined) columns[column] = value;
  }
  return { table, columns, text, data };
}

/** The evidence of one session in the old JSON tree: every file it lies in. */
export async function treeFiles(
  source: Source,
  join: (...parts: string[]) => string,
  root: string,
  project: string,
  session: string,
): Promise<{ files: EvidenceFile[]; size: number; messages: number }> {
  const files: EvidenceFile[] = [];
  let size = 0;
  const add = async (role: EvidenceFile["role"], ...names: string[]): Promise<boolean> => {
    const path = join(root, ...names);
    const info = await source.stat(path);
    if (info?.kind !== "file") return false;
    files.push({ path, relative: names.join("/"), role });
    size += info.size;
    return true;
  };
  await add("transcript", "storage", "session", project, `${session}.json`);
  await add("companion", "storage", "todo", `${session}.json`);
  let messages = 0;
  for (const message of await jsonNames(source, join(root, "storage", "message", session))) {
    if (!(await add("companion", "storage", "message", session, message))) continue;
    messages++;
    const id = message.slice(0, -".json".length);
    for (const part of await jsonNames(source, join(root, "storage", "part", id)))
      await add("companion", "storage", "part", id, part);
  }
  return { files, size, messages };
}

/** Names of JSON files in a folder, by name: ids sort by time. */
export async function jsonNames(source: Source, folder: string): Promise<string[]> {
  return (await source.readDir(folder)).map(({ name }) => name).filter((name) => name.endsWith(".json"));
}
