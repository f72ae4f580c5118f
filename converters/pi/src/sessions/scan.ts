/**
 * The tree of a session, from one look over its bytes: an entry's place, id and parent, not its body. The lines
 * that Pi writes begin with type, id and parent; any other form is parsed whole.
 */
import { type Line, lineBatches, type OpenFile, type Piece, piecesOf } from "@asp-convert/core";
import { type Fields, fields, name, number, parsed, string } from "@asp-convert/core/values";

export interface Entry {
  type: string;
  /** Its own, or one made of its place where it has none (version 1). */
  id: string;
  /** undefined: a root. */
  parent: string | undefined;
  /** Of a message. */
  role: string | undefined;
  time: string | undefined;
  offset: number;
  length: number;
}

export interface Scan {
  /** The first record that calls itself a session. */
  header: { meta: Fields; offset: number; length: number } | undefined;
  /** In file order, ids unique: of entries with one id, the first holds the place in the tree. */
  entries: Entry[];
  byId: ReadonlyMap<string, Entry>;
  /** Entries whose id was taken already; Pi breaks on them. */
  doubles: Entry[];
  /** What is no record, and further headers. */
  others: Piece[];
}

const HEAD = 400;
const USUAL =
  /^\{"type":"([a-z_]+)","id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)"),"timestamp":"([^"\\]*)"(?:,"message":\{"role":"([A-Za-z]+)")?/;

export function scan(file: OpenFile, signal?: AbortSignal): Scan {
  const entries: Entry[] = [];
  const byId = new Map<string, Entry>();
  const doubles: Entry[] = [];
  const others: Piece[] = [];
  let header: Scan["header"];
  let linear = false;

  const add = (entry: Entry) => {
    if (byId.has(entry.id)) doubles.push(entry);
    else {
      byId.set(entry.id, entry);
      entries.push(entry);
    }
  };

  for (const batch of lineBatches(file, { signal })) {
    for (const line of batch) {
      const usual =
        header && !linear && isWhole(line) ? USUAL.exec(line.bytes.toString("latin1", 0, HEAD)) : null;
      if (usual) {
        const [, type, id, parent, time, role] = usual as unknown as [
          string,
          string,
          string,
          ...(string | undefined)[],
        ];
        add({ type, id, parent, role, time, offset: line.offset, length: line.length });
        continue;
      }
      for (const piece of piecesOf(line)) {
        const record = piece.ok ? fields(piece.value) : undefined;
        const type = name(record?.type);
        if (!piece.ok || !record || type === undefined || (type === "session" && header)) others.push(piece);
        else if (type === "session") {
          header = { meta: record, offset: piece.offset, length: piece.length };
          linear = (number(record.version) ?? 1) < 2;
        } else {
          const previous = entries.at(-1)?.id;
          add({
            type,
            id: name(record.id) ?? `@${piece.offset}`,
            parent: linear ? previous : name(record.parentId),
            role: string(fields(record.message)?.role),
            time: string(record.timestamp),
            offset: piece.offset,
            length: piece.length,
          });
        }
      }
    }
  }
  return { header, entries, byId, doubles, others };
}

/** A line that is cut, glued to another or holds NULs begins as any other does: only the rest of it tells. */
function isWhole(line: Line): line is Line & { bytes: Buffer } {
  const { bytes, ended } = line;
  return ended && bytes?.at(-1) === 0x7d && !bytes.includes(0) && !bytes.includes('}{"');
}

/** The record of an entry. */
export function recordAt(file: OpenFile, { offset, length }: Pick<Entry, "offset" | "length">): Fields {
  return fields(parsed(Buffer.from(file.read(offset, length)).toString("utf8"))) ?? {};
}

/** From the root to `leaf`; where it begins for want of a parent, and whether the tree runs in a circle there. */
export function pathTo(
  leaf: Entry | undefined,
  byId: ReadonlyMap<string, Entry>,
): { path: Entry[]; broken: boolean } {
  const path: Entry[] = [];
  const seen = new Set<string>();
  let at = leaf;
  let broken = false;
  while (at && !seen.has(at.id)) {
    seen.add(at.id);
    path.push(at);
    const next = at.parent === undefined ? undefined : byId.get(at.parent);
    broken = (at.parent !== undefined && !next) || (next !== undefined && seen.has(next.id));
    at = next;
  }
  return { path: path.reverse(), broken };
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
