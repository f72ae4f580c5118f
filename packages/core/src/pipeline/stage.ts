/** Where a plan's contents go before anything is decided: to temp files, or nowhere at all. */
import type { Action } from "./plan.js";
import type { Receipt } from "./receipt.js";

/** Takes the plans of one run, then keeps all of it or none. */
export interface Stager {
  /**
   * Pulls the contents of a plan. `unchanged`: the target holds the very same already.
   * @throws ConflictError if a new file's place is taken by something else; nothing of these actions is left.
   */
  stage(actions: readonly Action[]): Promise<"created" | "unchanged">;
  /** undefined: nothing was to be done. */
  commit(): Promise<Receipt | undefined>;
  /**
   * Removes whatever there is of this run. May be called at any time, more than once.
   * @returns files that another program changed meanwhile: they stay as they are.
   */
  rollback(): Promise<readonly string[]>;
}

/** A run failed, and could not be taken back whole. */
export class RollbackError extends Error {
  override name = "RollbackError";
  readonly paths: readonly string[];
  constructor(cause: unknown, paths: readonly string[]) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${why}. Besides, another program changed these files meanwhile, so they stay: ${paths.join(", ")}`,
      { cause },
    );
    this.paths = paths;
  }
}

/** Rolls back and throws: the error itself, or a RollbackError around it. */
export async function failWith(error: unknown, stager: Pick<Stager, "rollback">): Promise<never> {
  const left = await stager.rollback();
  throw left.length > 0 ? new RollbackError(error, left) : error;
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
