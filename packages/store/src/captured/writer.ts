/** Writes to a captured session's log. Whoever has one holds the log's lock. */
import { isUtf8 } from "node:buffer";
import type { SessionEvent, SessionRef } from "@asp-convert/core";
import type { Blobs } from "../blobs.js";
import { HEAD } from "../log/frame.js";
import type { LogWriter } from "../log/log-file.js";
import { digestOf } from "./digest.js";
import type { Model } from "./model.js";
import {
  type CapturedRecord,
  eventHead,
  type FileNamed,
  type StateRecord,
  type StreamNamed,
} from "./records.js";

/** Growth from this size on is kept as a blob, in bytes: packed, and once where it comes again. */
export const OWN_BLOB = 64 * 1024;
/** Bytes of a file in one frame. */
const PIECE = 4 * 1024 * 1024;

type Readable = { read(offset: number, length: number): Uint8Array };

export class CapturedWriter {
  readonly #model: Model;
  readonly #writer: LogWriter;
  readonly #blobs: Blobs;

  constructor(model: Model, writer: LogWriter, blobs: Blobs) {
    this.#model = model;
    this.#writer = writer;
    this.#blobs = blobs;
  }

  open({ harness, id, store }: Pick<SessionRef, "harness" | "id" | "store">, at: string): void {
    if (!this.#model.opened)
      this.#append({ t: "session", v: 1, harness, id, ...(store !== undefined && { store }), at });
  }

  /** The number of a file; it is named if it is new. */
  file({ of, relative, role, encoding }: Omit<FileNamed, "t" | "file">): number {
    const { files } = this.#model;
    const known = files.findIndex((each) => each.of === of && each.relative === relative);
    if (known !== -1) return known;
    const file = files.length;
    this.#append({ t: "file", file, of, relative, role, ...(encoding && { encoding }) });
    return file;
  }

  /** Bytes `from` to `to` of `source` are the file's next ones. Durable with the next commit. */
  async grow(file: number, source: Readable, from: number, to: number): Promise<void> {
    for (let at = from; at < to; ) {
      const bytes = source.read(at, Math.min(PIECE, to - at));
      if (bytes.length === 0) return;
      at += bytes.length;
      await this.add(file, bytes);
    }
  }

  async add(file: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length >= OWN_BLOB) {
      const blob = await this.#blobs.put({ size: bytes.length, read: (at, n) => bytes.subarray(at, at + n) });
      this.#append({ t: "bytes", file, blob });
    } else if (isUtf8(bytes)) this.#append({ t: "bytes", file, text: Buffer.from(bytes).toString("utf8") });
    else this.#append({ t: "bytes", file, base64: Buffer.from(bytes).toString("base64") });
  }

  cut(file: number, to: number): void {
    this.#append({ t: "cut", file, to });
  }

  /**
   * The events of a session as they are told now. What was told before and is told again the same way is not written
   * again. @returns which rows they stand in, and whether any that stood there does no more.
   */
  async tell(
    teller: Pick<StreamNamed, "of" | "layer" | "adapter">,
    events: AsyncIterable<SessionEvent>,
  ): Promise<{ streams: { stream: number; length: number }[]; retold: boolean }> {
    const rows = [this.#stream({ ...teller, branches: false }), this.#stream({ ...teller, branches: true })];
    const told = [0, 0];
    let retold = false;
    const keepOnly = (which: 0 | 1): void => {
      const [stream = 0, keep = 0] = [rows[which], told[which]];
      if (keep >= (this.#model.streams[stream]?.row.length ?? 0)) return;
      this.#append({ t: "retold", stream, keep });
      if (which === 0) retold = true;
    };
    for await (const event of events) {
      const which = event.branch === undefined ? 0 : 1;
      const stream = rows[which] ?? 0;
      const { row, digests } = this.#model.streams[stream] as Model["streams"][number];
      const at = told[which] ?? 0;
      const digest = digestOf(event);
      if (at >= row.length || digests[row[at] as number] !== digest) {
        keepOnly(which);
        this.#put(Buffer.from(`${eventHead(stream, digest)}${JSON.stringify(event)}}`));
      }
      told[which] = at + 1;
    }
    keepOnly(0);
    keepOnly(1);
    return { streams: rows.map((stream, which) => ({ stream, length: told[which] ?? 0 })), retold };
  }

  #stream(named: Omit<StreamNamed, "t" | "stream">): number {
    const { of, layer, adapter, branches } = named;
    const { streams } = this.#model;
    const known = streams.findIndex(
      (each) =>
        each.of === of && each.layer === layer && each.adapter === adapter && each.branches === branches,
    );
    if (known !== -1) return known;
    const stream = streams.length;
    this.#append({ t: "stream", stream, of, layer, adapter, branches });
    return stream;
  }

  /** What was written can be read from now on; it is durable with the next commit. */
  flush(): void {
    this.#writer.flush();
  }

  state(state: Omit<StateRecord, "t">): void {
    this.#append({ t: "state", ...state });
  }

  #append(record: CapturedRecord): void {
    this.#put(Buffer.from(JSON.stringify(record)));
  }

  #put(payload: Buffer): void {
    const place = this.#writer.end;
    this.#writer.append(payload);
    this.#model.apply({ payload, ...place }, HEAD + payload.length);
  }
}
