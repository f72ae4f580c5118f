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
import { checkCaptured, piecesNeeded } from "./captured/check.js";
import type { StateRecord } from "./captured/records.js";
import { summaries } from "./captured/summary.js";
import { encodeFrame, type Fault } from "./log/frame.js";
import { readLog } from "./log/log-file.js";
import type { SessionLog } from "./session-log.js";
import { EVIDENCE, evidenceSource } from "./trail/evidence.js";
import { type FileRecord, identityOf, isConversion, type SessionRecord } from "./trail/records.js";
import { kept, refIn } from "./trail/sessions.js";

/** A session as it was when it was converted, or seen by a capture. */
export interface Revision {
  /** Of this session in this log, from 1. */
  revision: number;
  /** ISO 8601. */
  at: string;
  why: "converted" | StateRecord["why"];
  session: SessionRecord;
  /** Bytes of all its files. */
  size: number;
  /** Whose reader its files are for, where that is not the session's own harness. */
  adapter?: string;
  /** Where a capture kept it. */
  captured?: { name: string; revision: number };
}

/** Every state of every session that is kept, oldest first. One that was kept twice is told once. */
export async function revisions(log: SessionLog): Promise<Revision[]> {
  const all: Omit<Revision, "revision" | "size">[] = [];
  for await (const { at, from } of log.conversions()) all.push({ at, why: "converted", session: from });
  for (const [name, states] of await summaries(log))
    for (const { at, why, session, adapter, revision } of states)
      all.push({
        ...{ at, why, session, captured: { name, revision } },
        ...(adapter !== session.harness && { adapter }),
      });
  all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const found: Revision[] = [];
  const last = new Map<string, Revision>();
  for (const state of all) {
    const { session } = state;
    const key = identityOf(session);
    const before = last.get(key);
    if (before && state.why !== "gone" && sameFiles(before.session, session)) continue;
    const size = filesOf(session).reduce((sum, file) => sum + file.size, 0);
    const revision = { ...state, revision: (before?.revision ?? 0) + 1, size };
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

/** @param converter of its harness, or its `adapter`. @returns undefined: some of its bytes are gone. */
export async function openKept(
  log: SessionLog,
  { session, captured }: Revision,
  converter: Converter,
  environment: Environment,
): Promise<KeptSession | undefined> {
  const found = captured
    ? await openCaptured(log, session, captured, converter, environment)
    : await kept(log, session, converter, environment);
  if (!found) return undefined;
  const of = (path: string): Source => (isInside(path, EVIDENCE, "linux") ? found.source : log.source);
  return {
    ref: found.ref,
    store: { harness: converter.id, root: EVIDENCE },
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

async function openCaptured(
  log: SessionLog,
  session: SessionRecord,
  { name, revision }: NonNullable<Revision["captured"]>,
  converter: Converter,
  environment: Environment,
): Promise<{ ref: SessionRef; source: Source } | undefined> {
  const own = log.capturedIn(name);
  const { files, revisions } = await own.refresh();
  const number = revisions[revision - 1]?.place.number;
  const source = evidenceSource(session, (file) => {
    const named = files.find(({ relative }) => relative === file.relative);
    if (!named) throw new Error(`${own.path}: no file ${file.relative}`);
    return own.content(named, number);
  });
  const ref = await refIn(converter, session.id, EVIDENCE, source, environment);
  return ref && { ref, source };
}

export interface LogCheck {
  frames: number;
  /** `path`: in which file of the log. */
  faults: readonly (Fault & { path: string })[];
  /** Kept files that cannot be had any more, each with what is wrong. */
  broken: readonly { session: string; file: string; problem: string }[];
  sessions: number;
  /** Bytes of the kept files. */
  bytes: number;
}

/** Reads all of a log again: every frame, every kept byte. */
export async function checkLog(log: SessionLog): Promise<LogCheck> {
  const faults: (Fault & { path: string })[] = [];
  const broken: LogCheck["broken"][number][] = [];
  const files = new Map<string, { file: FileRecord; session: string }>();
  const sessions = new Set<string>();
  let frames = 0;
  for await (const { value } of readLog(log.lineagePath, log.source, (fault) =>
    faults.push({ ...fault, path: log.lineagePath }),
  )) {
    frames++;
    if (!isConversion(value)) continue;
    sessions.add(identityOf(value.from));
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
  for (const captured of await log.allCaptured()) {
    const found = await checkCaptured(captured);
    frames += found.frames;
    bytes += found.bytes;
    if (found.session) sessions.add(identityOf(found.session));
    faults.push(...found.faults.map((fault) => ({ ...fault, path: captured.path })));
    broken.push(...found.broken);
  }
  return { frames, faults, broken, sessions: sessions.size, bytes };
}

/** Pieces younger than this may belong to a conversion that is under way, in ms. */
const YOUNG = 60 * 60 * 1000;

/**
 * Removes bytes that nothing names.
 * @param before ms since 1970: conversions from before are forgotten, and sessions that no capture has seen since.
 * @returns what was forgotten and freed.
 */
export async function collect(
  log: SessionLog,
  before = 0,
  now: number = Date.now(),
): Promise<{ conversions: number; sessions: number; pieces: number; bytes: number }> {
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
    let sessions = 0;
    let pieces = 0;
    let bytes = 0;
    for (const captured of await log.allCaptured()) {
      const info = await log.source.stat(captured.path);
      if (info && info.mtimeMs >= before) {
        for (const name of await piecesNeeded(captured)) needed.add(name);
        continue;
      }
      removeFiles([captured.path]);
      sessions++;
      bytes += info?.size ?? 0;
    }
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
    return { conversions, sessions, pieces, bytes };
  } finally {
    lock.release();
  }
}
