/** Worker threads take turns at what must not overlap: a lock in memory that they share. */

/** What the threads share: 0 where nobody has the turn, else the number of the one who has. */
export function sharedTurn(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** One thread's part in it. Waiting blocks the thread, not the process: only for worker threads. */
export class Turn {
  readonly #turn: Int32Array;
  readonly #me: number;

  /** @param me from 1 */
  constructor(turn: Int32Array, me: number) {
    this.#turn = turn;
    this.#me = me;
  }

  get held(): boolean {
    return Atomics.load(this.#turn, 0) === this.#me;
  }

  /** Waits for it; it may be had already. */
  take(): void {
    for (;;) {
      const owner = Atomics.compareExchange(this.#turn, 0, 0, this.#me);
      if (owner === 0 || owner === this.#me) return;
      Atomics.wait(this.#turn, 0, owner);
    }
  }

  giveBack(): void {
    giveBack(this.#turn, this.#me);
  }
}

/** For a thread that died in its turn. */
export function giveBack(turn: Int32Array, owner: number): void {
  if (Atomics.compareExchange(turn, 0, owner, 0) === owner) Atomics.notify(turn, 0);
}
