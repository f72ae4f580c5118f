/** What the log holds of conversions. Types only: what is read back is checked by `isConversion`. */
import type { EvidenceFile, Relation } from "@asp-convert/core";
import type { Blob } from "../blobs.js";

/** A native file whose bytes are kept. */
export interface FileRecord extends Blob {
  relative: string;
  role: EvidenceFile["role"];
  encoding?: "zstd";
  mode?: number;
  mtimeMs?: number;
}

export interface SessionRecord {
  harness: string;
  id: string;
  /** @see SessionRef.store */
  store?: string;
  title?: string;
  cwd?: string;
  /** Of the transcript, as it was on this machine. */
  path: string;
  files: readonly FileRecord[];
  children: readonly SessionRecord[];
}

/** A session that was made. */
export interface MadeRecord {
  harness: string;
  id: string;
  cwd?: string;
  /** The store it was put into. */
  root: string;
  /** The file it begins. Absent: rows of a database. */
  path?: string;
  /** What was written of that file: as long as it begins with these bytes, nothing of them was changed. */
  written?: { sha256: string; bytes: number };
  copy: number;
  /** In the order of the source's children. */
  children: readonly { id: string; written?: { sha256: string; bytes: number } }[];
}

/** What tells a session from all others. */
export function identityOf({ harness, id, store }: Pick<SessionRecord, "harness" | "id" | "store">): string {
  return [harness, id, ...(store === undefined ? [] : [store])].join("\0");
}

export interface Conversion {
  t: "conversion";
  /** ISO 8601. */
  at: string;
  how: "replayed" | "written" | "returned";
  from: SessionRecord;
  to: MadeRecord;
  /** Digest of the first thing that a person said: a session whose id is not known is looked for by it. */
  opening?: string;
  relation?: Relation;
}

export function isConversion(value: unknown): value is Conversion {
  const record = value as Partial<Conversion> | null;
  return (
    record?.t === "conversion" &&
    typeof record.at === "string" &&
    isSession(record.from) &&
    typeof record.to?.harness === "string" &&
    typeof record.to.id === "string" &&
    Array.isArray(record.to.children)
  );
}

function isSession(value: unknown): value is SessionRecord {
  const session = value as Partial<SessionRecord> | null;
  return (
    typeof session?.harness === "string" &&
    typeof session.id === "string" &&
    Array.isArray(session.files) &&
    session.files.every(isFile) &&
    Array.isArray(session.children) &&
    session.children.every(isSession)
  );
}

const SHA256 = /^[0-9a-f]{64}$/;

function isFile(value: unknown): value is FileRecord {
  const file = value as Partial<FileRecord> | null;
  return (
    typeof file?.relative === "string" &&
    typeof file.size === "number" &&
    typeof file.sha256 === "string" &&
    SHA256.test(file.sha256) &&
    (file.pieces === undefined || file.pieces.every((piece) => SHA256.test(piece)))
  );
}
