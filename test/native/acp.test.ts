/**
 * Real ACP agents, wrapped: what the wrapper adds is there, what it says of the store is so, a conversation goes on in another
 * agent, and a prompt that comes while a turn runs does what it says.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AcpAgent, type AcpAgentName, acpAgents } from "@asp-convert/conformance/native";
import { type MockModel, startMockModel, type Turn } from "@asp-convert/mock-model";
import { afterEach, describe, expect, test } from "vitest";
import { type Line, startWire, type Wire } from "../acp/wire.js";
import { program } from "../cli/run.js";

const names: AcpAgentName[] = ["opencode", "codex", "claude"];

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

interface Scene {
  cwd: string;
  agent(name: AcpAgentName, mock: MockModel): Promise<AcpAgent>;
  mock(turns: readonly Turn[]): Promise<MockModel>;
}

function scene(): Scene {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "asp-acp-native-")));
  cleanUp.push(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const cwd = join(base, "project");
  mkdirSync(cwd);
  let agents = 0;
  return {
    cwd,
    agent(name, mock) {
      const folder = join(base, `${name}-${agents++}`);
      for (const each of ["home", "tmp"]) mkdirSync(join(folder, each), { recursive: true });
      return acpAgents[name]({ folder, mock, cwd });
    },
    async mock(turns) {
      // Titles and the like are asked for without tools.
      const mock = await startMockModel({
        turns,
        rules: [{ when: { noTools: true }, turn: "A title" }],
        fallback: "more",
      });
      cleanUp.push(() => mock.close());
      return mock;
    },
  };
}

const serve = (name: AcpAgentName, agent: AcpAgent) => [
  process.execPath,
  program,
  ...["serve", "--harness", name, "--", ...agent.command],
];

async function wrapped(
  name: AcpAgentName,
  agent: AcpAgent,
  cwd: string,
  permission: Parameters<typeof startWire>[1]["permission"] = ({ options }) => ({
    outcome: "selected",
    optionId: (options as { optionId: string; kind: string }[]).find(({ kind }) => kind === "allow_once")
      ?.optionId,
  }),
): Promise<Wire & { hello: Line }> {
  const wire = startWire(serve(name, agent), { env: agent.env, cwd, permission });
  cleanUp.push(() => {
    wire.end();
    return wire.exited;
  });
  const hello = await wire.ask("initialize", {
    protocolVersion: 2,
    clientInfo: { name: "test", version: "0" },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  return { ...wire, hello };
}

async function newSession(wire: Wire, cwd: string): Promise<string> {
  const { result, error } = await wire.ask("session/new", { cwd, mcpServers: [] });
  expect(error).toBeUndefined();
  return String(result?.sessionId);
}

const text = (words: string) => [{ type: "text", text: words }];

/** A field of a message that is there: else the test fails in the next line. */
const of = <T>(value: Readonly<Record<string, unknown>> | undefined, key: string) => value?.[key] as T;

/** What the client saw said, from a place in its lines on. */
const said = (lines: readonly Line[]) =>
  lines
    .filter(({ method }) => method === "session/update")
    .map(({ params }) => params?.update as { sessionUpdate: string; content?: { text?: string } })
    .filter(({ sessionUpdate }) => /^(user|agent)_message_chunk$/.test(sessionUpdate))
    .map(({ content }) => content?.text ?? "")
    .join("");

/** What the talk's model was sent last: a request beside the talk, for a title, offers it no tools. */
const messages = (mock: MockModel) =>
  JSON.stringify(mock.requests.findLast(({ body }) => of<unknown[]>(body, "tools")?.length)?.body);

describe.each(names)("%s, wrapped", (name) => {
  test("is what it is, and says what was added", async () => {
    const { agent, mock, cwd } = scene();
    const model = await mock(["First answer.", "Second answer."]);
    const real = await agent(name, model);
    const wire = await wrapped(name, real, cwd);
    expect(wire.hello.result).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: expect.stringMatching(/opencode|codex-acp|claude-agent-acp/i) },
      agentCapabilities: {
        loadSession: true,
        _meta: {
          asp: {
            steering: { busy: ["queue", "interrupt", "steer"] },
            agentState: {
              export: expect.arrayContaining(["sessions"]),
              import: expect.arrayContaining(["sessions"]),
            },
          },
        },
      },
    });
    const sessionId = await newSession(wire, cwd);
    const answer = await wire.ask("session/prompt", { sessionId, prompt: text("Hello there") });
    expect(answer.result).toMatchObject({ stopReason: "end_turn" });
    expect(said(wire.lines)).toContain("First answer.");

    const { result: counted } = await wire.ask("_asp/state/describe", {});
    const { result: exported } = await wire.ask("_asp/state/export", { kinds: ["sessions"] });
    const { sessions } = of<{ sessions: { sessionId: string; updates: object[]; cwd: string }[] }>(
      exported,
      "state",
    );
    expect(of<Record<string, number>>(counted, "kinds").sessions).toBe(sessions.length);
    expect(sessions).toMatchObject([{ sessionId, harness: name, cwd }]);
    expect(JSON.stringify(sessions[0]?.updates)).toMatch(/Hello there.*First answer\./);

    const refused = await wire.ask("session/prompt", {
      sessionId,
      prompt: text("x"),
      _meta: { asp: { busy: "drop" } },
    });
    expect(refused.error).toMatchObject({
      code: -32602,
      data: { busy: "drop", supported: ["queue", "interrupt", "steer"] },
    });
    // What is asked of it is not in what the agent gets.
    const queued = await wire.ask("session/prompt", {
      sessionId,
      prompt: text("Again"),
      _meta: { asp: { busy: "queue" } },
    });
    expect(queued.result).toMatchObject({ stopReason: "end_turn" });
    expect(messages(model)).toContain("First answer.");
  });

  test("queue: the second answer begins after the first has ended", async () => {
    const { agent, mock, cwd } = scene();
    const model = await mock([{ blocks: [{ type: "text", text: "ANSWER ONE" }], delay: 1500 }, "ANSWER TWO"]);
    const wire = await wrapped(name, await agent(name, model), cwd);
    const sessionId = await newSession(wire, cwd);
    const first = wire.ask("session/prompt", { sessionId, prompt: text("one") });
    await spoken(wire);
    const second = wire.ask("session/prompt", {
      sessionId,
      prompt: text("two"),
      _meta: { asp: { busy: "queue" } },
    });
    const busy = await wire.ask("_asp/state/export", { kinds: ["sessions"] });
    expect(busy.error).toMatchObject({ code: -32600, data: { sessions: [sessionId] } });
    const [one, two] = await Promise.all([first, second]);
    expect([one.result, two.result]).toMatchObject([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
    const at = wire.lines.indexOf(one);
    expect(said(wire.lines.slice(0, at))).toContain("ANSWER ONE");
    expect(said(wire.lines.slice(0, at))).not.toContain("ANSWER TWO");
    expect(said(wire.lines.slice(at))).toContain("ANSWER TWO");
  });

  test("interrupt: the first is cancelled, the second is answered", async () => {
    const { agent, mock, cwd } = scene();
    const model = await mock([
      { blocks: [{ type: "text", text: "NEVER READ TO ITS END" }], delay: 20_000 },
      "ANSWER TWO",
    ]);
    const wire = await wrapped(name, await agent(name, model), cwd);
    const sessionId = await newSession(wire, cwd);
    const first = wire.ask("session/prompt", { sessionId, prompt: text("one") });
    await spoken(wire);
    const second = wire.ask("session/prompt", {
      sessionId,
      prompt: text("two"),
      _meta: { asp: { busy: "interrupt" } },
    });
    expect((await first).result).toMatchObject({ stopReason: "cancelled" });
    expect((await second).result).toMatchObject({ stopReason: "end_turn" });
    expect(said(wire.lines.slice(wire.lines.indexOf(await first)))).toContain("ANSWER TWO");
  });

  test("steer: one answer for both", async () => {
    const { agent, mock, cwd } = scene();
    const call = { type: "call", ...shell(name, "echo step") } as const;
    const model = await mock([
      { blocks: [{ type: "text", text: "At it." }, call], delay: 1500 },
      "BOTH DONE",
    ]);
    const wire = await wrapped(name, await agent(name, model), cwd);
    const sessionId = await newSession(wire, cwd);
    const first = wire.ask("session/prompt", { sessionId, prompt: text("one") });
    await spoken(wire);
    const second = wire.ask("session/prompt", {
      sessionId,
      prompt: text("and mind the STEERED part"),
      _meta: { asp: { busy: "steer" } },
    });
    const [one, two] = await Promise.all([first, second]);
    expect(one.result).toMatchObject({ stopReason: "end_turn" });
    expect(two.result).toMatchObject({ stopReason: one.result?.stopReason });
    expect(messages(model)).toContain("STEERED");
  });
});

/** Something of the answer is there: the turn runs. */
function spoken(wire: Wire): Promise<Line> {
  return wire.until(
    ({ method, params }) =>
      method === "session/update" &&
      of<{ sessionUpdate: string }>(params, "update").sessionUpdate === "agent_message_chunk",
  );
}

function shell(name: AcpAgentName, command: string) {
  switch (name) {
    case "opencode":
      return { name: "bash", input: { command, description: "a step" } };
    case "claude":
      return { name: "Bash", input: { command, description: "a step" } };
    case "codex":
      return { name: "exec_command", input: { cmd: command } };
  }
}

const asking: AcpAgentName[] = ["opencode", "claude"];
test.each(asking)("interrupt withdraws an open question of %s", async (name) => {
  const { agent, mock, cwd } = scene();
  const call = { type: "call", ...shell(name, "touch made-by-nobody") } as const;
  const model = await mock([{ blocks: [call] }, "ANSWER TWO"]);
  const wire = await wrapped(name, await agent(name, model), cwd, () => undefined);
  const sessionId = await newSession(wire, cwd);
  const first = wire.ask("session/prompt", { sessionId, prompt: text("one") });
  const question = await wire.until(({ method }) => method === "session/request_permission");
  const second = wire.ask("session/prompt", {
    sessionId,
    prompt: text("two"),
    _meta: { asp: { busy: "interrupt" } },
  });
  const withdrawn = await wire.until(({ method }) => method === "$/cancel_request");
  expect(withdrawn.params).toEqual({ requestId: question.id });
  // The client's late yes goes nowhere.
  wire.send({ id: question.id, result: { outcome: { outcome: "selected", optionId: "allow" } } });
  expect((await first).result).toMatchObject({ stopReason: "cancelled" });
  expect((await second).result).toMatchObject({ stopReason: "end_turn" });
});

/** Round in a ring, each agent gives once and takes once; all ways with `ASP_NATIVE=all`. */
const routes = names.flatMap((from, i) =>
  names
    .filter((to) => to !== from && (process.env.ASP_NATIVE === "all" || to === names[(i + 1) % names.length]))
    .map((to) => [from, to] as const),
);
test.each(routes)("a conversation goes on: %s → %s", async (from, to) => {
  const { agent, mock, cwd } = scene();
  const [one, other] = [await mock(["Blue, you say."]), await mock(["It was blue."])];
  const [source, target] = [await agent(from, one), await agent(to, other)];
  const here = await wrapped(from, source, cwd);
  const sessionId = await newSession(here, cwd);
  await here.ask("session/prompt", { sessionId, prompt: text("My colour is blue") });
  const { result: exported } = await here.ask("_asp/state/export", { kinds: ["sessions"] });

  const there = await wrapped(to, target, cwd);
  const { result: imported } = await there.ask("_asp/state/import", { state: exported?.state as object });
  expect(imported).toMatchObject({
    taken: ["sessions"],
    notTaken: [],
    sessions: { [sessionId]: expect.any(String) },
  });
  const moved = of<Record<string, string>>(imported, "sessions")[sessionId] ?? "";
  const loaded = await there.ask("session/load", { sessionId: moved, cwd, mcpServers: [] });
  expect(loaded.error).toBeUndefined();
  expect(said(there.lines)).toMatch(/My colour is blue[\s\S]*Blue, you say\./);
  const answer = await there.ask("session/prompt", { sessionId: moved, prompt: text("Which colour?") });
  expect(answer.result).toMatchObject({ stopReason: "end_turn" });
  expect(said(there.lines)).toContain("It was blue.");
  expect(messages(other)).toMatch(/My colour is blue.*Blue, you say\..*Which colour\?/);
});

test("switch: one command moves a live conversation between two wrapped agents", async () => {
  const { agent, mock, cwd } = scene();
  const [one, other] = [await mock(["Blue, you say."]), await mock(["It was blue."])];
  const [claude, codex] = [await agent("claude", one), await agent("codex", other)];
  const here = await wrapped("claude", claude, cwd);
  const sessionId = await newSession(here, cwd);
  await here.ask("session/prompt", { sessionId, prompt: text("My colour is blue") });

  const line = (name: AcpAgentName, { env, ...rest }: AcpAgent) =>
    ["env", ...Object.entries(env).map(([key, value]) => `${key}=${value}`), ...serve(name, { env, ...rest })]
      .map((word) => `'${word}'`)
      .join(" ");
  const args = [
    "switch",
    "--from",
    line("claude", claude),
    "--to",
    line("codex", codex),
    "--kinds",
    "sessions",
  ];
  const run = startWire([process.execPath, program, ...args, "--json"], { env: claude.env, cwd });
  const printed = await new Promise<string>((resolve) => {
    void run.exited.then(() => resolve(run.lines.map((each) => String(each.raw ?? "")).join("\n")));
  });
  expect({ code: await run.exited, stderr: run.stderr() }).toMatchObject({ code: 0 });
  expect(printed).toContain(sessionId);

  const there = await wrapped("codex", codex, cwd);
  const listed = await there.ask("session/list", {});
  const [moved] = of<{ sessionId: string }[]>(listed.result, "sessions");
  await there.ask("session/load", { sessionId: moved?.sessionId, cwd, mcpServers: [] });
  const answer = await there.ask("session/prompt", {
    sessionId: moved?.sessionId,
    prompt: text("Which colour?"),
  });
  expect(answer.result).toMatchObject({ stopReason: "end_turn" });
  expect(messages(other)).toMatch(/My colour is blue.*Blue, you say\..*Which colour\?/);
});
