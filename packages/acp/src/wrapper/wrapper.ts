/**
 * Between a client and a real ACP agent: passes bytes through, adds ASP to what the agent says of itself, answers
 * `_asp/state/*` from the agent's own store, and says what a prompt does while a turn runs.
 */
import type { Readable, Writable } from "node:stream";
import { type Fields, fields, string } from "@asp-convert/core/values";
import { type Busy, busyModes } from "../forms/capabilities.js";
import { acpMethods, aspMethods } from "../methods.js";
import { codes, errorOf, RpcError } from "../rpc/errors.js";
import { LineWriter, MAX_LINE_BYTES, wireLines } from "../rpc/lines.js";
import { keyOf, type Message, messageOf, type RpcId } from "../rpc/message.js";
import { tooLong } from "../rpc/peer.js";
import type { HeldStore } from "../state/held.js";
import { Holder } from "../state/holder.js";
import { Activity } from "./activity.js";
import type { AgentProcess } from "./agent-process.js";
import { clamped, merged, type Steering } from "./initialize.js";
import { Permissions } from "./permissions.js";
import { type Effect, type Prompt, Turns } from "./turns.js";

export interface WrapperOptions {
  held: HeldStore;
  agent: AgentProcess;
  input: Readable;
  output: Writable;
  /** What is told to whoever started the program. */
  log: (text: string) => void;
  /** How long the agent may take to end a turn that was interrupted (ms). */
  interruptLimit?: number;
  signal?: AbortSignal;
}

const INTERRUPT_LIMIT = 60_000;
/** Our own requests to the agent: no client's ids begin so. */
const OWN = "asp-proxy:";

/** Resolves with the exit code: the agent's own where it ended first, 0 where the client did. */
export async function wrapAgent(options: WrapperOptions): Promise<number> {
  return new Wrapper(options).run();
}

class Wrapper {
  readonly #options: WrapperOptions;
  readonly #holder: Holder;
  readonly #toClient: LineWriter;
  readonly #toAgent: LineWriter;
  readonly #turns = new Turns();
  readonly #permissions = new Permissions();
  readonly #activity = new Activity();
  /** The client's requests that the agent has not answered. */
  readonly #asked = new Map<string, string>();
  /** Requests that are answered here. */
  readonly #own = new Map<string, AbortController>();
  /** Our requests to the agent, with the client's prompt that each is about. */
  readonly #steered = new Map<string, RpcId>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lastId = 0;
  #busy: readonly Busy[] = ["queue", "interrupt"];
  #steering: Steering = "none";
  /** The agent speaks ASP by itself: nothing is answered in its place. */
  #aside = false;

  constructor(options: WrapperOptions) {
    this.#options = options;
    this.#holder = new Holder(options.held);
    this.#toClient = new LineWriter(options.output);
    this.#toAgent = new LineWriter(options.agent.stdin);
  }

  async run(): Promise<number> {
    const { agent, input, output, signal } = this.#options;
    const stop = () => input.destroy();
    signal?.addEventListener("abort", stop, { once: true });
    // A client that has gone reads nothing any more: its end is the end.
    output.once("error", stop);
    const fromAgent = this.#agentToClient();
    const clientGone = this.#clientToAgent().then(() => undefined);
    try {
      const first = await Promise.race([agent.exited, clientGone]);
      if (first !== undefined) return await this.#agentEnded(first, fromAgent);
      await agent.stop();
      await fromAgent;
      return 0;
    } finally {
      signal?.removeEventListener("abort", stop);
      for (const timer of this.#timers) clearTimeout(timer);
      for (const controller of this.#own.values()) controller.abort();
      input.destroy();
      await agent.stop();
      await this.#holder.close();
    }
  }

  /** Whatever the client still waits for is answered. */
  async #agentEnded(code: number, fromAgent: Promise<void>): Promise<number> {
    await fromAgent;
    const message = `the agent ended (exit code ${code})`;
    void this.#do(this.#turns.ended(message));
    for (const key of this.#asked.keys())
      this.#refuse(JSON.parse(key) as RpcId, { code: codes.internal, message });
    this.#asked.clear();
    await this.#toClient.write("");
    return code;
  }

  // From the client

  async #clientToAgent(): Promise<void> {
    try {
      for await (const { bytes, over } of wireLines(this.#options.input)) {
        if (over !== undefined)
          this.#refuse(null, { code: codes.invalidRequest, message: tooLong(over, MAX_LINE_BYTES) });
        else await this.#fromClient(bytes, messageOf(bytes));
      }
    } catch (error) {
      if (!this.#options.signal?.aborted && !isClosed(error)) this.#log(error);
    }
  }

  /** Resolves when the agent can take more: a slow agent slows down its client, as it does without us. */
  async #fromClient(bytes: Buffer, message: Message): Promise<void> {
    switch (message.is) {
      case "request":
        return this.#request(bytes, message);
      case "notification":
        return this.#notification(bytes, message);
      case "answer":
        return this.#permissions.answered(message.id) ? this.#toAgent.write(bytes) : undefined;
      case "none":
        return this.#toAgent.write(bytes);
    }
  }

  async #request(bytes: Buffer, { id, method, params, value }: Message & { is: "request" }): Promise<void> {
    if (!this.#aside) {
      if (isStateMethod(method)) return this.#answerHere(id, method, params);
      if (method === acpMethods.prompt) return this.#prompt(bytes, id, value);
    }
    this.#asked.set(keyOf(id), method);
    const sessionId = string(fields(params)?.sessionId);
    if ((method === acpMethods.close || method === acpMethods.delete) && sessionId !== undefined)
      void this.#do(this.#turns.cancelled(sessionId));
    const changed = method === acpMethods.initialize ? clamped(value) : undefined;
    return changed ? this.#toAgent.send(changed) : this.#toAgent.write(bytes);
  }

  #notification(
    bytes: Buffer,
    { method, params }: Message & { is: "notification" },
  ): Promise<void> | undefined {
    if (this.#aside) return this.#toAgent.write(bytes);
    const { sessionId, requestId } = fields(params) ?? {};
    if (method === acpMethods.cancel && typeof sessionId === "string")
      void this.#do(this.#turns.cancelled(sessionId));
    if (
      method === acpMethods.cancelRequest &&
      (typeof requestId === "string" || typeof requestId === "number")
    ) {
      const own = this.#own.get(keyOf(requestId));
      const waiting = this.#turns.withdrawn(requestId);
      own?.abort();
      if (waiting) void this.#do(waiting);
      if (own || waiting) return undefined;
    }
    return this.#toAgent.write(bytes);
  }

  async #prompt(bytes: Buffer, id: RpcId, value: Fields): Promise<void> {
    const params = fields(value.params) ?? {};
    const asp = fields(fields(params._meta)?.asp);
    const asked = asp?.busy;
    const { sessionId, prompt } = params;
    if (asked !== undefined && !this.#busy.some((mode) => mode === asked)) {
      const words = busyModes.some((mode) => mode === asked) ? "does not take" : "knows no";
      const data = { busy: asked, supported: this.#busy };
      this.#refuse(id, {
        code: codes.invalidParams,
        message: `this agent ${words} busy "${String(asked)}"`,
        data,
      });
      return;
    }
    if (typeof sessionId !== "string") {
      // What it is, is the agent's to say.
      this.#asked.set(keyOf(id), acpMethods.prompt);
      return this.#toAgent.write(bytes);
    }
    const line = asp ? Buffer.from(`${JSON.stringify(withoutAsp(value, params))}\n`) : bytes;
    const content = Array.isArray(prompt) ? prompt : [];
    return this.#do(this.#turns.prompt({ id, sessionId, line, content }, asked as Busy | undefined));
  }

  /** From the store, beside whatever the agent does. */
  #answerHere(id: RpcId, method: string, params: unknown): void {
    const controller = new AbortController();
    this.#own.set(keyOf(id), controller);
    void (async () => {
      try {
        if (method === aspMethods.export) this.#refuseWhileRunning();
        const result = await this.#holder.answer(method, params, controller.signal);
        await this.#toClient.send({ jsonrpc: "2.0", id, result });
      } catch (error) {
        this.#refuse(id, errorOf(error));
      } finally {
        this.#own.delete(keyOf(id));
      }
    })();
  }

  #refuseWhileRunning(): void {
    const sessions = this.#turns.busy;
    if (sessions.length > 0)
      throw new RpcError(codes.invalidRequest, "a turn is running; export when it has ended", { sessions });
    if (this.#activity.running)
      throw new RpcError(codes.invalidRequest, "the agent is at work by itself; export when it has ended");
  }

  // From the agent

  async #agentToClient(): Promise<void> {
    try {
      for await (const { bytes, over } of wireLines(this.#options.agent.stdout)) {
        if (over === undefined) await this.#fromAgent(isWhole(bytes) ? bytes : Buffer.concat([bytes, LF]));
        else this.#options.log(`from the agent: ${tooLong(over, MAX_LINE_BYTES)}; it was left out`);
      }
    } catch (error) {
      if (!isClosed(error)) this.#log(error);
    }
  }

  async #fromAgent(bytes: Buffer): Promise<void> {
    if (isUpdate(bytes)) {
      if (this.#turns.busy.length === 0 && this.#asked.size === 0) this.#activity.saw(bytes);
      return this.#toClient.write(bytes);
    }
    const message = messageOf(bytes);
    if (message.is === "answer") return this.#answered(bytes, message);
    if (message.is === "request" && message.method === acpMethods.permission) {
      const sessionId = string(fields(message.params)?.sessionId);
      if (sessionId !== undefined) this.#permissions.asked(message.id, sessionId);
    }
    // What is no message goes to the client too: so it would without us.
    return this.#toClient.write(bytes);
  }

  async #answered(bytes: Buffer, { id, result, error, value }: Message & { is: "answer" }): Promise<void> {
    const steered = this.#steered.get(keyOf(id));
    if (steered !== undefined) {
      this.#steered.delete(keyOf(id));
      void this.#do(this.#turns.steered(steered, outcomeOf(result, error)));
      return;
    }
    const method = this.#asked.get(keyOf(id));
    this.#asked.delete(keyOf(id));
    if (method === acpMethods.initialize && error === undefined) {
      const { message, busy, steering } = merged(value, this.#holder.capabilities);
      this.#busy = busy;
      this.#steering = steering;
      this.#aside = message === undefined;
      return message ? this.#toClient.send(message) : this.#toClient.write(bytes);
    }
    await this.#toClient.write(bytes);
    // Only now: what answers the next prompt comes after the answer to this one.
    void this.#do(this.#turns.answered(id, { result, error }));
  }

  // What the turns want

  /**
   * Written at once, in this order. Who reads the agent must not wait for what is returned: an agent that cannot say what it
   * has to say takes nothing in.
   */
  async #do(effects: readonly Effect[]): Promise<void> {
    await Promise.all(effects.map((effect) => this.#one(effect)));
  }

  #one(effect: Effect): Promise<void> | undefined {
    switch (effect.do) {
      case "forward":
        return this.#toAgent.write(effect.prompt.line);
      case "cancel":
        return this.#interrupt(effect.sessionId);
      case "steer":
        return this.#steer(effect.prompt);
      case "answer":
        void this.#toClient.send({ jsonrpc: "2.0", id: effect.id, result: effect.result });
        return undefined;
      case "refuse": {
        const { id, code, message, data } = effect;
        this.#refuse(id, { code, message, ...(data !== undefined && { data }) });
        return undefined;
      }
    }
  }

  #interrupt(sessionId: string): Promise<void> {
    const running = this.#turns.running(sessionId);
    const limit = this.#options.interruptLimit ?? INTERRUPT_LIMIT;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#turns.running(sessionId) === running) void this.#do(this.#turns.stuck(sessionId, limit));
    }, limit);
    timer.unref();
    this.#timers.add(timer);
    void this.#toAgent.send({ jsonrpc: "2.0", method: acpMethods.cancel, params: { sessionId } });
    for (const id of this.#permissions.withdraw(sessionId)) {
      void this.#toAgent.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
      void this.#toClient.send({
        jsonrpc: "2.0",
        method: acpMethods.cancelRequest,
        params: { requestId: id },
      });
    }
    return this.#toAgent.write("");
  }

  #steer(prompt: Prompt): Promise<void> {
    if (this.#steering === "merges") {
      // Both are answered by the agent itself.
      this.#turns.merges(prompt.id);
      return this.#toAgent.write(prompt.line);
    }
    const id = `${OWN}${++this.#lastId}`;
    this.#steered.set(keyOf(id), prompt.id);
    const { sessionId, content } = prompt;
    // An idle agent would start a turn that nobody waits for.
    const _meta = { steering: { idleBehavior: "promptRequired" } };
    const params = { sessionId, prompt: content, _meta };
    return this.#toAgent.send({ jsonrpc: "2.0", id, method: acpMethods.steering, params });
  }

  #refuse(id: RpcId, error: { code: number; message: string; data?: unknown }): void {
    void this.#toClient.send({ jsonrpc: "2.0", id, error });
  }

  #log(error: unknown): void {
    this.#options.log(error instanceof Error ? error.message : String(error));
  }
}

function isStateMethod(method: string): boolean {
  return Object.values<string>(aspMethods).includes(method);
}

function withoutAsp(value: Fields, params: Fields): Fields {
  const { asp: _, ...rest } = fields(params._meta) ?? {};
  const { _meta, ...others } = params;
  return { ...value, params: { ...others, ...(Object.keys(rest).length > 0 && { _meta: rest }) } };
}

const LF = Buffer.from("\n");

/** An agent that ended in the middle of a line: what its client is told next stands on a line of its own. */
function isWhole(bytes: Buffer): boolean {
  return bytes.at(-1) === LF[0];
}

const UPDATE = Buffer.from('"method":"session/update"');
/** The method stands at a message's beginning, as every agent writes it; one that does not is read whole. */
const HEAD = 128;

/** Most messages are updates, and some are large: they are not parsed. */
function isUpdate(bytes: Buffer): boolean {
  return bytes.subarray(0, HEAD).includes(UPDATE);
}

function outcomeOf(result: unknown, error: unknown): "joined" | "idle" | { failed: string } {
  const outcome = string(fields(result)?.outcome);
  if (outcome === "injected") return "joined";
  if (outcome === "promptRequired") return "idle";
  return { failed: string(fields(error)?.message) ?? outcome ?? "no outcome" };
}

/** The other side has gone: nothing that anybody has to be told of. */
function isClosed(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    code === "ERR_STREAM_PREMATURE_CLOSE" || code === "EPIPE" || code === "ECONNRESET" || code === "ABORT_ERR"
  );
}
