/** Where a plan's contents go before anything is decided: to temp files, or nowhere at all. */
import type { Action } from "./plan.js";
import type { Receipt } from "./receipt.js";

/** What a new file was given. */
export interface Written {
  sha256: string;
  bytes: number;
}

/** Takes the plans of one run, then keeps all of it or none. */
export interface Stager {
  /**
   * Pulls the contents of a plan. `unchanged`: the target holds the very same already.
   * @throws ConflictError if a new file's place is taken by something else; nothing of these actions is left.
   */
  stage(actions: readonly Action[]): Promise<"created" | "unchanged">;
  /** What a staged new file holds; undefined: this run makes no such file. */
  written?(path: string): Written | undefined;
  /**
   * @param what was done, for the receipt: known only now
   * @returns undefined: nothing was to be done.
   */
  commit(what?: string): Promise<Receipt | undefined>;
  /**
   * Removes whatever there is of this run. May be called at any time, more than once.
   * @returns files that another program changed meanwhile: they stay as they are.
   */
  rollback(): Promise<readonly string[]>;
}

/** A run failed, and could not be taken back whole. */
export class RollbackError extends Error {
  override name = "RollbackError";
  /** What another program changed meanwhile, and so stays. */
  readonly paths: readonly string[];
  constructor(cause: unknown, besides: string, paths: readonly string[]) {
    super(`${messageOf(cause)}. Besides, ${besides}`, { cause });
    this.paths = paths;
  }
}

/** Rolls back and throws: the error itself, or a RollbackError around it. */
export async function failWith(error: unknown, stager: Pick<Stager, "rollback">): Promise<never> {
  let left: readonly string[];
  try {
    left = await stager.rollback();
  } catch (second) {
    const besides = `not everything could be taken back (${messageOf(second)}); the next run tries again`;
    throw new RollbackError(error, besides, []);
  }
  if (left.length === 0) throw error;
  throw new RollbackError(
    error,
    `another program changed these files meanwhile, so they stay: ${left.join(", ")}`,
    left,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The place of a new file is taken by something else. */
export class ConflictError extends Error {
  override name = "ConflictError";
  readonly path: string;
  constructor(path: string) {
    super(`${path}: there is another file of this name already; nothing is overwritten`);
    this.path = path;
  }
}
