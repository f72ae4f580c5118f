import { request as httpRequest } from "node:http";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type MockModel, type MockModelOptions, startMockModel } from "./mock-model.js";
import type { Turn } from "./turn.js";

let model: MockModel | undefined;
afterEach(async () => {
  await model?.close();
  model = undefined;
});

async function start(options?: MockModelOptions): Promise<MockModel> {
  model = await startMockModel(options);
  return model;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
  return fetch(url, { method: "POST", body: bytes, headers });
}

/** The data of a stream's events, parsed. */
async function eventsOf(response: Response): Promise<unknown[]> {
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const text = await response.text();
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line): unknown => JSON.parse(line.slice(6)));
}

const everything: Turn = {
  blocks: [
    { type: "thinking", text: "hm", signature: "sig" },
    { type: "text", text: "Hello." },
    { type: "call", name: "look", input: { at: "it" }, id: "call_1" },
  ],
};

const endpoints = {
  anthropic: "/v1/messages",
  responses: "/responses",
  chat: "/chat/completions",
  gemini: "/v1beta/models/g:generateContent",
} as const;
const dialects = Object.keys(endpoints) as (keyof typeof endpoints)[];

describe.each(dialects)("%s", (dialect) => {
  const url = ({ url }: MockModel) => url(dialect) + endpoints[dialect];

  test("answers ok when nothing is scripted, as often as it is asked", async () => {
    const mock = await start();
    for (let i = 0; i < 2; i++) expect(await (await post(url(mock), {})).text()).toContain('"ok"');
  });

  test("plays each turn once, in order, then the fallback", async () => {
    const mock = await start({ turns: ["one", "two"], fallback: "rest" });
    const said: string[] = [];
    for (let i = 0; i < 4; i++) said.push(await (await post(url(mock), {})).text());
    expect(said.map((text) => /"(one|two|rest)"/.exec(text)?.[1])).toEqual(["one", "two", "rest", "rest"]);
  });

  test("keeps a turn for the request that it is meant for", async () => {
    const mock = await start({ turns: [{ match: "needle", blocks: [{ type: "text", text: "found" }] }] });
    expect(await (await post(url(mock), { a: "hay" })).text()).toContain('"ok"');
    expect(await (await post(url(mock), { a: "needle" })).text()).toContain('"found"');
  });

  test("refuses when the script says so", async () => {
    const mock = await start({ turns: [{ status: 529, message: "too much" }] });
    const response = await post(url(mock), {});
    expect(response.status).toBe(529);
    expect(await response.json()).toMatchObject({ error: { message: "too much" } });
  });

  test("records the bodies, also compressed ones, and no headers", async () => {
    const mock = await start();
    const body = { input: "äöü", stream: false };
    await post(url(mock), body, { authorization: "Bearer secret" });
    await post(url(mock), gzipSync(JSON.stringify(body)), { "content-encoding": "gzip" });
    await post(url(mock), zstdCompressSync(JSON.stringify(body)), { "content-encoding": "zstd" });
    const path = new URL(url(mock)).pathname;
    expect(mock.requests).toEqual(Array.from({ length: 3 }, () => ({ dialect, path, body })));
  });

  test("tells what is wrong with a body that it cannot read", async () => {
    const mock = await start();
    expect((await post(url(mock), new Uint8Array([1, 2, 3]))).status).toBe(400);
    expect((await post(url(mock), {}, { "content-encoding": "gzip" })).status).toBe(400);
    expect(mock.requests).toEqual([]);
  });
});

describe("streams", () => {
  test("Messages: each block is started, filled and stopped", async () => {
    const mock = await start({ turns: [everything] });
    const events = await eventsOf(await post(`${mock.url("anthropic")}/v1/messages`, { stream: true }));
    expect(events).toMatchObject([
      { type: "message_start", message: { role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "thinking" } },
      { delta: { type: "thinking_delta", thinking: "hm" } },
      { delta: { type: "signature_delta", signature: "sig" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { delta: { type: "text_delta", text: "Hello." } },
      { type: "content_block_stop", index: 1 },
      {
        type: "content_block_start",
        content_block: { type: "tool_use", id: "call_1", name: "look", input: {} },
      },
      { delta: { type: "input_json_delta", partial_json: '{"at":"it"}' } },
      { type: "content_block_stop", index: 2 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ]);
  });

  test("Responses: the events are numbered and the items whole at the end", async () => {
    const mock = await start({ turns: [everything] });
    const events = await eventsOf(await post(`${mock.url("responses")}/responses`, { stream: true }));
    expect(events.map((event) => (event as { sequence_number: number }).sequence_number)).toEqual([
      ...events.keys(),
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      response: {
        status: "completed",
        output: [
          { type: "reasoning", summary: [{ text: "hm" }], encrypted_content: "sig" },
          { type: "message", content: [{ type: "output_text", text: "Hello." }] },
          { type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":"it"}' },
        ],
      },
    });
  });

  test("Chat Completions: deltas, a reason to stop, and the end mark", async () => {
    const mock = await start({ turns: [everything] });
    const response = await post(`${mock.url("chat")}/chat/completions`, { stream: true });
    const text = await response.clone().text();
    expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
    expect(await eventsOf(response)).toMatchObject([
      { choices: [{ delta: { role: "assistant" } }] },
      { choices: [{ delta: { reasoning_content: "hm" } }] },
      { choices: [{ delta: { content: "Hello." } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, id: "call_1", function: { name: "look" } }] } }] },
      { choices: [{ finish_reason: "tool_calls" }] },
      { choices: [], usage: { total_tokens: 110 } },
    ]);
  });

  test("Gemini: one event with all parts", async () => {
    const mock = await start({ turns: [everything] });
    const url = `${mock.url("gemini")}/v1beta/models/gemini-x:streamGenerateContent?alt=sse`;
    expect(await eventsOf(await post(url, {}))).toMatchObject([
      {
        modelVersion: "gemini-x",
        candidates: [
          {
            content: {
              parts: [
                { text: "hm", thought: true, thoughtSignature: "sig" },
                { text: "Hello." },
                { functionCall: { name: "look", args: { at: "it" } } },
              ],
            },
          },
        ],
      },
    ]);
  });
});

test("what is not a question is answered and not recorded", async () => {
  const mock = await start();
  const base = mock.url("anthropic");
  expect(await (await post(`${base}/v1/messages/count_tokens`, {})).json()).toEqual({ input_tokens: 100 });
  expect(await (await fetch(`${base}/v1/models`)).json()).toMatchObject({ data: [] });
  expect((await fetch(`${base}/else`)).status).toBe(404);
  expect(mock.requests).toEqual([]);
});

test("a client that wants a WebSocket is sent back to HTTP", async () => {
  const mock = await start();
  const status = await new Promise((resolve, reject) => {
    const headers = { connection: "upgrade", upgrade: "websocket" };
    httpRequest(`${mock.url("responses")}/responses`, { headers })
      .on("response", (response) => resolve(response.statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(426);
});
