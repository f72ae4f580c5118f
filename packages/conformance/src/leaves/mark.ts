/** Puts a unique marker into leaves, so that the way of each can be followed. */
import { recordsIn } from "../shapes/lines.js";
import { kindOf, type LeafPath, mapLeaves, patternOf } from "./walk.js";

/** Twelve letters and digits: no encoding changes them, and base64 stays in step. */
export const MARKER = /zq\d{8}qz/g;

const markerOf = (number: number) => `zq${String(number).padStart(8, "0")}qz`;

/** Where in a leaf the marker goes. Texts are told by their beginning or their end, hence the choice. */
export const placements = ["end", "middle", "start"] as const;
export type Placement = (typeof placements)[number];

/** One leaf that was marked. */
export interface Marked {
  marker: string;
  /** The transcript it stands in. */
  file: string;
  /** Of its line; in a document, its own. */
  offset: number;
  /** Record kind and path pattern: leaves of one sort are treated alike. */
  sort: string;
  pattern: string;
}

/** Sort of leaf → where to mark it; what is not in it stays as it is. */
export type Marking = ReadonlyMap<string, Placement>;

export function sortOf(kind: string, path: LeafPath): string {
  return `${kind} ${patternOf(path)}`;
}

/** @returns the marked bytes, and what was marked where. Numbers go on from `first`. */
export function mark(
  file: string,
  bytes: Uint8Array,
  marking: Marking,
  first: number,
): { bytes: Buffer; marked: Marked[] } {
  const marked: Marked[] = [];
  const out: Buffer[] = [];
  // A document is one record, and a leaf's place in it tells which of its parts it is of.
  const records = recordsIn(bytes);
  const isDocument = records.length === 1;
  let offset = 0;
  for (const line of records) {
    const record = parsed(line);
    const from = marked.length;
    let made = line;
    if (record !== undefined) {
      const kind = kindOf(record);
      const changed = mapLeaves(record, (leaf, path) => {
        const sort = sortOf(kind, path);
        const placement = marking.get(sort);
        if (!placement || isFixed(leaf)) return leaf;
        const marker = markerOf(first + marked.length);
        marked.push({ marker, file, offset, sort, pattern: patternOf(path) });
        return place(leaf, marker, placement);
      });
      made = Buffer.from(JSON.stringify(changed));
      if (isDocument) for (const leaf of marked.slice(from)) leaf.offset = made.indexOf(leaf.marker);
    }
    out.push(made, NEWLINE);
    offset += made.length + 1;
  }
  return { bytes: Buffer.concat(out), marked };
}

const NEWLINE = Buffer.from("\n");

/** Every sort of leaf in a file that could be marked. */
export function sortsIn(bytes: Uint8Array): Map<string, string> {
  const sorts = new Map<string, string>();
  for (const line of recordsIn(bytes)) {
    const record = parsed(line);
    if (record === undefined) continue;
    const kind = kindOf(record);
    mapLeaves(record, (leaf, path) => {
      if (!isFixed(leaf)) sorts.set(sortOf(kind, path), patternOf(path));
      return leaf;
    });
  }
  return sorts;
}

const UUID = /^(urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** As JSON has it, or as SQLite does. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;

/** Ids and times are no content; an empty text says nothing. */
function isFixed(leaf: string): boolean {
  return leaf.trim() === "" || UUID.test(leaf) || TIME.test(leaf);
}

function place(leaf: string, marker: string, placement: Placement): string {
  const data = /^data:[^,]*;base64,/.exec(leaf)?.[0];
  if (data !== undefined) return data + marker + leaf.slice(data.length);
  if (leaf.length >= 16 && leaf.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(leaf)) return marker + leaf;
  if (placement === "end") return leaf + marker;
  if (placement === "start") return marker + leaf;
  // A surrogate pair must not be cut.
  const half = Math.floor(leaf.length / 2);
  const at = /[\udc00-\udfff]/.test(leaf.charAt(half)) ? half + 1 : half;
  return leaf.slice(0, at) + marker + leaf.slice(at);
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
