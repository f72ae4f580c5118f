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
import { Effects } from "./effects.js";
import { clamped, merged } from "./initialize.js";
import { isClosed, isStateMethod, isUpdate, whole, withoutAsp } from "./lines.js";
import { Permissions } from "./permissions.js";
import { Turns } from "./turns.js";

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
  readonly #effects: Effects;
  #busy: readonly Busy[] = ["queue", "interrupt"];
  /** The agent speaks ASP by itself: nothing is answered in its place. */
  #aside = false;

  constructor(options: WrapperOptions) {
    this.#options = options;
    this.#holder = new Holder(options.held);
    this.#toClient = new LineWriter(options.output);
    this.#toAgent = new LineWriter(options.agent.stdin);
    this.#effects = new Effects({
      toClient: this.#toClient,
      toAgent: this.#toAgent,
      turns: this.#turns,
      permissions: this.#permissions,
      interruptLimit: options.interruptLimit ?? INTERRUPT_LIMIT,
    });
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
      this.#effects.close();
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
    void this.#effects.carryOut(this.#turns.ended(message));
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
      void this.#effects.carryOut(this.#turns.cancelled(sessionId));
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
      void this.#effects.carryOut(this.#turns.cancelled(sessionId));
    if (
      method === acpMethods.cancelRequest &&
      (typeof requestId === "string" || typeof requestId === "number")
    ) {
      const own = this.#own.get(keyOf(requestId));
      const waiting = this.#turns.withdrawn(requestId);
      own?.abort();
      if (waiting) void this.#effects.carryOut(waiting);
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
    return this.#effects.carryOut(
      this.#turns.prompt({ id, sessionId, line, content }, asked as Busy | undefined),
    );
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
        if (over === undefined) await this.#fromAgent(whole(bytes));
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
    if (this.#effects.answered(id, result, error)) return;
    const method = this.#asked.get(keyOf(id));
    this.#asked.delete(keyOf(id));
    if (method === acpMethods.initialize && error === undefined) {
      const { message, busy, steering } = merged(value, this.#holder.capabilities);
      this.#busy = busy;
      this.#effects.steering = steering;
      this.#aside = message === undefined;
      return message ? this.#toClient.send(message) : this.#toClient.write(bytes);
    }
    await this.#toClient.write(bytes);
    // Only now: what answers the next prompt comes after the answer to this one.
    void this.#effects.carryOut(this.#turns.answered(id, { result, error }));
  }

  #refuse(id: RpcId, error: { code: number; message: string; data?: unknown }): void {
    void this.#toClient.send({ jsonrpc: "2.0", id, error });
  }

  #log(error: unknown): void {
    this.#options.log(error instanceof Error ? error.message : String(error));
  }
}
