/**
 * What stands where in a captured session's log: made from its frames, in memory that grows with their number, not with
 * what they hold. What it was at any earlier frame is in it too.
 */
import type { Frame } from "../log/frame.js";
import {
  type CapturedRecord,
  eventHeadOf,
  type FileNamed,
  type OpenedRecord,
  type StateRecord,
  type StreamNamed,
} from "./records.js";

/** Where a frame lies. */
export interface Place {
  offset: number;
  number: number;
}

/** A native file over time: what was done to it, in order. */
export interface KeptFile extends FileNamed {
  size: number;
  /** How often something of it was replaced. */
  cuts: number;
  changes: readonly FileChange[];
}

export type FileChange = { at: Place; add: number } | { at: Place; to: number };

/** A row of events over time. */
export interface Stream extends StreamNamed {
  /** Of every event ever told. */
  places: Place[];
  digests: number[];
  /** After `told` events in all, only the first `keep` of the row as it was then held on. */
  retold: { told: number; keep: number; number: number }[];
  /** The row as it is now: indexes into `places`. */
  row: number[];
}

export interface Revision extends StateRecord {
  revision: number;
  place: Place;
}

interface MutableFile extends KeptFile {
  changes: FileChange[];
}

export class Model {
  opened: OpenedRecord | undefined;
  readonly files: MutableFile[] = [];
  readonly streams: Stream[] = [];
  readonly revisions: Revision[] = [];
  /** Where the next frame goes. */
  end: Place = { offset: 0, number: 0 };

  /** What names a file or a stream whose own frame is damaged is damaged with it. */
  apply({ payload, offset, number }: Frame, length: number): void {
    const at = { offset, number };
    const head = eventHeadOf(payload);
    if (head) {
      const stream = this.streams[head.stream];
      stream?.row.push(stream.places.push(at) - 1);
      stream?.digests.push(head.digest);
    } else this.#take(JSON.parse(payload.toString("utf8")) as CapturedRecord, at);
    this.end = { offset: offset + length, number: number + 1 };
  }

  #take(record: CapturedRecord, place: Place): void {
    switch (record.t) {
      case "session":
        this.opened = record;
        return;
      case "file":
        this.files[record.file] = { ...record, size: 0, cuts: 0, changes: [] };
        return;
      case "bytes": {
        const file = this.files[record.file];
        if (!file) return;
        const add = sizeOf(record);
        file.changes.push({ at: place, add });
        file.size += add;
        return;
      }
      case "cut": {
        const file = this.files[record.file];
        if (!file) return;
        file.changes.push({ at: place, to: record.to });
        file.size = record.to;
        file.cuts++;
        return;
      }
      case "stream":
        this.streams[record.stream] = { ...record, places: [], digests: [], retold: [], row: [] };
        return;
      case "retold": {
        const stream = this.streams[record.stream];
        if (!stream) return;
        stream.retold.push({ told: stream.places.length, keep: record.keep, number: place.number });
        stream.row.length = Math.min(record.keep, stream.row.length);
        return;
      }
      case "state":
        this.revisions.push({ ...record, revision: this.revisions.length + 1, place });
        return;
      default: // A later version's: what we know of stays right without it.
    }
  }
}

function sizeOf({ text, base64, blob }: CapturedRecord & { t: "bytes" }): number {
  if (text !== undefined) return Buffer.byteLength(text);
  return base64 === undefined ? (blob?.size ?? 0) : Buffer.byteLength(base64, "base64");
}

/** The pieces that a file was made of before frame `number`: which frame holds them, and which bytes of it count. */
export function piecesAt(file: KeptFile, number: number): { at: Place; length: number }[] {
  const pieces: { at: Place; length: number }[] = [];
  let size = 0;
  for (const change of file.changes) {
    if (change.at.number >= number) break;
    if ("add" in change) {
      pieces.push({ at: change.at, length: change.add });
      size += change.add;
      continue;
    }
    for (let over = size - change.to; over > 0; ) {
      const last = pieces.at(-1);
      if (!last) break;
      const off = Math.min(over, last.length);
      over -= off;
      last.length -= off;
      if (last.length === 0) pieces.pop();
    }
    size = change.to;
  }
  return pieces;
}

/** The row as it was before frame `number`: indexes into the stream's events. */
export function rowAt(stream: Stream, number: number): number[] {
  const row: number[] = [];
  let next = 0;
  for (const [index, { number: own }] of stream.places.entries()) {
    if (own >= number) break;
    for (let change = stream.retold[next]; change && change.told <= index; change = stream.retold[++next])
      if (change.number < number) row.length = Math.min(change.keep, row.length);
    row.push(index);
  }
  for (const change of stream.retold.slice(next))
    if (change.number < number) row.length = Math.min(change.keep, row.length);
  return row;
}
