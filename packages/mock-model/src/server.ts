/**
 * A scripted stand-in for a model's API, inside this process: it listens on 127.0.0.1 only, speaks every
 * dialect at once and keeps the bodies of what it was asked. Headers, and so credentials, are not kept.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readBody } from "./body.js";
import type { DialectName } from "./dialects/dialect.js";
import { dialectNames, dialects } from "./dialects/index.js";
import { type JsonObject, parseObject } from "./json.js";
import { player } from "./player.js";
import { played, type Script } from "./script.js";
import { send, sendJson } from "./send.js";

export interface MockModelOptions extends Script {
  /** Default: a free one. */
  readonly port?: number;
  /** What a list of models names. Default: none. */
  readonly models?: readonly string[];
  /** Told of each request for an answer before it is answered. */
  readonly onRequest?: (request: ModelRequest) => void;
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

/** Starts a mock model on a port of 127.0.0.1. Rejects when it cannot be opened. */
export async function startMockModel(options: MockModelOptions = {}): Promise<MockModel> {
  const { port: wanted = 0, models = [], onRequest } = options;
  const requests: ModelRequest[] = [];
  const turnFor = player(options);
  let lastId = 0;
  const id = () => ++lastId;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://mock");
    const raw = await readBody(request);
    const dialect =
      request.method === "POST" ? dialectNames.find((name) => dialects[name].asks(path)) : undefined;
    if (!dialect) return sendJson(response, ...sideAnswer(path, models));

    const { answer, refusal } = dialects[dialect];
    const body = parseObject(raw);
    if (!body) return sendJson(response, 400, refusal(400, "the body is not a JSON object"));
    const asked: ModelRequest = { dialect, path, body };
    requests.push(asked);
    onRequest?.(asked);
    const turn = turnFor(body);
    if (typeof turn !== "string" && "status" in turn) {
      const message = turn.message ?? `refused with ${turn.status}, as the script says`;
      return sendJson(response, turn.status, refusal(turn.status, message));
    }
    const reply = answer({ path, query, body, ...played(turn, id), id });
    await send(response, reply, typeof turn === "string" ? {} : turn);
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
    server.listen(wanted, "127.0.0.1", ready);
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

/** What programs ask besides answers: HTTP status and JSON body. */
function sideAnswer(path: string, models: readonly string[]): [status: number, body: unknown] {
  if (path.endsWith("/count_tokens")) return [200, { input_tokens: 100 }];
  if (path.endsWith(":countTokens")) return [200, { totalTokens: 100 }];
  if (/:(batchE|e)mbedContents?$/.test(path)) return [200, { embeddings: [{ values: [0] }] }];
  if (path.endsWith("/models")) {
    const data = models.map((id) => ({ id, object: "model", owned_by: "mock" }));
    return [
      200,
      { object: "list", data, models: models.map((id) => ({ name: `models/${id}` })), has_more: false },
    ];
  }
  return [404, { error: { message: `the mock has no ${path}` } }];
}
