/** Worker threads take turns at what must not overlap: a lock in memory that they share. */

/** What the threads share: 0 where nobody has the turn, else the number of the one who has. */
export function sharedTurn(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** @param me from 1. Blocks this thread, not the process: only for worker threads. */
export async function inTurn<T>(turn: Int32Array, me: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const owner = Atomics.compareExchange(turn, 0, 0, me);
    if (owner === 0) break;
    Atomics.wait(turn, 0, owner);
  }
  try {
    return await work();
  } finally {
    giveBack(turn, me);
  }
}

/** Also for a thread that died in its turn. */
export function giveBack(turn: Int32Array, owner: number): void {
  if (Atomics.compareExchange(turn, 0, owner, 0) === owner) Atomics.notify(turn, 0);
}
