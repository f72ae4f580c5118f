import type { ProcessMark } from "./process.js";

/** Another run works on the same target. */
export class BusyError extends Error {
  override name = "BusyError";
  readonly root: string;
  readonly pid: number;
  constructor(root: string, lock: string, { pid, host }: ProcessMark) {
    super(
      `${root}: another run is writing there (process ${pid} on ${host}). Wait for it, then run this again. ` +
        `If there is none, remove ${lock}`,
    );
    this.root = root;
    this.pid = pid;
  }
}
