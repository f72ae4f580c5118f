/** Turns that an agent starts by itself (background tasks, goals): nobody prompted, and it speaks all the same. */
const SPEAKING =
  /"sessionUpdate":\s*"(?:agent_message_chunk|agent_thought_chunk|tool_call|tool_call_update)"/;
/** So long after its last word it may still be at it (ms). */
const QUIET = 1000;
/** The kind of an update stands at its beginning. */
const HEAD = 512;

export class Activity {
  #last = Number.NEGATIVE_INFINITY;

  /** An update passed that nothing of the client's had asked for. */
  saw(bytes: Uint8Array): void {
    if (SPEAKING.test(Buffer.from(bytes.subarray(0, HEAD)).toString("latin1")))
      this.#last = performance.now();
  }

  get running(): boolean {
    return performance.now() - this.#last < QUIET;
  }
}
