/** A client of `codex app-server`: one JSON-RPC object a line over standard input and output. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { asObject, asString, type JsonObject, parseObject } from "./json.js";
import { killGroup, type RunOptions } from "./run.js";

export interface AppServer {
  /** Calls a method and gives its result. Rejects with the server's words when it refuses, ends or takes too long. */
  call(method: string, params?: JsonObject): Promise<JsonObject>;
}

/** Runs a task with a started and initialized app-server, and ends the server whatever happens. */
export async function withAppServer<T>(
  program: string,
  args: readonly string[],
  options: RunOptions,
  task: (server: AppServer) => Promise<T>,
): Promise<T> {
  const child = spawn(program, ["app-server", ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const timer = setTimeout(() => killGroup(child), options.limit);
  try {
    const server = talkTo(child);
    await server.call("initialize", { clientInfo: { name: "asp-convert", title: null, version: "0" } });
    return await task(server);
  } finally {
    clearTimeout(timer);
    await end(child);
  }
}

function talkTo(child: ChildProcessByStdio<Writable, Readable, Readable>): AppServer {
  const waiting = new Map<number, PromiseWithResolvers<JsonObject>>();
  let lastId = 0;
  let complaint = "";
  let ended: Error | undefined;
  const fail = (error: Error) => {
    ended = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString("utf8");
  });
  child.once("error", fail);
  child.once("close", () => fail(new Error(`codex app-server ended: ${complaint.slice(-500)}`)));
  child.stdin.on("error", () => {}); // it says so by ending, too
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = parseObject(line);
    if (message === undefined || "method" in message) return; // a notification, or a question we do not answer
    const call = waiting.get(Number(message.id));
    waiting.delete(Number(message.id));
    const error = asObject(message.error);
    if (error) call?.reject(new Error(asString(error.message) ?? JSON.stringify(error)));
    else call?.resolve(asObject(message.result) ?? {});
  });

  return {
    call(method, params = {}) {
      if (ended) return Promise.reject(ended);
      const id = ++lastId;
      const call = Promise.withResolvers<JsonObject>();
      waiting.set(id, call);
      child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
      return call.promise;
    },
  };
}

/** Lets the server end by closing its input; kills it when it does not within 2 seconds. */
async function end(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.stdin.end();
  const timer = setTimeout(() => killGroup(child), 2_000);
  await closed;
  clearTimeout(timer);
}
