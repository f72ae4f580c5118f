/**
 * The records of a session and how they follow one another, from one look over its bytes. Each names the one before
 * it; the talk is what leads to the last of them. The bodies stay where they are.
 */
import { type Line, lineBatches, type OpenFile, type Piece, piecesOf } from "@asp-convert/core";
import { type Fields, fields, isoTime, name, parsed, string } from "@asp-convert/core/values";

export interface Place {
  offset: number;
  length: number;
}

export interface Entry extends Place {
  id: string;
  /** undefined: it is the first. */
  parent: string | undefined;
  type: string;
  subtype: string | undefined;
  /** Milliseconds. */
  time: number | undefined;
  /** Further records of this id, as pairs of offset and length: the program takes them for more of the same message. */
  more?: number[];
}

export interface Scan {
  /** In file order, ids unique. */
  entries: Entry[];
  byId: ReadonlyMap<string, Entry>;
  /** What is no record. */
  others: Piece[];
}

const HEAD = 500;
const USUAL =
  /^\{"uuid":"([\x20-\x21\x23-\x5b\x5d-\x7e]+)","parentUuid":(?:null|"([\x20-\x21\x23-\x5b\x5d-\x7e]+)"),"sessionId":"[^"\\]*","timestamp":"([^"\\]*)","type":"([a-z_]+)"(?:,"provenance":"[^"\\]*")?(?:,"cwd":"[^"\\]*")?(?:,"version":"[^"\\]*")?(?:,"gitBranch":"[^"\\]*")?,"(?:subtype":"([a-z_]+)"|message":|model":)/;
const SUBTYPE = Buffer.from('"subtype":"');
const ID = Buffer.from('{"uuid":"');

export function scan(file: OpenFile, signal?: AbortSignal): Scan {
  const entries: Entry[] = [];
  const byId = new Map<string, Entry>();
  const others: Piece[] = [];
  const add = (entry: Entry) => {
    const before = byId.get(entry.id);
    if (before) {
      before.more ??= [];
      before.more.push(entry.offset, entry.length);
      return;
    }
    byId.set(entry.id, entry);
    entries.push(entry);
  };
  for (const batch of lineBatches(file, { signal })) {
    for (const line of batch) {
      const usual = usualEntry(line, byId);
      if (usual) add(usual);
      else
        for (const piece of piecesOf(line)) {
          const entry = entryOf(piece);
          if (entry) add(entry);
          else others.push(piece);
        }
    }
  }
  return { entries, byId, others };
}

function entryOf(piece: Piece): Entry | undefined {
  const record = piece.ok ? fields(piece.value) : undefined;
  const id = name(record?.uuid);
  const type = string(record?.type);
  if (!record || id === undefined || type === undefined) return undefined;
  return {
    id,
    parent: name(record.parentUuid),
    type,
    subtype: name(record.subtype),
    time: timeOf(record.timestamp),
    offset: piece.offset,
    length: piece.length,
  };
}

/** The entry of a line that is just as the program writes it; undefined for any other line. */
function usualEntry(
  { bytes, ended, offset, length }: Line,
  byId: ReadonlyMap<string, Entry>,
): Entry | undefined {
  if (!bytes || !ended || bytes.at(-1) !== 0x7d) return undefined;
  const usual = USUAL.exec(bytes.toString("latin1", 0, HEAD));
  // A line that holds a second record, after a whole or a cut one, or NULs, begins as any other does.
  if (!usual || bytes.indexOf(ID, 1) !== -1 || bytes.includes(0)) return undefined;
  const [, id = "", parent, time, type = "", subtype] = usual;
  // The program writes it before the message; another writer may not.
  if (subtype === undefined && bytes.includes(SUBTYPE)) return undefined;
  return {
    id: copyOf(id),
    // What is before it has that name already.
    parent: parent === undefined ? undefined : (byId.get(parent)?.id ?? copyOf(parent)),
    type: shared(type),
    subtype: subtype === undefined ? undefined : shared(subtype),
    time: timeOf(time),
    offset,
    length,
  };
}

/** The records of an entry, one after the other: each is told by itself, as one that follows the first. */
export function* versionsOf({ more = [], ...entry }: Entry): Generator<Entry> {
  yield entry;
  for (let i = 0; i < more.length; i += 2) {
    const offset = more[i] as number;
    yield { ...entry, id: `${entry.id}@${offset}`, offset, length: more[i + 1] as number };
  }
}

/** Something that a person or the model said, or what a tool answered. */
export function isTalk({ type }: Entry): boolean {
  return type === "user" || type === "assistant" || type === "tool_result";
}

/**
 * The way to the last record. Where the one before is not there, the program forgets all that was before it; here it
 * goes on with what stands before it in the file, for a lost line is no reason to lose the talk.
 */
export function pathOfTalk(
  { entries, byId }: Scan,
  leaf = entries.at(-1),
): { path: Entry[]; bridged: Entry[] } {
  const path: Entry[] = [];
  const bridged: Entry[] = [];
  const seen = new Set<Entry>();
  let place = leaf ? entries.indexOf(leaf) : -1;
  for (let at: Entry | undefined = leaf; at; ) {
    seen.add(at);
    path.push(at);
    const { parent }: Entry = at;
    if (parent === undefined) break;
    let next = byId.get(parent);
    if (!next || seen.has(next)) {
      bridged.push(at);
      place = entries.indexOf(at);
      do next = entries[--place];
      while (next && seen.has(next));
    }
    at = next;
  }
  return { path: path.reverse(), bridged };
}

/** What no way from the last record reaches: by the leaf that it leads to where something is said on it, else apart. */
export function asideOf(
  { entries, byId }: Scan,
  path: readonly Entry[],
): { branches: Entry[][]; apart: Entry[] } {
  if (path.length === entries.length) return { branches: [], apart: [] };
  const taken = new Set(path);
  const parents = new Set(entries.flatMap(({ parent }) => parent ?? []));
  const branches: Entry[][] = [];
  const apart: Entry[] = [];
  const collect = (leaf: Entry) => {
    const branch: Entry[] = [];
    for (
      let at: Entry | undefined = leaf;
      at && !taken.has(at);
      at = at.parent ? byId.get(at.parent) : undefined
    ) {
      taken.add(at);
      branch.push(at);
    }
    if (branch.some(isTalk)) branches.push(branch.reverse());
    else apart.push(...branch.reverse());
  };
  for (const entry of entries) if (!parents.has(entry.id)) collect(entry);
  // Only circles are left now: nothing leads out of them.
  for (const entry of entries) collect(entry);
  return { branches, apart };
}

/** Milliseconds; undefined for what is no time. */
export function timeOf(value: unknown): number | undefined {
  const ms = Date.parse(isoTime(value) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

export function recordAt(file: OpenFile, { offset, length }: Place): Fields {
  return recordIn(file.read(offset, length));
}

export function recordIn(bytes: Uint8Array): Fields {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return fields(parsed(text.replace(/^\uFEFF/, ""))) ?? {};
}

/** A part of a text keeps the whole of it in memory: what stays is copied. */
function copyOf(part: string): string {
  return Buffer.from(part, "latin1").toString("latin1");
}

/** The few names that come again and again, each once. */
const names = new Map<string, string>();

function shared(part: string): string {
  const known = names.get(part);
  if (known !== undefined) return known;
  const own = copyOf(part);
  if (names.size < 64) names.set(own, own);
  return own;
}
