/**
 * Who has the turn: for each session what runs and what waits. A machine without streams: it is told what happened and
 * says what to do.
 *
 *     idle ── prompt ──▶ running ── its answer ──▶ idle, or the next one that waits
 *     running ── queue ──▶ waits at the end
 *     running ── interrupt ──▶ waits at the front; the running turn is cancelled
 *     running ── steer ──▶ joins: answered with the running turn's answer
 */
import type { Busy } from "../forms/capabilities.js";
import { codes } from "../rpc/errors.js";
import { keyOf, type RpcId } from "../rpc/message.js";

export interface Prompt {
  /** The client's own id: its answer goes back under it. */
  id: RpcId;
  sessionId: string;
  /** What the agent is sent, to the byte. */
  line: Uint8Array;
  /** Its content blocks. */
  content: readonly unknown[];
}

export type Effect =
  | { do: "forward"; prompt: Prompt }
  | { do: "cancel"; sessionId: string }
  | { do: "steer"; prompt: Prompt }
  | { do: "answer"; id: RpcId; result: unknown }
  | { do: "refuse"; id: RpcId; code: number; message: string; data?: unknown };

interface Running {
  prompt: Prompt;
  /** Prompts that joined it. */
  joined: Prompt[];
}

interface Lane {
  running: Map<string, Running>;
  waiting: { prompt: Prompt; interrupts: boolean }[];
  /** The steered prompts of which the agent has not said yet whether they joined. */
  steering: Map<string, { prompt: Prompt; into: Running | undefined; ended?: unknown; stopped?: true }>;
}

/** What is held for agents that are slow; a client that sends more is told so. */
const MAX_WAITING = 1000;

const CANCELLED = { stopReason: "cancelled" } as const;

export class Turns {
  readonly #lanes = new Map<string, Lane>();
  /** The session of each prompt that runs or waits. */
  readonly #sessions = new Map<string, string>();

  /** Sessions in which something runs or waits. */
  get busy(): string[] {
    return [...this.#lanes.keys()];
  }

  isBusy(sessionId: string): boolean {
    return this.#lanes.has(sessionId);
  }

  /** What runs there, as a mark that changes when it does. */
  running(sessionId: string): string {
    return [...(this.#lanes.get(sessionId)?.running.keys() ?? [])].join(" ");
  }

  /** @param busy what the prompt asks for; undefined: what the agent does by itself. */
  prompt(prompt: Prompt, busy: Busy | undefined): Effect[] {
    const lane = this.#lane(prompt.sessionId);
    const runs = lane.running.size + lane.waiting.length + lane.steering.size > 0;
    if (!runs || busy === undefined) return [this.#start(lane, prompt)];
    if (lane.waiting.length >= MAX_WAITING) {
      const message = `${MAX_WAITING} prompts wait in this session already`;
      return [{ do: "refuse", id: prompt.id, code: codes.invalidRequest, message }];
    }
    this.#sessions.set(keyOf(prompt.id), prompt.sessionId);
    if (busy === "steer") {
      const [into] = [...lane.running.values()].slice(-1);
      lane.steering.set(keyOf(prompt.id), { prompt, into });
      return [{ do: "steer", prompt }];
    }
    if (busy === "queue") {
      lane.waiting.push({ prompt, interrupts: false });
      return [];
    }
    // Of two that interrupt, the first has its turn first, and is cut off by the second.
    const at = lane.waiting.findIndex(({ interrupts }) => !interrupts);
    lane.waiting.splice(at === -1 ? lane.waiting.length : at, 0, { prompt, interrupts: true });
    return [{ do: "cancel", sessionId: prompt.sessionId }];
  }

  /** The agent's answer to a prompt was passed on. */
  answered(id: RpcId, answer: { result?: unknown; error?: unknown }): Effect[] {
    const sessionId = this.#sessions.get(keyOf(id));
    const lane = sessionId === undefined ? undefined : this.#lanes.get(sessionId);
    const running = lane?.running.get(keyOf(id));
    if (!lane || !running) return [];
    this.#sessions.delete(keyOf(id));
    lane.running.delete(keyOf(id));
    const effects = running.joined.map((prompt) => this.#same(prompt, answer));
    for (const steered of lane.steering.values()) if (steered.into === running) steered.ended = answer;
    return [...effects, ...this.#next(lane)];
  }

  /** The agent says what became of a steered prompt. */
  steered(id: RpcId, outcome: "joined" | "idle" | { failed: string }): Effect[] {
    const lane = this.#laneOf(id);
    const steered = lane?.steering.get(keyOf(id));
    if (!lane || !steered) return [];
    lane.steering.delete(keyOf(id));
    const { prompt, into, ended } = steered;
    if (outcome === "joined") {
      if (ended !== undefined) return [this.#same(prompt, ended), ...this.#next(lane)];
      if (!into) return [this.#answer(prompt, { stopReason: "end_turn" }), ...this.#next(lane)];
      into.joined.push(prompt);
      return [];
    }
    if (typeof outcome === "object") {
      this.#sessions.delete(keyOf(id));
      const message = `the agent did not take the prompt into its turn: ${outcome.failed}`;
      return [{ do: "refuse", id, code: codes.internal, message }, ...this.#next(lane)];
    }
    if (steered.stopped) return [this.#answer(prompt, CANCELLED), ...this.#next(lane)];
    // The turn ended before it came: it is the next one.
    lane.waiting.unshift({ prompt, interrupts: false });
    return this.#next(lane);
  }

  /** The agent merges the steered prompt by itself, and answers it by itself. */
  merges(id: RpcId): Effect[] {
    const lane = this.#laneOf(id);
    const steered = lane?.steering.get(keyOf(id));
    if (!lane || !steered) return [];
    lane.steering.delete(keyOf(id));
    lane.running.set(keyOf(id), { prompt: steered.prompt, joined: [] });
    return [];
  }

  /** The client stopped the session: what waits is not begun. The agent is told by the client's own message. */
  cancelled(sessionId: string): Effect[] {
    const lane = this.#lanes.get(sessionId);
    if (!lane) return [];
    const waiting = lane.waiting.splice(0).map(({ prompt }) => this.#answer(prompt, CANCELLED));
    for (const steered of lane.steering.values()) steered.stopped = true;
    this.#forget(sessionId, lane);
    return waiting;
  }

  /** The client takes back one request. True: it waited here, and the agent knows nothing of it. */
  withdrawn(id: RpcId): Effect[] | undefined {
    const lane = this.#laneOf(id);
    const at = lane?.waiting.findIndex(({ prompt }) => keyOf(prompt.id) === keyOf(id)) ?? -1;
    const [waiting] = at === -1 ? [] : (lane?.waiting.splice(at, 1) ?? []);
    return waiting && [this.#answer(waiting.prompt, CANCELLED)];
  }

  /** The running turn does not end although it was cancelled: what waits for that is not kept for ever. */
  stuck(sessionId: string, after: number): Effect[] {
    const lane = this.#lanes.get(sessionId);
    const first = lane?.waiting[0];
    if (!lane || lane.running.size === 0 || !first?.interrupts) return [];
    lane.waiting.shift();
    this.#sessions.delete(keyOf(first.prompt.id));
    const message = `the agent did not end the running turn within ${after / 1000} s of being told to`;
    return [{ do: "refuse", id: first.prompt.id, code: codes.internal, message }];
  }

  /** The agent is gone: everything that runs, joined or waits. */
  ended(message: string): Effect[] {
    const effects = [...this.#lanes.values()].flatMap((lane): Effect[] => [
      ...[...lane.running.values()].flatMap(({ prompt, joined }) => [prompt, ...joined]).map(failed),
      ...[...lane.steering.values()].map(({ prompt }) => failed(prompt)),
      ...lane.waiting.map(({ prompt }): Effect => ({ do: "answer", id: prompt.id, result: CANCELLED })),
    ]);
    this.#lanes.clear();
    this.#sessions.clear();
    return effects;

    function failed({ id }: Prompt): Effect {
      return { do: "refuse", id, code: codes.internal, message };
    }
  }

  #start(lane: Lane, prompt: Prompt): Effect {
    lane.running.set(keyOf(prompt.id), { prompt, joined: [] });
    this.#sessions.set(keyOf(prompt.id), prompt.sessionId);
    return { do: "forward", prompt };
  }

  #next(lane: Lane): Effect[] {
    const idle = lane.running.size === 0 && lane.steering.size === 0;
    const first = idle ? lane.waiting.shift() : undefined;
    if (!first) {
      for (const [sessionId, each] of this.#lanes) if (each === lane) this.#forget(sessionId, lane);
      return [];
    }
    const started = this.#start(lane, first.prompt);
    const { sessionId } = first.prompt;
    return lane.waiting[0]?.interrupts ? [started, { do: "cancel", sessionId }] : [started];
  }

  #answer(prompt: Prompt, result: unknown): Effect {
    this.#sessions.delete(keyOf(prompt.id));
    return { do: "answer", id: prompt.id, result };
  }

  /** A prompt that joined a turn ends as that did. */
  #same(prompt: Prompt, answer: unknown): Effect {
    const { result, error } = answer as { result?: unknown; error?: { code?: number; message?: string } };
    if (error === undefined || error === null) return this.#answer(prompt, result);
    this.#sessions.delete(keyOf(prompt.id));
    const { code = codes.internal, message = "the turn failed", ...rest } = error;
    return { do: "refuse", id: prompt.id, code, message, ...rest };
  }

  #lane(sessionId: string): Lane {
    let lane = this.#lanes.get(sessionId);
    if (!lane) {
      lane = { running: new Map(), waiting: [], steering: new Map() };
      this.#lanes.set(sessionId, lane);
    }
    return lane;
  }

  #laneOf(id: RpcId): Lane | undefined {
    const sessionId = this.#sessions.get(keyOf(id));
    return sessionId === undefined ? undefined : this.#lanes.get(sessionId);
  }

  /** A session in which nothing goes on takes no memory. */
  #forget(sessionId: string, lane: Lane): void {
    if (lane.running.size + lane.waiting.length + lane.steering.size === 0) this.#lanes.delete(sessionId);
  }
}
