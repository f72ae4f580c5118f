/** `serve --harness ID`: an ACP client, ACP's own SDK, opens and reads the sessions of any store. */
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { serveStore, updateReader } from "@asp-convert/acp";
import { describe, expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";
import { held, scene } from "./support.js";

const { environment, newFolder } = scene();

const cases: [HarnessId, string][] = [
  ["claude", "tools"],
  ["codex", "tools"],
  ["opencode", "tools"],
  ["pi", "tools"],
];

/** Lines in, lines out. */
function serving(harness: HarnessId, root: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = serveStore({
    held: held(harnesses[harness].converter, root, environment),
    input,
    output,
    version: "0",
  });
  return { input, output, done };
}

describe.each(cases)("%s", (harness, name) => {
  test("an editor lists, loads and reads", async () => {
    const { input, output, done } = serving(
      harness,
      join(fixturesRoot, harness, name, harnesses[harness].store),
    );
    const updates: acp.SessionNotification[] = [];
    const connection = acp
      .client({ name: "editor" })
      .onNotification("session/update", ({ params }) => {
        updates.push(params);
      })
      .connect(
        acp.ndJsonStream(
          Writable.toWeb(input) as WritableStream<Uint8Array>,
          Readable.toWeb(output) as ReadableStream<Uint8Array>,
        ),
      );
    const { agent } = connection;
    const hello = await agent.request("initialize", { protocolVersion: 2, clientCapabilities: {} });
    expect(hello).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        _meta: { asp: { agentState: { export: expect.arrayContaining(["sessions"]) } } },
      },
    });
    const { sessions } = await agent.request("session/list", {});
    const [first] = sessions;
    expect(first).toBeDefined();
    const { sessionId = "", cwd = "" } = first ?? {};
    await agent.request("session/load", { sessionId, cwd, mcpServers: [] });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const kinds = new Set(updates.map(({ update }) => update.sessionUpdate));
    for (const kind of ["user_message_chunk", "agent_message_chunk", "tool_call", "tool_call_update"])
      expect(kinds).toContain(kind);
    // What the SDK lets through is the whole conversation still.
    const reader = updateReader();
    const origin = { record: 0, file: 0, offset: 0, length: 0 };
    const events = updates.flatMap(({ update }) => reader.push(update, origin)).concat(reader.end());
    expect(events[0]?.type).toBe("session.started");
    expect(events.filter(({ type }) => type === "tool.completed").length).toBeGreaterThan(0);
    expect(await agent.request("session/resume", { sessionId, cwd, mcpServers: [] })).toEqual({});
    expect(await agent.request("session/close", { sessionId })).toEqual({});
    await expect(agent.request("session/prompt", { sessionId, prompt: [] })).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining("only carries the state"),
    });
    await expect(
      agent.request("session/load", { sessionId: "none", cwd, mcpServers: [] }),
    ).rejects.toMatchObject({
      code: -32002,
    });
    input.end();
    await done;
  });
});

test("nothing that a client sends ends it", async () => {
  const { input, output, done } = serving("claude", newFolder());
  const said: { id?: unknown; error?: { code: number }; result?: unknown }[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    rest += chunk.toString();
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    said.push(...lines.map((line) => JSON.parse(line)));
  });
  const lines = [
    "garbage",
    "[]",
    "[1,2]",
    "null",
    '"text"',
    "{}",
    '{"jsonrpc":"2.0","id":{},"method":"initialize"}',
    '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    '{"jsonrpc":"2.0","id":2,"method":"initialize","params":7}',
    '{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":["a"]}}',
    '{"jsonrpc":"2.0","id":4,"method":"_asp/state/export","params":{"kinds":"all"}}',
    '{"jsonrpc":"2.0","id":5,"method":"_asp/state/export","params":{"kinds":[],"_meta":{"asp":{"cursor":"x"}}}}',
    '{"jsonrpc":"2.0","id":6,"method":"_asp/state/import","params":{"state":{"sessions":[{"sessionId":"s"}]}}}',
    '{"jsonrpc":"2.0","id":7,"method":"_asp/state/import","params":{"state":{"sessions":[{"sessionId":"s","updates":[],"_meta":{"asp":{"part":3}}}]}}}',
    '{"jsonrpc":"2.0","method":"session/cancel","params":{}}',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","method":"$/cancel_request","params":null}',
    `{"jsonrpc":"2.0","id":8,"method":"x","params":"${"a".repeat(1_000_000)}"}`,
    '{"jsonrpc":"2.0","id":"last","method":"_asp/state/describe","params":{}}',
  ];
  input.write(Buffer.from([0xff, 0xfe, 0x0a]));
  for (const line of lines) input.write(`${line}\n`);
  input.write('{"half":');
  input.end();
  await done;
  expect(said.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
    -32700, -32700, -32600, -32600, -32600, -32600, -32600, -32600, -32700,
  ]);
  const byId = (id: unknown) => said.find((each) => each.id === id)?.error?.code;
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(byId)).toEqual([
    -32601, -32602, -32602, -32602, -32602, -32602, -32602, -32601,
  ]);
  expect(said.find(({ id }) => id === "last")?.result).toEqual({ kinds: { sessions: 0 } });
});

test("a line over the bound is refused, and the next one is read", async () => {
  const { input, output, done } = serving("claude", newFolder());
  output.resume();
  const text: Buffer[] = [];
  output.on("data", (chunk: Buffer) => text.push(chunk));
  const part = Buffer.alloc(1024 * 1024, "a");
  for (let i = 0; i < 70; i++)
    if (!input.write(part)) await new Promise((resolve) => input.once("drain", resolve));
  input.end('\n{"jsonrpc":"2.0","id":1,"method":"_asp/state/describe","params":{}}\n');
  await done;
  const lines = Buffer.concat(text).toString().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { id: null, error: { code: -32600, message: expect.stringContaining("at most") } },
    { id: 1, result: { kinds: { sessions: 0 } } },
  ]);
});
