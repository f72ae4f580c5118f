/** Where a plan's contents go before anything is decided: to temp files, or nowhere at all. */
import type { Source } from "../io/source.js";
import { type Action, measure } from "./plan.js";
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
  /** Removes whatever there is of this run. May be called at any time, more than once. */
  rollback(): Promise<void>;
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

/** Pulls everything, writes nothing. */
export function dryRun(_source: Source, signal?: AbortSignal): Stager {
  return {
    async stage(actions) {
      for (const action of actions) {
        signal?.throwIfAborted();
        if (action.do === "create") await measure(action.content);
      }
      return "created";
    },
    commit: async () => undefined,
    async rollback() {},
  };
}
