import { request as httpRequest } from "node:http";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { Turn } from "./script.js";
import { type MockModel, type MockModelOptions, startMockModel } from "./server.js";

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
      { delta: { type: "thinking_delta", thinking: "h" } },
      { delta: { type: "thinking_delta", thinking: "m" } },
      { delta: { type: "signature_delta", signature: "sig" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { delta: { type: "text_delta", text: "Hel" } },
      { delta: { type: "text_delta", text: "lo." } },
      { type: "content_block_stop", index: 1 },
      {
        type: "content_block_start",
        content_block: { type: "tool_use", id: "call_1", name: "look", input: {} },
      },
      { delta: { type: "input_json_delta", partial_json: '{"at":' } },
      { delta: { type: "input_json_delta", partial_json: '"it"}' } },
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
      { choices: [{ delta: { reasoning_content: "h" } }] },
      { choices: [{ delta: { reasoning_content: "m" } }] },
      { choices: [{ delta: { content: "Hel" } }] },
      { choices: [{ delta: { content: "lo." } }] },
      {
        choices: [
          { delta: { tool_calls: [{ index: 0, id: "call_1", function: { name: "look", arguments: "" } }] } },
        ],
      },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '"it"}' } }] } }] },
      { choices: [{ finish_reason: "tool_calls" }] },
      { choices: [], usage: { total_tokens: 110 } },
    ]);
  });

  test("Gemini: a part an event, the end with the last; without alt=sse the same as a list", async () => {
    const mock = await start({ turns: [everything, everything] });
    const url = `${mock.url("gemini")}/v1beta/models/gemini-x:streamGenerateContent`;
    const part = (part: object, more: object = {}) => ({
      modelVersion: "gemini-x",
      candidates: [{ content: { role: "model", parts: [part] }, ...more }],
    });
    const whole = [
      part({ text: "hm", thought: true, thoughtSignature: "sig" }),
      part({ text: "Hello." }),
      {
        ...part({ functionCall: { name: "look", args: { at: "it" } } }, { finishReason: "STOP" }),
        usageMetadata: { totalTokenCount: 110 },
      },
    ];
    const events = await eventsOf(await post(`${url}?alt=sse`, {}));
    expect(events).toMatchObject(whole);
    expect(events[0]).not.toHaveProperty("usageMetadata");
    expect(await (await post(url, {})).json()).toMatchObject(whole);
  });
});

describe("what a turn may say besides words", () => {
  const ask = (mock: MockModel, dialect: (typeof dialects)[number], body: object = {}) =>
    post(mock.url(dialect) + endpoints[dialect], body);
  const blocks = [{ type: "text", text: "cut sh" }] as const;

  test("that the model ran out of tokens, and how many there were", async () => {
    const turn: Turn = { blocks, finish: "length", usage: { input: 3, output: 2, cacheRead: 4 } };
    const mock = await start({ fallback: turn });
    const said = Object.fromEntries(
      await Promise.all(dialects.map(async (name) => [name, await (await ask(mock, name)).json()])),
    );
    expect(said).toMatchObject({
      anthropic: {
        stop_reason: "max_tokens",
        usage: { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 4 },
      },
      responses: {
        status: "incomplete",
        usage: { input_tokens: 7, input_tokens_details: { cached_tokens: 4 }, total_tokens: 9 },
      },
      chat: { choices: [{ finish_reason: "length" }], usage: { prompt_tokens: 7, total_tokens: 9 } },
      gemini: {
        candidates: [{ finishReason: "MAX_TOKENS" }],
        usageMetadata: { promptTokenCount: 7, cachedContentTokenCount: 4, totalTokenCount: 9 },
      },
    });
  });

  test("a thought that only its vendor can read", async () => {
    const mock = await start({ fallback: { blocks: [{ type: "redacted", data: "zzz" }] } });
    expect(await (await ask(mock, "anthropic")).json()).toMatchObject({
      content: [{ type: "redacted_thinking", data: "zzz" }],
    });
    expect(await (await ask(mock, "responses")).json()).toMatchObject({
      output: [{ type: "reasoning", summary: [], encrypted_content: "zzz" }],
    });
    expect(await (await ask(mock, "gemini")).json()).toMatchObject({
      candidates: [{ content: { parts: [{ thought: true, thoughtSignature: "zzz" }] } }],
    });
    expect(await (await ask(mock, "chat")).json()).toMatchObject({
      choices: [{ message: { content: null }, finish_reason: "stop" }],
    });
  });

  test("arguments that are no JSON", async () => {
    const mock = await start({ fallback: { blocks: [{ type: "call", name: "look", input: "{oops" }] } });
    const chat = await (await ask(mock, "chat")).json();
    expect(chat).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: "{oops" } }] } }],
    });
    const streamed = await eventsOf(await ask(mock, "anthropic", { stream: true }));
    const parts = streamed.flatMap(
      (event) => (event as { delta?: { partial_json?: string } }).delta?.partial_json ?? [],
    );
    expect(parts.join("")).toBe("{oops");
  });

  test("that the answer takes its time, and ends when nobody waits for it", async () => {
    const mock = await start({
      turns: [
        { blocks, delay: 60_000 },
        { blocks, delay: 50 },
      ],
    });
    const gone = new AbortController();
    const url = mock.url("anthropic") + endpoints.anthropic;
    const slow = await fetch(url, { method: "POST", body: '{"stream":true}', signal: gone.signal });
    const reader = slow.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("message_start");
    gone.abort();
    await expect(reader?.read()).rejects.toThrow();
    const began = performance.now();
    await ask(mock, "anthropic");
    expect(performance.now() - began).toBeGreaterThan(40);
    expect(mock.requests.length).toBe(2);
  });

  test("that the connection breaks", async () => {
    const mock = await start({ fallback: { blocks, cut: true } });
    for (const dialect of dialects)
      await expect(ask(mock, dialect).then((answer) => answer.text())).rejects.toThrow();
    const halved = await ask(mock, "anthropic", { stream: true });
    const reader = halved.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("message_start");
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow();
  });
});

describe("which request an answer is for", () => {
  const asking = {
    anthropic: {
      system: [{ type: "text", text: "You are kind" }],
      messages: [
        { role: "user", content: "first" },
        { role: "user", content: [{ type: "text", text: "name it" }] },
        { role: "user", content: [{ type: "tool_result", content: [] }] },
      ],
    },
    responses: {
      instructions: "You are kind",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "name it" }] }],
    },
    chat: {
      messages: [
        { role: "system", content: "You are kind" },
        { role: "user", content: "name it" },
      ],
    },
    gemini: {
      systemInstruction: { parts: [{ text: "You are kind" }] },
      contents: [{ role: "user", parts: [{ text: "name it" }] }],
    },
  };

  test.each(dialects)(
    "%s: by its system prompt, its last words, its tools; as often as it is asked",
    async (dialect) => {
      const mock = await start({
        rules: [
          { when: { system: "kind", lastUser: "name", noTools: true }, turn: "a title" },
          { when: { lastUser: "first" }, turn: "never" },
        ],
        turns: ["the turn"],
      });
      const url = mock.url(dialect) + endpoints[dialect];
      const say = async (more: object) => (await post(url, { ...asking[dialect], ...more })).text();
      expect(await say({})).toContain("a title");
      expect(await say({ tools: [{ name: "t" }] })).toContain("the turn");
      expect(await say({})).toContain("a title");
      expect(await (await post(url, {})).text()).toContain('"ok"');
    },
  );
});

test("what is not a question is answered and not recorded", async () => {
  const mock = await start();
  const base = mock.url("anthropic");
  expect(await (await post(`${base}/v1/messages/count_tokens`, {})).json()).toEqual({ input_tokens: 100 });
  expect(await (await fetch(`${base}/v1/models`)).json()).toMatchObject({ data: [] });
  const embed = await post(`${base}/v1beta/models/e:embedContent`, {});
  expect(await embed.json()).toMatchObject({ embeddings: [{}] });
  expect((await fetch(`${base}/else`)).status).toBe(404);
  expect(mock.requests).toEqual([]);
});

test("names the models that it is given, and tells of each request", async () => {
  const seen: string[] = [];
  const mock = await start({ models: ["m-1"], onRequest: ({ path }) => seen.push(path) });
  expect(await (await fetch(`${mock.url("chat")}/models`)).json()).toMatchObject({ data: [{ id: "m-1" }] });
  await post(`${mock.url("chat")}/chat/completions`, {});
  expect(seen).toEqual(["/v1/chat/completions"]);
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
