/**
 * The library's functions that work on whole sessions and stores, each loaded when it is called: who only looks
 * into a store needs none of the transaction, the rows, the bundle behind them.
 */
import { lazyCall, lazyEach } from "./converter/lazy.js";

export const readAspBundle: typeof import("./bundle/single.js").readAspBundle = lazyCall(
  async () => (await import("./bundle/single.js")).readAspBundle,
);
export const writeAspBundle: (
  ...given: Parameters<typeof import("./bundle/single.js").writeAspBundle>
) => AsyncIterable<string> = lazyEach(async () => (await import("./bundle/single.js")).writeAspBundle);
export const verifyBundle: typeof import("./bundle/verify.js").verifyBundle = lazyCall(
  async () => (await import("./bundle/verify.js")).verifyBundle,
);
export const openMade: typeof import("./io/made.js").openMade = lazyCall(
  async () => (await import("./io/made.js")).openMade,
);
export const databaseOf: typeof import("./io/rows-scratch.js").databaseOf = lazyCall(
  async () => (await import("./io/rows-scratch.js")).databaseOf,
);
export const databaseWith: typeof import("./io/rows-scratch.js").databaseWith = lazyCall(
  async () => (await import("./io/rows-scratch.js")).databaseWith,
);
export const spool: typeof import("./io/spool.js").spool = lazyCall(
  async () => (await import("./io/spool.js")).spool,
);
export const openZstd: typeof import("./io/zstd.js").openZstd = lazyCall(
  async () => (await import("./io/zstd.js")).openZstd,
);
export const apply: typeof import("./pipeline/apply.js").apply = lazyCall(
  async () => (await import("./pipeline/apply.js")).apply,
);
export const compare: typeof import("./pipeline/convert.js").compare = lazyCall(
  async () => (await import("./pipeline/convert.js")).compare,
);
export const convert: typeof import("./pipeline/convert.js").convert = lazyCall(
  async () => (await import("./pipeline/convert.js")).convert,
);
export const convertInto: typeof import("./pipeline/convert.js").convertInto = lazyCall(
  async () => (await import("./pipeline/convert.js")).convertInto,
);
export const beginTransaction: typeof import("./io/transaction.js").beginTransaction = lazyCall(
  async () => (await import("./io/transaction.js")).beginTransaction,
);
export const holdTarget: typeof import("./io/transaction.js").holdTarget = lazyCall(
  async () => (await import("./io/transaction.js")).holdTarget,
);
export const listReceipts: typeof import("./pipeline/undo.js").listReceipts = lazyCall(
  async () => (await import("./pipeline/undo.js")).listReceipts,
);
export const undo: typeof import("./pipeline/undo.js").undo = lazyCall(
  async () => (await import("./pipeline/undo.js")).undo,
);
export const materialize: typeof import("./session/materialize.js").materialize = lazyCall(
  async () => (await import("./session/materialize.js")).materialize,
);
