/**
 * The tree of a session, from one look over its bytes: an entry's place, id and parent, not its body. The lines
 * that Pi writes begin with type, id and parent; any other form is parsed whole.
 */
import { type Line, lineBatches, type OpenFile, type Piece, piecesOf } from "@asp-convert/core";
import {
  type Fields,
  fields,
  isMoment,
  isoTime,
  list,
  name,
  number,
  parsed,
  string,
} from "@asp-convert/core/values";

export interface Entry {
  type: string;
  /** Its own, or one made of its place where it has none (version 1). */
  id: string;
  /** undefined: a root. */
  parent: string | undefined;
  /** Of a message. */
  role: string | undefined;
  /** Milliseconds. */
  time: number | undefined;
  /** Of an answer: it has words, and is no thought or call alone. */
  hasWords: boolean;
  offset: number;
  length: number;
}

interface Head {
  meta: Fields;
  offset: number;
  length: number;
}

export interface Scan {
  /** The first record that calls itself a session. */
  header: Head | undefined;
  /** What Oh My Pi has before it. */
  title: Head | undefined;
  /** In file order, ids unique. */
  entries: Entry[];
  byId: ReadonlyMap<string, Entry>;
  /** Entries whose id another one holds in the tree: the last one, as in Pi. */
  doubles: Entry[];
  /** What is no record, and further headers. */
  others: Piece[];
}

const HEAD = 400;
/** The beginning of a line as Pi writes it; ids that are not plain ASCII are read by the parser. */
const USUAL =
  /^\{"type":"([a-z_]+)","id":"([\x20-\x21\x23-\x5b\x5d-\x7e]+)","parentId":(?:null|"([\x20-\x21\x23-\x5b\x5d-\x7e]+)"),"timestamp":"([^"\\]*)"(?:,"message":\{"role":"([A-Za-z]+)")?/;
const PARENT = Buffer.from('"parentId":');
const WORDS = Buffer.from('{"type":"text","text":');

export function scan(file: OpenFile, signal?: AbortSignal): Scan {
  const builder = new TreeBuilder();
  for (const batch of lineBatches(file, { signal })) {
    for (const line of batch) {
      const usual = builder.linear ? undefined : usualEntry(line);
      if (usual) builder.add(usual);
      else for (const piece of piecesOf(line)) builder.piece(piece);
    }
  }
  return builder.end();
}

class TreeBuilder {
  /** No header yet, or one of version 1: entries follow one another and have no ids. */
  linear = true;
  #header: Scan["header"];
  #title: Scan["title"];
  readonly #all: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  readonly #others: Piece[] = [];
  #last: string | undefined;

  add(entry: Entry): void {
    this.#all.push(entry);
    this.#last = entry.id;
    const before = this.#byId.get(entry.id);
    // Its own parent: Pi goes round in circles on it and never comes up.
    if (!before || entry.parent !== entry.id) this.#byId.set(entry.id, entry);
  }

  piece(piece: Piece): void {
    const record = piece.ok ? fields(piece.value) : undefined;
    const type = name(record?.type);
    if (!record || type === undefined || (type === "session" && this.#header)) {
      this.#others.push(piece);
      return;
    }
    const { offset, length } = piece;
    if (type === "title" && !this.#header && this.#all.length === 0) {
      this.#title = { meta: record, offset, length };
      return;
    }
    if (type === "session") {
      this.#header = { meta: record, offset, length };
      this.linear = (number(record.version) ?? 1) < 2;
      return;
    }
    // Before any header, entries are what they say they are.
    const bare = this.linear && (this.#header !== undefined || name(record.id) === undefined);
    this.add({
      type,
      id: (bare ? undefined : name(record.id)) ?? `@${offset}`,
      // Without an id of its own it can only be meant to follow; Pi would lose all that was before it.
      parent: bare || name(record.id) === undefined ? this.#last : name(record.parentId),
      role: string(fields(record.message)?.role),
      time: timeOf(record.timestamp),
      hasWords: list(fields(record.message)?.content).some((part) => {
        const { type, text } = fields(part) ?? {};
        return type === "text" && string(text)?.trim() !== "";
      }),
      offset,
      length,
    });
  }

  end(): Scan {
    const byId = this.#byId;
    const entries = this.#all.filter((entry) => byId.get(entry.id) === entry);
    const doubles =
      entries.length === this.#all.length ? [] : this.#all.filter((entry) => byId.get(entry.id) !== entry);
    return { header: this.#header, title: this.#title, entries, byId, doubles, others: this.#others };
  }
}

/** Milliseconds, from what a record has for a time: text, or milliseconds too. */
export function timeOf(value: unknown): number | undefined {
  const ms = number(value) ?? Date.parse(isoTime(value) ?? "");
  return isMoment(ms) ? ms : undefined;
}

/** ISO 8601, in UTC. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The entry of a line that is just as Pi writes it; undefined for any other line. */
function usualEntry({ bytes, ended, offset, length }: Line): Entry | undefined {
  if (!bytes || !ended || bytes.at(-1) !== 0x7d) return undefined;
  const usual = USUAL.exec(bytes.toString("latin1", 0, HEAD));
  if (!usual) return undefined;
  const [head, type, id, parent, time, role] = usual;
  if (type === undefined || id === undefined || (type === "message" && role === undefined)) return undefined;
  if (type === "session") return undefined;
  // A line that holds a second record, after a whole or a cut one, or NULs, begins as any other does.
  if (bytes.indexOf(PARENT, head.length) !== -1 || bytes.includes(0)) return undefined;
  return {
    type: shared(type),
    id: copyOf(id),
    parent: parent === undefined ? undefined : copyOf(parent),
    role: role === undefined ? undefined : shared(role),
    time: timeOf(time),
    hasWords: bytes.includes(WORDS),
    offset,
    length,
  };
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

/** The record of an entry. */
export function recordAt(file: OpenFile, { offset, length }: Pick<Entry, "offset" | "length">): Fields {
  return recordIn(file.read(offset, length));
}

export function recordIn(bytes: Uint8Array): Fields {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return fields(parsed(text)) ?? {};
}

export interface Path {
  /** From its root to the leaf. */
  path: Entry[];
  /** Ids of entries whose parent is not there, or below them: they were joined to the entry before them. */
  bridged: string[];
}

/**
 * The way to `leaf`. Where a parent is missing, Pi forgets all that was before; here it goes on with the entry
 * that stands before in the file, for a lost line is no reason to lose the talk.
 */
export function pathTo(leaf: Entry | undefined, { entries, byId }: Pick<Scan, "entries" | "byId">): Path {
  const path: Entry[] = [];
  const bridged: string[] = [];
  const seen = new Set<string>();
  let places: ReadonlyMap<string, number> | undefined;
  for (let at = leaf; at; ) {
    seen.add(at.id);
    path.push(at);
    if (at.parent === undefined) break;
    let next = byId.get(at.parent);
    if (!next || seen.has(next.id)) {
      places ??= new Map(entries.map(({ id }, place) => [id, place]));
      bridged.push(at.id);
      let place = (places.get(at.id) ?? 0) - 1;
      while (place >= 0 && seen.has(entries[place]?.id ?? "")) place--;
      next = entries[place];
    }
    at = next;
  }
  return { path: path.reverse(), bridged };
}

/** The lines that no path from the last line reaches, by the leaf they lead to: each entry once. */
export function sideBranches(scan: Scan, path: readonly Entry[]): Entry[][] {
  const taken = new Set(path.map(({ id }) => id));
  const parents = new Set(scan.entries.flatMap(({ parent }) => parent ?? []));
  const branches: Entry[][] = [];
  const collect = (leaf: Entry) => {
    const branch: Entry[] = [];
    for (
      let at: Entry | undefined = leaf;
      at && !taken.has(at.id);
      at = at.parent ? scan.byId.get(at.parent) : undefined
    ) {
      taken.add(at.id);
      branch.push(at);
    }
    if (branch.length > 0) branches.push(branch.reverse());
  };
  for (const entry of scan.entries) if (!parents.has(entry.id)) collect(entry);
  // Only circles are left now: nothing leads out of them.
  for (const entry of scan.entries) collect(entry);
  return branches;
}
