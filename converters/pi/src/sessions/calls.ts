/** The calls of a session in the making: each with an id of its own, and answered once. */

interface Call {
  id: string;
  name: string;
  open: boolean;
}

export class Calls {
  /** The last call of each id of the source. */
  readonly #calls = new Map<string, Call>();
  readonly #taken = new Set<string>();

  /**
   * @param sent false: the message that holds it is not sent, so nothing may answer it.
   * @returns the id here; another one than in the source only where that is empty or was used before.
   */
  made(toolCallId: string, name: string, sent: boolean): string {
    const wanted = toolCallId === "" ? "call" : toolCallId;
    let id = wanted;
    for (let again = 2; this.#taken.has(id); again++) id = `${wanted}_${again}`;
    this.#taken.add(id);
    this.#calls.set(toolCallId, { id, name, open: sent });
    return id;
  }

  /** The call that a result is of; undefined: there is none, or it has its result. */
  answered(toolCallId: string): { id: string; name: string } | undefined {
    const call = this.#calls.get(toolCallId);
    if (!call?.open) return undefined;
    call.open = false;
    return call;
  }
}
