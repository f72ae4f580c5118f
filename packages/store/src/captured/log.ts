/**
 * The log of one captured session: what its files and its events were, at every state it was seen in. Read at any time;
 * written by one process at a time, which takes in first what others wrote.
 */
import {
  digest,
  type Envelope,
  holdFolder,
  materialize,
  type SessionEvent,
  type SessionRef,
  type Snapshot,
  type Source,
  sealer,
  sessionId,
} from "@asp-convert/core";
import type { Blob, Blobs } from "../blobs.js";
import { type Fault, HEAD, readFrame, scanFrames } from "../log/frame.js";
import { DamagedLogError, LogWriter } from "../log/log-file.js";
import { type KeptFile, Model, type Place, piecesAt, type Revision, rowAt, type Stream } from "./model.js";
import type { BytesRecord, EventRecord, SeenSession } from "./records.js";
import { CapturedWriter, OWN_BLOB } from "./writer.js";

/** How long a write waits for another one to the same session, in ms. */
const PATIENCE = 30_000;

/** Its file's name: no native id is one everywhere. */
export function capturedName({ harness, id, store }: Pick<SessionRef, "harness" | "id" | "store">): string {
  return `${digest(harness, id, ...(store === undefined ? [] : [store]))}.aspf`;
}

export class CapturedLog {
  readonly path: string;
  readonly name: string;
  readonly #root: string;
  readonly #source: Source;
  readonly #blobs: Blobs;
  #model = new Model();

  /** @param root the log's folder; @param name as `capturedName` makes it. */
  constructor(root: string, name: string, source: Source, blobs: Blobs) {
    this.#root = root;
    this.name = name;
    this.path = `${root}/sessions/${name}`;
    this.#source = source;
    this.#blobs = blobs;
  }

  /** As of the last `refresh` or `write`. */
  get model(): Readonly<Model> {
    return this.#model;
  }

  /**
   * Takes in what others wrote. A torn end is passed over.
   * @param onFault else damage is thrown. @throws DamagedLogError
   */
  async refresh(onFault?: (fault: Fault) => void): Promise<Readonly<Model>> {
    const info = await this.#source.stat(this.path);
    if (!info || info.size < this.#model.end.offset) this.#model = new Model();
    if (!info || info.size === this.#model.end.offset) return this.#model;
    const file = await this.#source.open(this.path);
    try {
      for (const scanned of scanFrames(file, this.#model.end)) {
        if ("frame" in scanned) this.#model.apply(scanned.frame, HEAD + scanned.frame.payload.length);
        else if (onFault) onFault(scanned.fault);
        else if (scanned.fault.kind === "damaged") throw new DamagedLogError(this.path, scanned.fault);
      }
    } finally {
      file.close();
    }
    return this.#model;
  }

  /** Whatever `task` wrote is durable when this resolves. @throws BusyError, DamagedLogError, WriteError */
  async write<T>(task: (writer: CapturedWriter, model: Readonly<Model>) => Promise<T> | T): Promise<T> {
    const lock = await holdFolder(this.#root, PATIENCE, undefined, this.path);
    try {
      const info = await this.#source.stat(this.path);
      if ((info?.size ?? 0) < this.#model.end.offset) this.#model = new Model();
      const model = this.#model;
      const writer = await LogWriter.open(this.path, this.#source, {
        from: model.end,
        onFrame: (frame) => model.apply(frame, HEAD + frame.payload.length),
      });
      try {
        const done = await task(new CapturedWriter(model, writer, this.#blobs), model);
        await writer.commit();
        return done;
      } catch (error) {
        // What was told half is not what stands on the disk.
        this.#model = new Model();
        throw error;
      } finally {
        writer.close();
      }
    } finally {
      lock.release();
    }
  }

  /** The bytes of a file as they were before frame `number` (all there are: leave it out). @throws BlobError */
  content(file: KeptFile, number: number = this.#model.end.number): AsyncGenerator<Uint8Array> {
    return this.read(piecesAt(file, number));
  }

  /** @param pieces as `piecesAt` gives them. @throws BlobError */
  async *read(pieces: readonly { at: Place; length: number }[]): AsyncGenerator<Uint8Array> {
    const frames = await this.#source.open(this.path);
    try {
      for (const { at, length } of pieces) {
        const record = this.#record(frames, at) as BytesRecord;
        let left = length;
        for await (const bytes of this.#bytesOf(record)) {
          yield left < bytes.length ? bytes.subarray(0, left) : bytes;
          left -= Math.min(left, bytes.length);
          if (left === 0) break;
        }
      }
    } finally {
      frames.close();
    }
  }

  /** The blobs that its bytes, those of all times, lie in. */
  async *blobsOf(file: KeptFile): AsyncGenerator<Blob> {
    const frames = await this.#source.open(this.path);
    try {
      for (const change of file.changes) {
        if (!("add" in change) || change.add < OWN_BLOB) continue;
        const { blob } = this.#record(frames, change.at) as BytesRecord;
        if (blob) yield blob;
      }
    } finally {
      frames.close();
    }
  }

  async *#bytesOf({ text, base64, blob }: BytesRecord): AsyncGenerator<Uint8Array> {
    if (text !== undefined) yield Buffer.from(text);
    else if (base64 !== undefined) yield Buffer.from(base64, "base64");
    else if (blob) yield* this.#blobs.read(blob);
  }

  /** @throws DamagedLogError */
  #record(frames: Parameters<typeof readFrame>[0], { offset, number }: Place): unknown {
    const payload = readFrame(frames, { offset, number });
    if (payload) return JSON.parse(payload.toString("utf8"));
    throw new DamagedLogError(this.path, { kind: "damaged", offset, length: HEAD, frame: number, frames: 1 });
  }

  /** The events of a session as one teller told them, at a revision, in order. */
  async *events(revision: Revision, stream: Stream): AsyncGenerator<SessionEvent> {
    for await (const { event } of this.#told(revision, stream)) yield event;
  }

  async *#told(revision: Revision, stream: Stream): AsyncGenerator<{ event: SessionEvent; place: Place }> {
    const frames = await this.#source.open(this.path);
    try {
      for (const index of rowAt(stream, revision.place.number)) {
        const place = stream.places[index] as Place;
        yield { event: (this.#record(frames, place) as EventRecord).event, place };
      }
    } finally {
      frames.close();
    }
  }

  /**
   * Everything that was told of a session up to a revision, by everybody, sealed: L1 of the program's own store, L2
   * of what an agent said while it ran. An event points at its bytes as they lay when it was first told.
   * @param id a subagent's; absent: the session itself.
   */
  async *envelopes(revision: Revision, id: string = revision.session.id): AsyncGenerator<Envelope> {
    const { revisions, streams, opened } = this.#model;
    const seen = inSeen(revision.session, id);
    if (!seen || !opened) return;
    const blobsIn = revisions.map(({ session, place }) => ({
      before: place.number,
      blobs: inSeen(session, id)?.files.map(({ sha256 }) => sha256) ?? [],
    }));
    // A session that still grows has no last bytes to be known by.
    const canonical = sessionId(opened.harness, id, opened.store ?? "");
    for (const adapter of new Set(seen.streams.map(({ stream }) => streams[stream]?.adapter))) {
      let blobs: readonly string[] = [];
      const rows = seen.streams.flatMap(({ stream }) => streams[stream] ?? []);
      const own = rows.filter((row) => row.adapter === adapter);
      const [first] = own;
      if (!first) continue;
      const seal = sealer({
        sessionId: canonical,
        adapter: first.adapter,
        layer: first.layer,
        get blobs() {
          return blobs;
        },
      });
      for (const row of own) {
        for await (const { event, place } of this.#told(revision, row)) {
          blobs = blobsIn.find(({ before }) => before > place.number)?.blobs ?? [];
          yield seal(event);
        }
      }
    }
  }

  /** What the session was at a revision; made anew each time. */
  snapshot(revision: Revision, id?: string): Promise<Snapshot> {
    return materialize(this.envelopes(revision, id));
  }
}

export function inSeen(session: SeenSession, id: string): SeenSession | undefined {
  if (session.id === id) return session;
  for (const child of session.children) {
    const found = inSeen(child, id);
    if (found) return found;
  }
  return undefined;
}
