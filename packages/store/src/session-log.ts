/**
 * A log on disk: a folder.
 *
 *     lineage.aspf            conversions and imports, one frame each
 *     sessions/<name>.aspf    a captured session: its bytes, its events, the states it was seen in
 *     blobs/<aa>/<sha256>     native bytes
 *     locks/                  who writes
 *
 * Everything else that may lie there is made from these and can be thrown away.
 */
import { holdFolder, type SessionRef, type Source } from "@asp-convert/core";
import { Blobs } from "./blobs.js";
import { CapturedLog, capturedName } from "./captured/log.js";
import { LogWriter, readLog } from "./log/log-file.js";
import { type Conversion, isConversion } from "./trail/records.js";

/** How long a run waits for another one that writes to the log, in ms. */
const PATIENCE = 30_000;

export class SessionLog {
  readonly root: string;
  readonly source: Source;
  readonly blobs: Blobs;

  /** @param root absolute; made when something is first written. */
  constructor(root: string, source: Source) {
    this.root = root.replace(/[/\\]+$/, "");
    this.source = source;
    this.blobs = new Blobs(`${this.root}/blobs`, source);
  }

  get lineagePath(): string {
    return `${this.root}/lineage.aspf`;
  }

  /** The log of one session that is, or is to be, captured. */
  captured(session: Pick<SessionRef, "harness" | "id" | "store">): CapturedLog {
    return this.capturedIn(capturedName(session));
  }

  /** @param name of its file. */
  capturedIn(name: string): CapturedLog {
    return new CapturedLog(this.root, name, this.source, this.blobs);
  }

  /** Of every captured session, in no order that means anything. Each is to be refreshed before it is looked at. */
  async allCaptured(): Promise<CapturedLog[]> {
    const entries = await this.source.readDir(`${this.root}/sessions`);
    return entries.filter(({ name }) => name.endsWith(".aspf")).map(({ name }) => this.capturedIn(name));
  }

  /** Every conversion, oldest first. @throws DamagedLogError */
  async *conversions(): AsyncGenerator<Conversion> {
    for await (const { value } of readLog(this.lineagePath, this.source))
      if (isConversion(value)) yield value;
  }

  /** Durable when it resolves. @throws BusyError, DamagedLogError, WriteError */
  async record(conversions: readonly Conversion[]): Promise<void> {
    const lock = await holdFolder(this.root, PATIENCE);
    try {
      const writer = await LogWriter.open(this.lineagePath, this.source);
      try {
        for (const conversion of conversions) writer.append(JSON.stringify(conversion));
        await writer.commit();
      } finally {
        writer.close();
      }
    } finally {
      lock.release();
    }
  }
}
