/** Pieces of a state, as many to an answer as a message holds. One export is under way at a time. */
import { randomUUID } from "node:crypto";
import type { ExportAnswer } from "../forms/methods.js";
import type { WireState } from "../forms/state.js";
import { codes, RpcError } from "../rpc/errors.js";
import type { Fragment } from "./export.js";

/** An answer is closed with the piece that passes this. */
const PAGE = 8 * 1024 * 1024;

export class Pager {
  #open: { cursor: string; rest: AsyncGenerator<Fragment>; abort: AbortController } | undefined;

  /** @param start makes the pieces, until it is aborted: when another export is asked for, or the connection ends. */
  async first(start: (signal: AbortSignal) => AsyncGenerator<Fragment>): Promise<ExportAnswer> {
    await this.close();
    const abort = new AbortController();
    return this.#page(start(abort.signal), abort);
  }

  async next(cursor: string): Promise<ExportAnswer> {
    const open = this.#open;
    if (open?.cursor !== cursor)
      throw new RpcError(codes.invalidParams, "this export is not under way any more; begin it again", {
        cursor,
      });
    this.#open = undefined;
    return this.#page(open.rest, open.abort);
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    open?.abort.abort();
    await open?.rest.return(undefined).catch(() => {});
  }

  async #page(rest: AsyncGenerator<Fragment>, abort: AbortController): Promise<ExportAnswer> {
    const state: WireState = {};
    const left: unknown[] = [];
    const losses: unknown[] = [];
    let size = 0;
    let done = false;
    while (size < PAGE && !done) {
      const step = await rest.next();
      done = step.done === true;
      if (step.done) break;
      step.value.put?.(state);
      left.push(...(step.value.left ?? []));
      losses.push(...(step.value.losses ?? []));
      size += step.value.size;
    }
    const cursor = done ? undefined : randomUUID();
    if (cursor !== undefined) this.#open = { cursor, rest, abort };
    const asp = {
      ...(cursor !== undefined && { next: cursor }),
      ...(left.length > 0 && { left }),
      ...(losses.length > 0 && { losses }),
    };
    return { state, ...(Object.keys(asp).length > 0 && { _meta: { asp } }) } as ExportAnswer;
  }
}
