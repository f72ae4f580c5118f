/**
 * What a captured session's log holds: `sessions/<name>.aspf`, one frame each, in this order of meaning: bytes of native
 * files (L0), the events that a converter reads in them (L1) or that an agent told while it ran (L2), and marks.
 */
import type { EvidenceFile, Layer, SessionEvent } from "@asp-convert/core";
import type { Blob } from "../blobs.js";

/** The first frame. */
export interface OpenedRecord {
  t: "session";
  v: 1;
  harness: string;
  /** The native session id. */
  id: string;
  /** @see SessionRef.store */
  store?: string;
  /** ISO 8601. */
  at: string;
}

/** Names a native file. */
export interface FileNamed extends Pick<EvidenceFile, "relative" | "role" | "encoding"> {
  t: "file";
  /** From 0, in the order of these frames. */
  file: number;
  /** Native id of the session, this one or a subagent's, whose file it is. */
  of: string;
}

/** Bytes at a file's end. One of the three is there. */
export interface BytesRecord {
  t: "bytes";
  file: number;
  text?: string;
  base64?: string;
  blob?: Blob;
}

/** The file is as before up to here, and goes on otherwise: it was rewritten, or replaced. */
export interface CutRecord {
  t: "cut";
  file: number;
  to: number;
}

/** Names a row of events. */
export interface StreamNamed {
  t: "stream";
  /** From 0, in the order of these frames. */
  stream: number;
  /** Native id of the session that they are of. */
  of: string;
  layer: Layer;
  /** Who tells: a converter, or `acp`. */
  adapter: string;
  /** Events of branches that were left come after all others, whenever they are told. */
  branches: boolean;
}

export interface EventRecord {
  t: "event";
  stream: number;
  /** Digest of what the event says, its place in the source apart. */
  digest: number;
  event: SessionEvent;
}

/** Of the events told so far only the first `keep` still hold: what follows is told instead of the others. */
export interface RetoldRecord {
  t: "retold";
  stream: number;
  keep: number;
}

/**
 * A state that the session was seen in: a revision, numbered from 1 in their order. `first`; `grew`: nothing of
 * the one before is gone; `rewritten`: something is, and lies in that one only; `gone`: the program has it no more.
 */
export interface StateRecord {
  t: "state";
  /** ISO 8601. */
  at: string;
  why: "first" | "grew" | "rewritten" | "gone";
  session: SeenSession;
}

export interface SeenSession {
  id: string;
  title?: string;
  cwd?: string;
  /** Of the transcript on this machine. */
  path?: string;
  files: readonly SeenFile[];
  /** How many events of which rows: the session as it was told then. */
  streams: readonly { stream: number; length: number }[];
  children: readonly SeenSession[];
}

export interface SeenFile {
  file: number;
  size: number;
  sha256: string;
  mode?: number;
  mtimeMs?: number;
}

export type CapturedRecord =
  | OpenedRecord
  | FileNamed
  | BytesRecord
  | CutRecord
  | StreamNamed
  | EventRecord
  | RetoldRecord
  | StateRecord;

/** Events are many, and are looked at only when asked for: the rest of this payload is one. */
export function eventHead(stream: number, digest: number): string {
  return `{"t":"event","stream":${stream},"digest":${digest},"event":`;
}

const EVENT_HEAD = /^\{"t":"event","stream":(\d+),"digest":(\d+),"event":/;
const EVENT_HEAD_LONGEST = 80;

/** undefined: it is a record of another kind. */
export function eventHeadOf(payload: Buffer): { stream: number; digest: number } | undefined {
  const found = EVENT_HEAD.exec(payload.toString("latin1", 0, Math.min(EVENT_HEAD_LONGEST, payload.length)));
  return found ? { stream: Number(found[1]), digest: Number(found[2]) } : undefined;
}
