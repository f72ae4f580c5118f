/** Puts an answer on the wire: in one piece, or as server-sent events; at once, in its own time, or by halves. */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Reply, ServerEvent } from "./dialects/dialect.js";
import type { AnswerTurn } from "./script.js";

export type Manner = Pick<AnswerTurn, "delay" | "cut">;

export async function send(response: ServerResponse, reply: Reply, manner: Manner): Promise<void> {
  if ("json" in reply) {
    await pause(response, manner);
    if (manner.cut) response.destroy();
    else sendJson(response, 200, reply.json);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const middle = Math.ceil(reply.events.length / 2);
  for (const event of reply.events.slice(0, middle)) response.write(lines(event));
  await pause(response, manner);
  if (manner.cut) {
    // What was written is to arrive before the end does.
    await new Promise<void>((flushed) => response.write(":\n\n", () => flushed()));
    response.destroy();
    return;
  }
  for (const event of reply.events.slice(middle)) response.write(lines(event));
  response.end();
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Ends early when the client goes. */
async function pause(response: ServerResponse, { delay = 0 }: Manner): Promise<void> {
  if (delay === 0) return;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await wait(delay, undefined, { signal: gone.signal }).catch(() => undefined);
}

function lines({ name, data }: ServerEvent): string {
  const line = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${line}\n\n`;
}
