/**
 * A session's own bytes in another store of Pi. Under its own id every byte stays; as a copy, or for another
 * working directory, only the header changes, and in a subagent's session whose it is.
 */
import {
  below,
  blocksOf,
  lineBatches,
  type OpenFile,
  type Piece,
  piecesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { type Fields, fields, isoTime } from "@asp-convert/core/values";
import { isProjectFolder, SESSIONS, sessionPath } from "../layout.js";
import { FORMAT } from "../version.js";
import { movedBelow } from "./provenance.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const isMoved = target.copy > 0 || !isIn(ref, target.cwd);
  return plan(ref, files, target, isMoved ? { above: undefined } : undefined);
}

/** Is all of it in this folder already? */
function isIn(ref: SessionRef, cwd: string | undefined): boolean {
  return cwd === undefined || (ref.cwd === cwd && ref.children.every((child) => isIn(child, cwd)));
}

async function plan(
  ref: SessionRef,
  files: Source,
  target: Target,
  move: { above: string | undefined } | undefined,
): Promise<SessionPlan> {
  const [transcript] = ref.files;
  if (!transcript) throw new Error(`session ${ref.id} names no file`);
  const created = isoTime(ref.createdAt) ?? "1970-01-01T00:00:00.000Z";
  const cwd = target.cwd ?? ref.cwd;
  const seed = `pi copy ${move?.above ?? ""} ${ref.id} ${target.copy} ${target.cwd ?? ""}`;
  const id = move ? timedUuidFrom(Date.parse(created), seed) : ref.id;
  const [top, folder] = transcript.relative.split("/");
  const isPlaced = top === SESSIONS && isProjectFolder(folder ?? "");
  const relative = !move && isPlaced ? transcript.relative : sessionPath(cwd ?? "", created, id);
  const info = await files.stat(transcript.path);
  const changes = move && { id, above: move.above, ...(cwd !== undefined && { cwd }) };
  const children: SessionPlan[] = [];
  for (const child of ref.children) children.push(await plan(child, files, target, move && { above: id }));
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [
      {
        do: "create",
        path: below(target.root, relative, target.environment),
        content: () => bytes(transcript.path, files, changes),
        mtimeMs: () => info?.mtimeMs,
      },
    ],
    children,
  };
}

interface Changes {
  id: string;
  cwd?: string;
  /** The session that this one is a subagent's of. */
  above: string | undefined;
}

async function* bytes(path: string, files: Source, changes: Changes | undefined): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    let at = 0;
    if (changes) {
      const { head, end } = changedHead(file, changes);
      yield head;
      at = end;
    }
    yield* blocksOf(file, at);
  } finally {
    file.close();
  }
}

/** What the file begins with instead of its bytes up to `end`. */
function changedHead(file: OpenFile, { id, cwd, above }: Changes): { head: Buffer; end: number } {
  const parts: (Uint8Array | string)[] = [];
  let end = 0;
  const change = ({ offset, length }: Piece, record: Fields) => {
    parts.push(file.read(end, offset - end), JSON.stringify(record));
    end = offset + length;
  };
  const [first, second] = firstRecords(file);
  if (first?.record.type === "session") {
    change(first.piece, { ...first.record, id, ...(cwd !== undefined && { cwd }) });
    if (second && above !== undefined) change(second.piece, movedBelow(second.record, above));
  } else {
    // Pi takes no file without a header.
    const header = { type: "session", version: FORMAT, id, ...(cwd !== undefined && { cwd }) };
    parts.push(`${JSON.stringify(header)}\n`);
  }
  return { head: Buffer.concat(parts.map((part) => Buffer.from(part))), end };
}

/** The header, and the entry that says whose the session is. */
function firstRecords(file: OpenFile): { piece: Piece; record: Fields }[] {
  const found: { piece: Piece; record: Fields }[] = [];
  for (const batch of lineBatches(file)) {
    for (const piece of batch.flatMap((line) => piecesOf(line))) {
      const record = piece.ok ? fields(piece.value) : undefined;
      if (record) found.push({ piece, record });
      if (found.length === 2) return found;
    }
  }
  return found;
}
