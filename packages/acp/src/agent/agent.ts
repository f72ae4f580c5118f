/**
 * An ACP agent over a native store: it lists and replays what is there and carries state; it has no model and answers no
 * prompt. Nothing that a client sends ends it.
 */
import type { Readable, Writable } from "node:stream";
import type { InitializeResponse, ListSessionsResponse, SessionInfo } from "@agentclientprotocol/sdk";
import type { SessionRef } from "@asp-convert/core";
import { acpMethods, aspMethods, PROTOCOL_VERSION } from "../methods.js";
import { codes, RpcError } from "../rpc/errors.js";
import { openPeer, type Peer } from "../rpc/peer.js";
import type { HeldStore } from "../state/held.js";
import { checked, Holder } from "../state/holder.js";
import { InitializeParams, ListParams, SessionParams } from "./params.js";

/** Sessions in one answer to `session/list`. */
const LIST = 500;

export interface AgentOptions {
  held: HeldStore;
  input: Readable;
  output: Writable;
  /** Of this program, as it says it is. */
  version: string;
  /** Stops it. */
  signal?: AbortSignal;
}

/** Resolves when the client has closed its end and all it asked is answered. */
export async function serveStore({ held, input, output, version, signal }: AgentOptions): Promise<void> {
  const holder = new Holder(held);
  const agent = new StoreAgent(holder, version);
  const peer = openPeer(input, output, agent);
  agent.peer = peer;
  const stop = () => input.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await peer.closed.catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  } finally {
    signal?.removeEventListener("abort", stop);
    await holder.close();
  }
}

class StoreAgent {
  peer: Peer | undefined;
  readonly #holder: Holder;
  readonly #version: string;
  /** The client said that it takes `compaction_update`. */
  #compaction = false;

  constructor(holder: Holder, version: string) {
    this.#holder = holder;
    this.#version = version;
  }

  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    switch (method) {
      case acpMethods.initialize:
        return this.#initialize(params);
      case acpMethods.list:
        return this.#list(params, signal);
      case acpMethods.load:
        return this.#load(params, signal);
      case acpMethods.resume:
        await this.#session(params, signal);
        return {};
      case acpMethods.close:
        checked(SessionParams, params);
        return {};
      case acpMethods.prompt:
      case acpMethods.newSession:
        throw this.#onlyState(method);
      case aspMethods.describe:
      case aspMethods.export:
      case aspMethods.import:
        return this.#holder.answer(method, params, signal);
      default:
        throw new RpcError(codes.methodNotFound, `this agent has no method ${method}`, { method });
    }
  }

  #initialize(params: unknown): InitializeResponse {
    const { clientCapabilities } = checked(InitializeParams, params);
    this.#compaction = clientCapabilities?.session?.compaction != null;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "asp-convert", title: `${this.#name}, its state`, version: this.#version },
      authMethods: [],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: {},
        sessionCapabilities: { list: {}, resume: {}, close: {} },
        _meta: { asp: { agentState: this.#holder.capabilities } },
      },
    };
  }

  async #list(params: unknown, signal: AbortSignal): Promise<ListSessionsResponse> {
    const { cwd, cursor } = checked(ListParams, params ?? {});
    const start = cursor == null ? 0 : Number(cursor);
    if (!Number.isSafeInteger(start) || start < 0)
      throw new RpcError(codes.invalidParams, "the cursor is none of this agent's", { cursor });
    const all = (await this.#holder.sessions(signal)).filter((ref) => cwd == null || ref.cwd === cwd);
    const sessions = all.slice(start, start + LIST).map(infoOf);
    const next = start + LIST;
    return { sessions, ...(next < all.length && { nextCursor: String(next) }) };
  }

  async #load(params: unknown, signal: AbortSignal): Promise<object> {
    const ref = await this.#session(params, signal);
    for await (const update of this.#holder.updates(ref, this.#compaction, signal)) {
      signal.throwIfAborted();
      await this.peer?.notify(acpMethods.update, { sessionId: ref.id, update });
    }
    return {};
  }

  async #session(params: unknown, signal: AbortSignal): Promise<SessionRef> {
    const { sessionId } = checked(SessionParams, params);
    const ref = await this.#holder.session(sessionId, signal);
    if (ref) return ref;
    throw new RpcError(
      codes.notFound,
      `${this.#name} has no session ${sessionId} in ${this.#holder.held.root}`,
      {
        sessionId,
      },
    );
  }

  #onlyState(method: string): RpcError {
    const { id } = this.#holder.held.converter;
    return new RpcError(
      codes.invalidRequest,
      `this agent only carries the state of ${this.#name}: it shows and moves sessions, and answers no prompt. ` +
        `To talk, wrap the real agent: asp-convert serve --harness ${id} -- AGENT`,
      { method },
    );
  }

  get #name(): string {
    return this.#holder.held.converter.name;
  }
}

function infoOf({ id, cwd, title, updatedAt, createdAt, harness }: SessionRef): SessionInfo {
  const time = updatedAt ?? createdAt;
  return {
    sessionId: id,
    // ACP wants one, and an absolute one: a session without is shown as of the top.
    cwd: cwd ?? "/",
    ...(title !== undefined && { title }),
    ...(time !== undefined && { updatedAt: time }),
    _meta: { asp: { harness } },
  };
}
