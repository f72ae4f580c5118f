/** Reads all of a captured session's log again: every frame, every byte, and whether each state is what it was. */
import { createHash } from "node:crypto";
import { BlobError, piecesOf } from "../blobs.js";
import type { Fault } from "../log/frame.js";
import { DamagedLogError } from "../log/log-file.js";
import type { CapturedLog } from "./log.js";
import { piecesAt } from "./model.js";
import type { OpenedRecord, SeenFile, SeenSession } from "./records.js";

export interface CapturedCheck {
  session: OpenedRecord | undefined;
  frames: number;
  /** Of its files as they were last. */
  bytes: number;
  faults: readonly Fault[];
  broken: readonly { session: string; file: string; problem: string }[];
}

export async function checkCaptured(log: CapturedLog): Promise<CapturedCheck> {
  const faults: Fault[] = [];
  const broken: CapturedCheck["broken"][number][] = [];
  const { opened, end, files, revisions } = await log.refresh((fault) => faults.push(fault));
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    if (!file) continue;
    const sum = new RunningSum(log);
    for (const { session, revision, place } of revisions) {
      const seen = filesIn(session).find((each) => each.file === index);
      if (!seen) continue;
      try {
        const now = await sum.at(piecesAt(file, place.number));
        if (now.size === seen.size && now.sha256 === seen.sha256) continue;
        throw new BlobError(log.path, seen.sha256, `revision ${revision} is not what was seen then`);
      } catch (error) {
        if (!(error instanceof BlobError || error instanceof DamagedLogError)) throw error;
        broken.push({ session: session.id, file: file.relative, problem: error.message });
        break;
      }
    }
    bytes += file.size;
  }
  return { session: opened, frames: end.number, bytes, faults, broken };
}

type Pieces = ReturnType<typeof piecesAt>;

/** sha256 of a file at one state after the other: what only grew is read once. */
class RunningSum {
  readonly #log: CapturedLog;
  #sum = createHash("sha256");
  #done: Pieces = [];
  #size = 0;

  constructor(log: CapturedLog) {
    this.#log = log;
  }

  async at(pieces: Pieces): Promise<{ sha256: string; size: number }> {
    const grew = this.#done.every(
      ({ at, length }, i) => pieces[i]?.at.number === at.number && pieces[i].length === length,
    );
    if (!grew) {
      this.#sum = createHash("sha256");
      this.#done = [];
      this.#size = 0;
    }
    for await (const part of this.#log.read(pieces.slice(this.#done.length))) {
      this.#sum.update(part);
      this.#size += part.length;
    }
    this.#done = pieces;
    return { sha256: this.#sum.copy().digest("hex"), size: this.#size };
  }
}

function filesIn({ files, children }: SeenSession): SeenFile[] {
  return [...files, ...children.flatMap(filesIn)];
}

/** Names of the pieces that it needs. */
export async function piecesNeeded(log: CapturedLog): Promise<string[]> {
  const { files } = await log.refresh();
  const names: string[] = [];
  for (const file of files) for await (const blob of log.blobsOf(file)) names.push(...piecesOf(blob));
  return names;
}
