/** Carries out what the turns want: writes to the agent and to the client, and waits no longer than it must. */
import { fields, string } from "@asp-convert/core/values";
import { acpMethods } from "../methods.js";
import type { LineWriter } from "../rpc/lines.js";
import { keyOf, type RpcId } from "../rpc/message.js";
import type { Steering } from "./initialize.js";
import type { Permissions } from "./permissions.js";
import type { Effect, Prompt, Turns } from "./turns.js";

/** Our own requests to the agent: no client's ids begin so. */
const OWN = "asp-proxy:";

export interface EffectsOptions {
  toClient: LineWriter;
  toAgent: LineWriter;
  turns: Turns;
  permissions: Permissions;
  /** How long the agent may take to end a turn that was interrupted (ms). */
  interruptLimit: number;
}

export class Effects {
  /** As the agent says of itself. */
  steering: Steering = "none";
  readonly #options: EffectsOptions;
  /** Our requests to the agent, with the client's prompt that each is about. */
  readonly #steered = new Map<string, RpcId>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lastId = 0;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /**
   * Written at once, in this order. Who reads the agent must not wait for what is returned: an agent that cannot say what it
   * has to say takes nothing in.
   */
  async carryOut(effects: readonly Effect[]): Promise<void> {
    await Promise.all(effects.map((effect) => this.#one(effect)));
  }

  /** The agent's answer to a request of ours; false where it is none. */
  answered(id: RpcId, result: unknown, error: unknown): boolean {
    const prompt = this.#steered.get(keyOf(id));
    if (prompt === undefined) return false;
    this.#steered.delete(keyOf(id));
    void this.carryOut(this.#options.turns.steered(prompt, outcomeOf(result, error)));
    return true;
  }

  #one(effect: Effect): Promise<void> | undefined {
    const { toAgent, toClient } = this.#options;
    switch (effect.do) {
      case "forward":
        return toAgent.write(effect.prompt.line);
      case "cancel":
        return this.#interrupt(effect.sessionId);
      case "steer":
        return this.#steer(effect.prompt);
      case "answer":
        void toClient.send({ jsonrpc: "2.0", id: effect.id, result: effect.result });
        return undefined;
      case "refuse": {
        const { id, code, message, data } = effect;
        const error = { code, message, ...(data !== undefined && { data }) };
        void toClient.send({ jsonrpc: "2.0", id, error });
        return undefined;
      }
    }
  }

  #interrupt(sessionId: string): Promise<void> {
    const { turns, toAgent, toClient, permissions, interruptLimit } = this.#options;
    const running = turns.running(sessionId);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (turns.running(sessionId) === running) void this.carryOut(turns.stuck(sessionId, interruptLimit));
    }, interruptLimit);
    timer.unref();
    this.#timers.add(timer);
    void toAgent.send({ jsonrpc: "2.0", method: acpMethods.cancel, params: { sessionId } });
    for (const id of permissions.withdraw(sessionId)) {
      void toAgent.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
      void toClient.send({ jsonrpc: "2.0", method: acpMethods.cancelRequest, params: { requestId: id } });
    }
    return toAgent.write("");
  }

  #steer(prompt: Prompt): Promise<void> {
    const { turns, toAgent } = this.#options;
    if (this.steering === "merges") {
      // Both are answered by the agent itself.
      turns.merges(prompt.id);
      return toAgent.write(prompt.line);
    }
    const id = `${OWN}${++this.#lastId}`;
    this.#steered.set(keyOf(id), prompt.id);
    const { sessionId, content } = prompt;
    // An idle agent would start a turn that nobody waits for.
    const _meta = { steering: { idleBehavior: "promptRequired" } };
    const params = { sessionId, prompt: content, _meta };
    return toAgent.send({ jsonrpc: "2.0", id, method: acpMethods.steering, params });
  }
}

function outcomeOf(result: unknown, error: unknown): "joined" | "idle" | { failed: string } {
  const outcome = string(fields(result)?.outcome);
  if (outcome === "injected") return "joined";
  if (outcome === "promptRequired") return "idle";
  return { failed: string(fields(error)?.message) ?? outcome ?? "no outcome" };
}
