/**
 * The index of a transcript: one pass over its bytes, nothing parsed that is plain. Per record some forty bytes
 * and its uuid are kept, so that its size does not matter.
 */
import { isUtf8 } from "node:buffer";
import { type Line, type OpenFile, piecesOf } from "@asp-convert/core";
import { type Head, headOf } from "./head.js";
import { flag, isChain, kinds } from "./kinds.js";
import { eachLine, type LinePlace } from "./lines-in.js";
import { Scanner } from "./scan.js";
import { Uuids } from "./uuids.js";
import { object } from "./value.js";

/** No parent: the root of a tree. */
export const ROOT = -1;
/** It names a parent that is not in the file. */
export const DANGLING = -2;
/** The record is no assistant's, or has no `message.id`. */
export const NO_GROUP = -1;

export interface LastPrompt {
  /** The chain record it points at. */
  leaf: string;
  explicit: boolean;
  /** Where it stands itself. */
  at: number;
}

/** What the file says of the session as a whole. Numbers are records to be parsed for it. */
export interface Facts {
  sessionId?: string;
  agentId?: string;
  version?: string;
  branch?: string;
  model?: string;
  cwds: Set<string>;
  customTitle?: number;
  aiTitle?: number;
  summary?: number;
  lastPromptText?: number;
}

/** Columns: `offset[i]`, `length[i]` … of record i, in file order. */
export interface Records {
  count: number;
  offset: Float64Array;
  length: Uint32Array;
  kind: Uint8Array;
  flags: Uint16Array;
  /** The parent's record, ROOT or DANGLING. */
  parent: Int32Array;
  /** ms since 1970, NaN where there is none. */
  time: Float64Array;
  /** Assistant records of one `message.id` share a number. */
  group: Int32Array;
  /** The type's name, by its place in `types`. */
  type: Uint16Array;
  types: string[];
  /** uuid → record, the last of that uuid. */
  byUuid: Uuids;
  /** Compaction boundaries in file order, and the record each names as its logical parent. */
  boundaries: number[];
  logicalParent: Map<number, number>;
  lastPrompt: LastPrompt | undefined;
  facts: Facts;
}

export interface IndexOptions {
  maxLine?: number;
  signal?: AbortSignal | undefined;
}

export function indexRecords(file: OpenFile, options: IndexOptions = {}): Records {
  const builder = new Builder();
  eachLine(file, options, builder);
  return builder.done();
}

/** Type names told apart; a hostile file may hold a new one in each record. */
const MOST_TYPES = 1000;

class Builder {
  readonly #scanner = new Scanner();
  readonly #groups = new Map<string, number>();
  readonly #types = new Map<string, number>();
  /** Parents that were not there yet when their child was read. */
  readonly #later: [child: number, parent: string][] = [];
  /** Of the record before: what does not change is not looked at again. */
  #cwd: string | undefined;
  #model: string | undefined;
  readonly #logical: [boundary: number, parent: string][] = [];
  /** A record whose uuid stands in the file again → the next one with it. */
  readonly #replacedBy = new Map<number, number>();
  readonly #records: Records = {
    count: 0,
    offset: new Float64Array(1024),
    length: new Uint32Array(1024),
    kind: new Uint8Array(1024),
    flags: new Uint16Array(1024),
    parent: new Int32Array(1024),
    time: new Float64Array(1024),
    group: new Int32Array(1024),
    type: new Uint16Array(1024),
    types: [],
    byUuid: new Uuids(),
    boundaries: [],
    logicalParent: new Map(),
    lastPrompt: undefined,
    facts: { cwds: new Set() },
  };

  /** A line as bytes and as text of one byte a character, both from the same place on. */
  line(place: LinePlace, bytes: Buffer, text: string | undefined): void {
    const { from, to } = place;
    if (this.#scanner.scan(bytes, text, from, to)) {
      this.#add(
        this.#scanner.head,
        place.offset,
        place.length,
        place.validText || isUtf8(bytes.subarray(from, to)),
      );
    } else
      this.odd({
        number: 0,
        offset: place.offset,
        length: place.length,
        bytes: bytes.subarray(from, to),
        ended: place.ended,
      });
  }

  /** A line that is not plainly one object, or that is too long to be held (then without bytes). */
  odd(line: Line): void {
    for (const piece of piecesOf(line)) {
      const { head } = this.#scanner;
      head.reset();
      if (!piece.ok) {
        head.kind =
          piece.why === "torn-tail"
            ? kinds.torn
            : piece.why === "over-bound"
              ? kinds.overBound
              : kinds.unparsable;
      } else {
        const record = object(piece.value);
        if (record) headOf(record, head);
        else head.kind = kinds.unparsable;
      }
      this.#add(head, piece.offset, piece.length, !(piece.ok && piece.invalidText));
    }
  }

  done(): Records {
    const records = this.#records;
    for (const [child, parent] of this.#later) {
      const at = records.byUuid.get(parent);
      if (at !== undefined) records.parent[child] = at;
    }
    // The children of a record that is there twice are the later one's.
    if (this.#replacedBy.size > 0) {
      for (let i = 0; i < records.count; i++) records.parent[i] = this.#newest(records.parent[i] as number);
    }
    for (const [boundary, parent] of this.#logical) {
      const at = records.byUuid.get(parent);
      if (at !== undefined) records.logicalParent.set(boundary, at);
    }
    return records;
  }

  #add(head: Head, offset: number, length: number, validText: boolean): void {
    const records = this.#records;
    if (records.count === records.kind.length) grow(records);
    const i = records.count++;
    let { kind, flags } = head;
    // Without a uuid it can be neither parent nor leaf; the program passes over it.
    if ((isChain(kind) || kind === kinds.progress) && head.uuidFrom === -1) kind = kinds.other;
    if (!validText) flags |= flag.invalidText;
    records.offset[i] = offset;
    records.length[i] = length;
    records.kind[i] = kind;
    records.flags[i] = flags;
    records.time[i] = head.time;
    records.parent[i] = ROOT;
    records.group[i] = NO_GROUP;
    records.type[i] = this.#typeOf(head.type ?? "untyped");
    if (isChain(kind) || kind === kinds.progress) this.#chain(i, head, kind);
    else if (kind >= kinds.lastPrompt && kind <= kinds.summary) this.#side(i, head, kind);
    if (head.sessionId !== undefined) records.facts.sessionId ??= head.sessionId;
  }

  #typeOf(name: string): number {
    let known = this.#types.get(name);
    if (known === undefined) {
      known = Math.min(this.#types.size, MOST_TYPES);
      if (known < MOST_TYPES) this.#types.set(name, known);
      this.#records.types[known] ??= known < MOST_TYPES ? name : "other";
    }
    return known;
  }

  #chain(i: number, head: Head, kind: number): void {
    const records = this.#records;
    const { facts, byUuid } = records;
    const { bytes, parentFrom, parentTo } = head;
    if (parentFrom !== -1) {
      const parent = byUuid.find(bytes, parentFrom, parentTo);
      records.parent[i] = parent ?? DANGLING;
      if (parent === undefined) this.#later.push([i, bytes.toString("latin1", parentFrom, parentTo)]);
    }
    const before = byUuid.set(bytes, head.uuidFrom, head.uuidTo, i);
    if (before !== undefined) {
      records.flags[before] = (records.flags[before] as number) | flag.replaced;
      this.#replacedBy.set(before, i);
    }
    if (kind === kinds.assistant && head.group !== undefined) {
      let group = this.#groups.get(head.group);
      if (group === undefined) {
        group = this.#groups.size;
        this.#groups.set(head.group, group);
      }
      records.group[i] = group;
    }
    if (head.flags & flag.boundary) {
      records.boundaries.push(i);
      if (head.logicalParent !== undefined) this.#logical.push([i, head.logicalParent]);
    }
    if (head.cwd !== undefined && head.cwd !== this.#cwd) facts.cwds.add(head.cwd);
    this.#cwd = head.cwd;
    if (head.agentId !== undefined) facts.agentId ??= head.agentId;
    if (head.flags & flag.sidechain && facts.version !== undefined) return;
    if (head.version !== undefined) facts.version = head.version;
    if (head.branch !== undefined && head.branch !== "") facts.branch = head.branch;
    if (head.model === undefined || head.model === this.#model) return;
    this.#model = head.model;
    if (!head.model.startsWith("<")) facts.model = head.model;
  }

  #newest(record: number): number {
    let now = record;
    for (let next = this.#replacedBy.get(now); next !== undefined; next = this.#replacedBy.get(now))
      now = next;
    return now;
  }

  #side(i: number, head: Head, kind: number): void {
    const records = this.#records;
    switch (kind) {
      case kinds.lastPrompt:
        if (head.flags & flag.words) records.facts.lastPromptText = i;
        if (head.leaf !== undefined) {
          records.lastPrompt = { leaf: head.leaf, explicit: (head.flags & flag.explicit) !== 0, at: i };
        }
        break;
      case kinds.customTitle:
        records.facts.customTitle = i;
        break;
      case kinds.aiTitle:
        records.facts.aiTitle = i;
        break;
      case kinds.summary:
        records.facts.summary = i;
        break;
    }
  }
}

/** Lets go of what only finding the order needs: uuids, and room for more records. */
export function slimmed(records: Records): Records {
  const { count } = records;
  return {
    ...records,
    offset: records.offset.slice(0, count),
    length: records.length.slice(0, count),
    kind: records.kind.slice(0, count),
    flags: records.flags.slice(0, count),
    parent: records.parent.slice(0, count),
    time: records.time.slice(0, count),
    group: records.group.slice(0, count),
    type: records.type.slice(0, count),
    byUuid: new Uuids(),
  };
}

function grow(records: Records): void {
  const size = records.kind.length * 2;
  records.offset = widened(records.offset, new Float64Array(size));
  records.length = widened(records.length, new Uint32Array(size));
  records.kind = widened(records.kind, new Uint8Array(size));
  records.flags = widened(records.flags, new Uint16Array(size));
  records.parent = widened(records.parent, new Int32Array(size));
  records.time = widened(records.time, new Float64Array(size));
  records.group = widened(records.group, new Int32Array(size));
  records.type = widened(records.type, new Uint16Array(size));
}

function widened<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Has it the words of a person, as far as its bytes tell? */
export function isPrompt(records: Records, i: number): boolean {
  const flags = records.flags[i] as number;
  if (records.kind[i] === kinds.attachment) return (flags & flag.queued) !== 0;
  return (
    records.kind[i] === kinds.user &&
    (flags & flag.prompt) !== 0 &&
    (flags & (flag.result | flag.meta | flag.summary)) === 0
  );
}
