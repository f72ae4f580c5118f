/** An ACP client that reads and moves state: it never prompts, and decides nothing that an agent asks. */
import { type Fields, fields, list, string } from "@asp-convert/core/values";
import { type AspCapabilities, InitializeAnswer } from "../forms/capabilities.js";
import { acpMethods, aspMethods, PROTOCOL_VERSION } from "../methods.js";
import { codes, RpcError } from "../rpc/errors.js";
import { openPeer, type Peer } from "../rpc/peer.js";
import { type StartOptions, startAgent } from "../wrapper/agent-process.js";

export interface ConnectOptions extends StartOptions {
  version: string;
  /** Of one request (ms). */
  limit?: number;
  signal?: AbortSignal | undefined;
}

export interface SessionHead {
  sessionId: string;
  cwd: string | undefined;
  title: string | undefined;
  updatedAt: string | undefined;
}

/** Cold starts, and stores with thousands of sessions. */
const LIMIT = 300_000;

export class AgentClient {
  /** As it calls itself. */
  readonly name: string;
  readonly asp: AspCapabilities;
  readonly #capabilities: Fields;
  readonly #peer: Peer;
  readonly #limit: number;
  readonly #stop: () => Promise<void>;
  readonly #signal: AbortSignal | undefined;
  readonly #onUpdate: Set<(params: Fields) => void>;

  private constructor(
    hello: Fields,
    peer: Peer,
    onUpdate: Set<(params: Fields) => void>,
    stop: () => Promise<void>,
    { limit = LIMIT, signal }: ConnectOptions,
  ) {
    const { agentInfo, agentCapabilities } = hello;
    const info = fields(agentInfo);
    this.name = string(info?.title) ?? string(info?.name) ?? "the agent";
    this.#capabilities = fields(agentCapabilities) ?? {};
    const parsed = InitializeAnswer.safeParse(hello);
    this.asp = parsed.data?.agentCapabilities?._meta?.asp ?? {};
    this.#peer = peer;
    this.#onUpdate = onUpdate;
    this.#stop = stop;
    this.#limit = limit;
    this.#signal = signal;
  }

  /** @param command a command line for the shell. @throws Error in words when it does not start or is no agent. */
  static async connect(command: string, options: ConnectOptions): Promise<AgentClient> {
    const process = startAgent([command], { ...options, shell: true });
    const listeners = new Set<(params: Fields) => void>();
    const peer = openPeer(process.stdout, process.stdin, {
      request: async (method) => answerTo(method),
      notification(method, params) {
        if (method === acpMethods.update) for (const listener of listeners) listener(fields(params) ?? {});
      },
    });
    const gone = process.exited.then((code) => {
      throw new Error(`\`${command}\` ended with exit code ${code} before it was done`);
    });
    gone.catch(() => {});
    const stop = () => process.stop();
    try {
      const params = {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: "asp-convert", version: options.version },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      };
      const asked = limited(peer, acpMethods.initialize, params, options.limit ?? LIMIT, options.signal);
      const hello = await Promise.race([asked, gone]);
      return new AgentClient(fields(hello) ?? {}, peer, listeners, stop, options);
    } catch (error) {
      await stop();
      throw error;
    }
  }

  get canList(): boolean {
    return fields(this.#capabilities.sessionCapabilities)?.list != null;
  }

  /** How a conversation of it can be looked at: replayed, only opened, or not at all. */
  get opens(): "load" | "resume" | undefined {
    if (this.#capabilities.loadSession === true) return "load";
    return fields(this.#capabilities.sessionCapabilities)?.resume != null ? "resume" : undefined;
  }

  request(method: string, params: unknown): Promise<unknown> {
    return limited(this.#peer, method, params, this.#limit, this.#signal);
  }

  describe(): Promise<unknown> {
    return this.request(aspMethods.describe, {});
  }

  /** Every session, in the order of the agent. */
  async sessions(): Promise<SessionHead[]> {
    const found: SessionHead[] = [];
    let cursor: string | undefined;
    do {
      const page = fields(await this.request(acpMethods.list, cursor === undefined ? {} : { cursor })) ?? {};
      for (const each of list(page.sessions)) {
        const { sessionId, cwd, title, updatedAt } = fields(each) ?? {};
        if (typeof sessionId !== "string") continue;
        found.push({ sessionId, cwd: string(cwd), title: string(title), updatedAt: string(updatedAt) });
      }
      cursor = string(page.nextCursor);
    } while (cursor !== undefined);
    return found;
  }

  /** The updates of a conversation, as the agent replays them; empty where it only opens it. */
  async open(sessionId: string, cwd: string): Promise<Fields[]> {
    const updates: Fields[] = [];
    const listener = (params: Fields) => {
      if (params.sessionId === sessionId) updates.push(fields(params.update) ?? {});
    };
    this.#onUpdate.add(listener);
    try {
      const method = this.opens === "load" ? acpMethods.load : acpMethods.resume;
      await this.request(method, { sessionId, cwd, mcpServers: [] });
      return updates;
    } finally {
      this.#onUpdate.delete(listener);
    }
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

/** Nobody is there to decide. */
function answerTo(method: string): unknown {
  if (method === acpMethods.permission) return { outcome: { outcome: "cancelled" } };
  throw new RpcError(codes.methodNotFound, `this client has no method ${method}`);
}

async function limited(
  peer: Peer,
  method: string,
  params: unknown,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const time = AbortSignal.timeout(limit);
  try {
    return await peer.request(method, params, signal ? AbortSignal.any([signal, time]) : time);
  } catch (error) {
    signal?.throwIfAborted();
    if (time.aborted) throw new Error(`${method}: no answer in ${limit / 1000} s`);
    throw error instanceof RpcError
      ? new RpcError(error.code, `${method}: ${error.message}`, error.data)
      : error;
  }
}
