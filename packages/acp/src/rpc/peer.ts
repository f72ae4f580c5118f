/**
 * One end of a JSON-RPC connection over two streams. Nothing that comes in ends it: what is no message, no method or
 * no params is answered with an error.
 */
import type { Readable, Writable } from "node:stream";
import { fields } from "@asp-convert/core/values";
import { codes, errorOf, RpcError } from "./errors.js";
import { LineWriter, MAX_LINE_BYTES, wireLines } from "./lines.js";
import { keyOf, type Message, messageOf, type RpcId } from "./message.js";

export interface PeerHandlers {
  /** Aborted when the other side cancels the request or the connection ends. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  notification?(method: string, params: unknown): void;
}

export interface Peer {
  /** @throws RpcError as the other side tells it, or when the connection ends first. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  /** Resolves when the other side has closed, and all that it asked is done. */
  readonly closed: Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function openPeer(
  input: Readable,
  output: Writable,
  handlers: PeerHandlers,
  maxLine: number = MAX_LINE_BYTES,
): Peer {
  const writer = new LineWriter(output, () => {
    for (const controller of running.values()) controller.abort();
  });
  const waiting = new Map<string, Waiting>();
  const running = new Map<string, AbortController>();
  const tasks = new Set<Promise<void>>();
  let lastId = 0;
  let ended = false;

  const closed = read().finally(async () => {
    ended = true;
    for (const { reject } of waiting.values()) reject(new RpcError(codes.internal, "the connection ended"));
    waiting.clear();
    // What was asked is answered still: `echo … | asp-convert serve` is a client too.
    await Promise.allSettled(tasks);
  });
  closed.catch(() => {});

  return {
    closed,
    notify: (method, params) => writer.send({ jsonrpc: "2.0", method, params }),
    async request(method, params, signal) {
      if (ended) throw new RpcError(codes.internal, "the connection has ended");
      signal?.throwIfAborted();
      const id = ++lastId;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(keyOf(id), { resolve, reject }));
      const cancel = () => {
        waiting.get(keyOf(id))?.reject(signal?.reason as Error);
        waiting.delete(keyOf(id));
        void writer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
      };
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        await writer.send({ jsonrpc: "2.0", id, method, params });
        return await answer;
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
  };

  async function read(): Promise<void> {
    for await (const { bytes, over } of wireLines(input, maxLine)) {
      if (over !== undefined) await refuse(null, codes.invalidRequest, tooLong(over, maxLine));
      else await take(messageOf(bytes));
    }
  }

  async function take(message: Message): Promise<void> {
    switch (message.is) {
      case "request":
        return start(message.id, message.method, message.params);
      case "notification":
        return told(message.method, message.params);
      case "answer":
        return settle(message);
      case "none":
        return refuse(message.id, message.parsed ? codes.invalidRequest : codes.parse, message.why);
    }
  }

  /** Requests run side by side; each answers when it is done. */
  function start(id: RpcId, method: string, params: unknown): void {
    const key = keyOf(id);
    const controller = new AbortController();
    running.set(key, controller);
    const task = answer(id, method, params, controller.signal).finally(() => {
      tasks.delete(task);
      if (running.get(key) === controller) running.delete(key);
    });
    tasks.add(task);
  }

  async function answer(id: RpcId, method: string, params: unknown, signal: AbortSignal): Promise<void> {
    try {
      const result = await handlers.request(method, params, signal);
      await writer.send({ jsonrpc: "2.0", id, result: result ?? null });
    } catch (error) {
      await writer.send({ jsonrpc: "2.0", id, error: errorOf(error) });
    }
  }

  function told(method: string, params: unknown): void {
    if (method === "$/cancel_request") {
      const { requestId } = fields(params) ?? {};
      if (typeof requestId === "string" || typeof requestId === "number")
        running.get(keyOf(requestId))?.abort();
      return;
    }
    try {
      handlers.notification?.(method, params);
    } catch {
      // Nobody waits for an answer to a notification, also not for an error.
    }
  }

  function settle({ id, result, error }: Extract<Message, { is: "answer" }>): void {
    const asked = waiting.get(keyOf(id));
    waiting.delete(keyOf(id));
    if (error === undefined || error === null) {
      asked?.resolve(result);
      return;
    }
    const { code, message, data } = fields(error) ?? {};
    const number = typeof code === "number" ? code : codes.internal;
    asked?.reject(new RpcError(number, typeof message === "string" ? message : "an error", data));
  }

  function refuse(id: RpcId, code: number, message: string): Promise<void> {
    return writer.send({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

export function tooLong(bytes: number, max: number): string {
  return `a message of ${bytes} bytes; at most ${max} are taken at once`;
}
