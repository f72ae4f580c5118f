/** What lies in a log: the sessions whose bytes are kept, whether they are whole, and what nobody needs any more. */
import {
  type Converter,
  type Environment,
  holdFolder,
  isInside,
  putFile,
  removeFiles,
  type SessionRef,
  type Source,
} from "@asp-convert/core";
import { BlobError, piecesOf } from "./blobs.js";
import { encodeFrame, type Fault } from "./log/frame.js";
import { readLog } from "./log/log-file.js";
import type { SessionLog } from "./session-log.js";
import { EVIDENCE } from "./trail/evidence.js";
import { type FileRecord, isConversion, type SessionRecord } from "./trail/records.js";
import { kept } from "./trail/sessions.js";

/** A session as it was when it was converted. */
export interface Revision {
  /** Of this session in this log, from 1. */
  revision: number;
  /** ISO 8601. */
  at: string;
  session: SessionRecord;
  /** Bytes of all its files. */
  size: number;
}

/** Every state of every session that is kept, oldest first. A state that was kept twice is one. */
export async function revisions(log: SessionLog): Promise<Revision[]> {
  const found: Revision[] = [];
  const last = new Map<string, Revision>();
  for await (const { at, from } of log.conversions()) {
    const key = `${from.harness}\0${from.id}`;
    const before = last.get(key);
    if (before && sameFiles(before.session, from)) continue;
    const size = filesOf(from).reduce((sum, file) => sum + file.size, 0);
    const revision = { revision: (before?.revision ?? 0) + 1, at, session: from, size };
    last.set(key, revision);
    found.push(revision);
  }
  return found;
}

function sameFiles(a: SessionRecord, b: SessionRecord): boolean {
  const sums = (session: SessionRecord) =>
    filesOf(session).map(({ relative, sha256 }) => `${relative} ${sha256}`);
  return sums(a).join("\n") === sums(b).join("\n");
}

function filesOf({ files, children }: SessionRecord): FileRecord[] {
  return [...files, ...children.flatMap(filesOf)];
}

/** A session that is kept, as a converter reads it: what a conversion is asked for. */
export interface KeptSession {
  ref: SessionRef;
  store: { harness: string; root: string };
  /** The kept bytes at their place, the machine's files everywhere else. */
  source: Source;
}

/** undefined: some of its bytes are gone. */
export async function openKept(
  log: SessionLog,
  session: SessionRecord,
  converter: Converter,
  environment: Environment,
): Promise<KeptSession | undefined> {
  const found = await kept(log, session, converter, environment);
  if (!found) return undefined;
  const of = (path: string): Source => (isInside(path, EVIDENCE, "linux") ? found.source : log.source);
  return {
    ref: found.ref,
    store: { harness: session.harness, root: EVIDENCE },
    source: {
      stat: (path) => of(path).stat(path),
      readDir: (path) => of(path).readDir(path),
      realPath: (path) => of(path).realPath(path),
      readFile: (path, most) => of(path).readFile(path, most),
      open: (path) => of(path).open(path),
      openDatabase: (path) => of(path).openDatabase(path),
    },
  };
}

export interface LogCheck {
  frames: number;
  faults: readonly Fault[];
  /** Kept files that cannot be had any more, each with what is wrong. */
  broken: readonly { session: string; file: string; problem: string }[];
  sessions: number;
  /** Bytes of the kept files. */
  bytes: number;
}

/** Reads all of a log again: every frame, every kept byte. */
export async function checkLog(log: SessionLog): Promise<LogCheck> {
  const faults: Fault[] = [];
  const broken: LogCheck["broken"][number][] = [];
  const files = new Map<string, { file: FileRecord; session: string }>();
  const sessions = new Set<string>();
  let frames = 0;
  for await (const { value } of readLog(log.lineagePath, log.source, (fault) => faults.push(fault))) {
    frames++;
    if (!isConversion(value)) continue;
    sessions.add(`${value.from.harness} ${value.from.id}`);
    for (const file of filesOf(value.from)) files.set(file.sha256, { file, session: value.from.id });
  }
  let bytes = 0;
  for (const { file, session } of files.values()) {
    try {
      for await (const part of log.blobs.read(file)) bytes += part.length;
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      broken.push({ session, file: file.relative, problem: error.message });
    }
  }
  return { frames, faults, broken, sessions: sessions.size, bytes };
}

/** Pieces younger than this may belong to a conversion that is under way, in ms. */
const YOUNG = 60 * 60 * 1000;

/**
 * Removes bytes that no conversion names.
 * @param before ms since 1970: conversions from before are forgotten. @returns what was forgotten and freed.
 */
export async function collect(
  log: SessionLog,
  before = 0,
  now: number = Date.now(),
): Promise<{ conversions: number; pieces: number; bytes: number }> {
  const lock = await holdFolder(log.root, 0);
  try {
    const needed = new Set<string>();
    const frames: Uint8Array[] = [];
    let conversions = 0;
    let number = 0;
    for await (const { value } of readLog(log.lineagePath, log.source)) {
      if (isConversion(value) && Date.parse(value.at) < before) {
        conversions++;
        continue;
      }
      frames.push(...encodeFrame(number++, Buffer.from(JSON.stringify(value))));
      if (isConversion(value))
        for (const file of filesOf(value.from)) for (const name of piecesOf(file)) needed.add(name);
    }
    if (conversions > 0) await putFile(log.lineagePath, Buffer.concat(frames), "replace");
    let pieces = 0;
    let bytes = 0;
    for (const { name: folder } of await log.source.readDir(`${log.root}/blobs`)) {
      for (const { name } of await log.source.readDir(`${log.root}/blobs/${folder}`)) {
        const path = `${log.root}/blobs/${folder}/${name}`;
        const info = await log.source.stat(path);
        if (needed.has(name) || !info || (before === 0 && now - info.mtimeMs < YOUNG)) continue;
        removeFiles([path]);
        pieces++;
        bytes += info.size;
      }
    }
    return { conversions, pieces, bytes };
  } finally {
    lock.release();
  }
}
