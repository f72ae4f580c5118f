/**
 * Questions of the agent that the client has not answered. When a turn is interrupted its client did not stop it and does not
 * know: the agent is told that nobody decided, the client that nobody waits any more, and its late answer goes nowhere.
 */
import { keyOf, type RpcId } from "../rpc/message.js";

export class Permissions {
  /** By the agent's own ids: they are another space than the client's. */
  readonly #open = new Map<string, { id: RpcId; sessionId: string }>();
  readonly #withdrawn = new Set<string>();

  asked(id: RpcId, sessionId: string): void {
    this.#open.set(keyOf(id), { id, sessionId });
  }

  /** True: the answer is for the agent. False: it comes too late. */
  answered(id: RpcId): boolean {
    this.#open.delete(keyOf(id));
    return !this.#withdrawn.delete(keyOf(id));
  }

  /** Those of a session that are open; they are not any more. */
  withdraw(sessionId: string): RpcId[] {
    const ids: RpcId[] = [];
    for (const [key, open] of this.#open) {
      if (open.sessionId !== sessionId) continue;
      this.#open.delete(key);
      this.#withdrawn.add(key);
      ids.push(open.id);
    }
    return ids;
  }
}
