/** Long work that waits for nothing lets signals and messages in from time to time. */
import { setImmediate } from "node:timers/promises";

/** ms of work between two breaths: Ctrl-C is heard within that. */
const EVERY = 30;

/** To be awaited again and again. @throws what `signal` was aborted with */
export function breathing(signal: AbortSignal): () => Promise<void> | undefined {
  let due = performance.now() + EVERY;
  return () => {
    if (performance.now() < due) return undefined;
    return setImmediate().then(() => {
      due = performance.now() + EVERY;
      signal.throwIfAborted();
    });
  };
}
