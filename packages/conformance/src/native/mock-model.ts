/**
 * A scripted stand-in for a model's API, inside this process: it listens on 127.0.0.1 only, speaks every
 * dialect at once and keeps the bodies of what it was asked. Headers, and so credentials, are not kept.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { DialectName, Reply } from "./dialects/dialect.js";
import { dialectNames, dialects } from "./dialects/index.js";
import { type JsonObject, parseObject } from "./json.js";
import { playedBlocks, type Turn } from "./turn.js";

export interface MockModelOptions {
  /** Answers, played in order and each once. */
  readonly turns?: readonly Turn[];
  /** The answer when no turn is left that fits. Default: the text "ok". */
  readonly fallback?: Turn;
}

/** One request for an answer. */
export interface ModelRequest {
  readonly dialect: DialectName;
  /** The path, without the query. */
  readonly path: string;
  /** The body, decompressed and parsed. */
  readonly body: JsonObject;
}

export interface MockModel {
  /** The base URL to give to a client that speaks this dialect. */
  url(dialect: DialectName): string;
  /** What was asked for an answer so far, oldest first. Token counts and lists of models are not in it. */
  readonly requests: readonly ModelRequest[];
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/** Starts a mock model on a free port of 127.0.0.1. Rejects when no port can be opened. */
export async function startMockModel(options: MockModelOptions = {}): Promise<MockModel> {
  const requests: ModelRequest[] = [];
  const waiting = [...(options.turns ?? [])];
  const fallback = options.fallback ?? "ok";
  let lastId = 0;
  const id = () => ++lastId;

  const takeTurn = (bodyText: string): Turn => {
    const at = waiting.findIndex(
      (turn) => typeof turn === "string" || turn.match === undefined || bodyText.includes(turn.match),
    );
    return (at < 0 ? undefined : waiting.splice(at, 1)[0]) ?? fallback;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://mock").pathname;
    const raw = await readBody(request);
    const dialect =
      request.method === "POST" ? dialectNames.find((name) => dialects[name].asks(path)) : undefined;
    if (!dialect) return sendJson(response, ...sideAnswer(path));

    const body = parseObject(raw);
    if (!body)
      return sendJson(response, 400, dialects[dialect].refusal(400, "the body is not a JSON object"));
    requests.push({ dialect, path, body });
    const turn = takeTurn(JSON.stringify(body));
    if (typeof turn !== "string" && "status" in turn) {
      const message = turn.message ?? `refused with ${turn.status}, as the script says`;
      return sendJson(response, turn.status, dialects[dialect].refusal(turn.status, message));
    }
    send(response, dialects[dialect].answer({ path, body, blocks: playedBlocks(turn, id), id }));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { error: { message: String(error) } });
    });
  });
  // Codex would rather have a WebSocket: this status makes it take plain HTTP at once, others after 6 seconds.
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((ready, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", ready);
  });
  const { port } = server.address() as AddressInfo;

  return {
    requests,
    url: (dialect) => `http://127.0.0.1:${port}${dialects[dialect].base}`,
    close: () =>
      new Promise((closed, failed) => {
        server.close((error) => (error ? failed(error) : closed()));
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return decompress(Buffer.concat(chunks), request.headers["content-encoding"]).toString("utf8");
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case undefined:
    case "identity":
      return bytes;
    case "zstd":
      return zstdDecompressSync(bytes);
    case "gzip":
      return gunzipSync(bytes);
    case "deflate":
      return inflateSync(bytes);
    case "br":
      return brotliDecompressSync(bytes);
    default:
      throw new Error(`the mock cannot read content-encoding ${encoding}`);
  }
}

/** What programs ask besides answers: HTTP status and JSON body. */
function sideAnswer(path: string): [status: number, body: unknown] {
  if (path.endsWith("/count_tokens")) return [200, { input_tokens: 100 }];
  if (path.endsWith(":countTokens")) return [200, { totalTokens: 100 }];
  if (path.endsWith("/models")) return [200, { object: "list", data: [], models: [], has_more: false }];
  return [404, { error: { message: `the mock has no ${path}` } }];
}

function send(response: ServerResponse, reply: Reply): void {
  if ("json" in reply) {
    sendJson(response, 200, reply.json);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { name, data } of reply.events) {
    const line = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${line}\n\n`);
  }
  response.end();
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
