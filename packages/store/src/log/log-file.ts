/**
 * One file of frames, each a JSON value. Readers may look at it at any time: they see every frame that was handed to the
 * system, and a last one that is not whole yet is not there for them.
 */
import { type Appendable, openAppendable, type Source } from "@asp-convert/core";
import { encodeFrame, type Fault, type Frame, HEAD, scanFrames } from "./frame.js";

/** Frames in the middle of a log are not what was written: a disk fault, or somebody changed them. */
export class DamagedLogError extends Error {
  override name = "DamagedLogError";
  readonly path: string;
  readonly fault: Fault;
  constructor(path: string, fault: Fault) {
    const { frame, frames, offset, length } = fault;
    const which = frames === 1 ? `frame ${frame} is` : `frames ${frame} to ${frame + frames - 1} are`;
    super(
      `${path}: ${which} damaged (bytes ${offset} to ${offset + length - 1}); the checksum does not fit. ` +
        "All frames before and after can still be read: `asp-convert log verify` lists what is lost",
    );
    this.path = path;
    this.fault = fault;
  }
}

/** A value as it stands in the log. */
export interface Placed {
  value: unknown;
  number: number;
  offset: number;
}

/**
 * The values of a log file, in order. A torn end is passed over in silence: it was never acknowledged.
 * @param onFault else damage in the middle is thrown. @throws DamagedLogError
 */
export async function* readLog(
  path: string,
  source: Source,
  onFault?: (fault: Fault) => void,
): AsyncGenerator<Placed> {
  if ((await source.stat(path))?.kind !== "file") return;
  const file = await source.open(path);
  try {
    for (const scanned of scanFrames(file)) {
      if ("frame" in scanned) yield placed(scanned.frame);
      else if (onFault) onFault(scanned.fault);
      else if (scanned.fault.kind === "damaged") throw new DamagedLogError(path, scanned.fault);
    }
  } finally {
    file.close();
  }
}

function placed({ number, offset, payload }: Frame): Placed {
  return { value: JSON.parse(payload.toString("utf8")), number, offset };
}

interface OpenOptions {
  from?: { offset: number; number: number };
  onFrame?: (frame: Frame) => void;
}

/** How much is gathered before it is handed to the system, in bytes. */
const BATCH = 1024 * 1024;

/** What a recovery found. */
export interface Recovered {
  /** Whole frames. */
  frames: number;
  /** Bytes cut from the end: of a frame that a crash left half-written. */
  cut: number;
}

/**
 * Writes frames. Whoever has one holds the log's lock.
 *
 * When is what was appended safe? `append` only gathers. `flush` hands it to the system: it then survives this
 * process. `commit` waits for the disk (fdatasync): it then survives a power cut, and only then it is acknowledged.
 * Commits that are asked for while one is under way share the next one.
 */
export class LogWriter {
  readonly recovered: Recovered;
  readonly #file: Appendable;
  #number: number;
  #parts: Uint8Array[] = [];
  #pending = 0;
  #syncing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(file: Appendable, recovered: Recovered) {
    this.#file = file;
    this.recovered = recovered;
    this.#number = recovered.frames;
  }

  /**
   * Opens a file, or makes it. Its frames are checked, and a torn end is cut off.
   * @param options.from where they are known to be whole up to; `onFrame` gets every one that comes after it.
   * @throws DamagedLogError, WriteError
   */
  static async open(path: string, source: Source, options: OpenOptions = {}): Promise<LogWriter> {
    const { from = { offset: 0, number: 0 }, onFrame } = options;
    let end = from.offset;
    let frames = from.number;
    let cut = 0;
    if ((await source.stat(path)) !== undefined) {
      const file = await source.open(path);
      try {
        for (const scanned of scanFrames(file, from)) {
          if ("frame" in scanned) {
            const { number, offset, payload } = scanned.frame;
            onFrame?.(scanned.frame);
            end = offset + HEAD + payload.length;
            frames = number + 1;
          } else if (scanned.fault.kind === "damaged") throw new DamagedLogError(path, scanned.fault);
          else cut = scanned.fault.length;
        }
      } finally {
        file.close();
      }
    }
    const file = openAppendable(path);
    if (file.size > end) {
      file.cut(end);
      await file.sync();
    }
    return new LogWriter(file, { frames, cut });
  }

  /** Where the next frame goes. */
  get end(): { offset: number; number: number } {
    return { offset: this.#file.size + this.#pending, number: this.#number };
  }

  /** @param value JSON text, or its bytes. */
  append(value: string | Uint8Array): void {
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    const [head, payload] = encodeFrame(this.#number, bytes);
    this.#number++;
    this.#parts.push(head, payload);
    this.#pending += HEAD + payload.length;
    if (this.#pending >= BATCH) this.flush();
  }

  flush(): void {
    if (this.#parts.length === 0) return;
    const parts = this.#parts;
    this.#parts = [];
    this.#pending = 0;
    this.#file.append(parts);
  }

  commit(): Promise<void> {
    this.flush();
    if (!this.#syncing) {
      this.#syncing = this.#file.sync().finally(() => {
        this.#syncing = undefined;
      });
      return this.#syncing;
    }
    // The one under way may have begun before our bytes came.
    this.#next ??= this.#syncing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.commit();
      });
    return this.#next;
  }

  /** What was gathered and never committed is handed to the system; it is not acknowledged. */
  close(): void {
    this.flush();
    this.#file.close();
  }
}
