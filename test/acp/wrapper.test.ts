/** The wrapper around an agent that does what it is told: bytes, turns, ends, and a long day's work. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { program } from "../cli/run.js";
import { scene } from "./support.js";
import { type Line, startWire, type Wire } from "./wire.js";

const { base, newFolder } = scene();
const scripted = join(import.meta.dirname, "scripted-agent.mjs");
const bare = [process.execPath, scripted];
const wrap = (agent: readonly string[]) => [
  process.execPath,
  program,
  "serve",
  "--harness",
  "codex",
  "--",
  ...agent,
];

function environment(): Record<string, string> {
  const home = newFolder();
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH ?? "", HOME: home, CODEX_HOME: join(home, "codex") };
}

/** @param manner of the scripted agent. */
async function wrapped(manner: object = {}, env: object = {}): Promise<Wire & { hello: Line }> {
  const started = { env: { ...environment(), ...env }, cwd: base };
  const wire = startWire(wrap([...bare, JSON.stringify(manner)]), started);
  onTestFinished(async () => {
    wire.end();
    await wire.exited;
  });
  const hello = await wire.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
  return { ...wire, hello };
}

const text = (words: string) => [{ type: "text", text: words }];
const busy = (mode: string) => ({ _meta: { asp: { busy: mode } } });

async function session(wire: Wire): Promise<string> {
  return String((await wire.ask("session/new", { cwd: base, mcpServers: [] })).result?.sessionId);
}

const chunkOf = ({ params }: Line) =>
  (params?.update as { content?: { text?: string } } | undefined)?.content?.text;
const chunks = (lines: readonly Line[]) => lines.flatMap((line) => chunkOf(line) ?? []);

test("what passes is the same to the byte, but for what was added", async () => {
  const lines = [
    '{"jsonrpc":"2.0","id":"one","method":"initialize","params":{"protocolVersion":1}}',
    '{ "jsonrpc" : "2.0", "id": 2,   "method":"x/odd", "params": {"a":"\\u00e9", "b": 1.0, "z":"ü"} }',
    '{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/","mcpServers":[]},"unknown":true}',
    '{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"say:hello garbage big:100000"}],"_meta":{"own":1}}}',
    "no message at all",
  ];
  // Two updates beside each answer, a line of garbage, and what ends the last line.
  const heard = lines.length + 5;
  const through = async (command: readonly string[]) => {
    const child = spawn(command[0] ?? "", command.slice(1), { env: environment(), cwd: base });
    const out: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    for (const line of lines) child.stdin.write(`${line}\n`);
    const said = () => Buffer.concat(out).toString().split("\n").length;
    await vi.waitUntil(() => said() >= heard, { timeout: 20_000 });
    child.stdin.end();
    await new Promise((resolve) => child.once("close", resolve));
    return Buffer.concat(out).toString().split("\n");
  };
  const [before, after] = await Promise.all([through(bare), through(wrap(bare))]);
  expect(before.length).toBe(heard);
  expect(after.slice(1)).toEqual(before.slice(1));
  const [hello, added] = [JSON.parse(before[0] ?? ""), JSON.parse(after[0] ?? "")];
  expect(added.result.agentCapabilities._meta.asp).toMatchObject({
    steering: { busy: ["queue", "interrupt"] },
  });
  delete added.result.agentCapabilities._meta.asp;
  expect(added).toEqual(hello);
});

describe("initialize", () => {
  test("a newer version is asked for as 1", async () => {
    const wire = startWire(wrap(bare), { env: environment(), cwd: base });
    const hello = await wire.ask("initialize", { protocolVersion: 2, clientInfo: { name: "x" } });
    expect(hello.result).toMatchObject({ protocolVersion: 1 });
    wire.end();
    expect(await wire.exited).toBe(0);
  });

  test("an agent that speaks ASP itself is left alone", async () => {
    const wire = await wrapped({ meta: { asp: { agentState: { export: [], import: [] } } } });
    expect(wire.hello.result).toMatchObject({
      agentCapabilities: { _meta: { own: 1, asp: { agentState: { export: [], import: [] } } } },
    });
    // It answers by itself, and sees what a prompt says of being busy.
    expect(await wire.ask("_asp/state/describe", {})).toMatchObject({ echo: "_asp/state/describe" });
    const sessionId = await session(wire);
    await wire.ask("session/prompt", { sessionId, prompt: text("say:x"), ...busy("queue") });
    expect(chunks(wire.lines)).toEqual(['meta {"asp":{"busy":"queue"}}', "x"]);
  });

  test("steering is offered where the agent can", async () => {
    const asp = async (manner: object) =>
      (await wrapped(manner)).hello.result as { agentCapabilities: { _meta: { asp: { steering: object } } } };
    expect((await asp({ steering: true })).agentCapabilities._meta.asp.steering).toEqual({
      busy: ["queue", "interrupt", "steer"],
    });
    expect((await asp({ name: "OpenCode" })).agentCapabilities._meta.asp.steering).toEqual({
      busy: ["queue", "interrupt", "steer"],
    });
  });
});

describe("a prompt while a turn runs", () => {
  test("queue, interrupt, and what the agent is not told", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const a = wire.ask("session/prompt", { sessionId, prompt: text("say:A hold") });
    await wire.until((line) => chunkOf(line) === "A");
    const b = wire.ask("session/prompt", { sessionId, prompt: text("say:B"), ...busy("queue") });
    const c = wire.ask("session/prompt", { sessionId, prompt: text("say:C"), ...busy("interrupt") });
    expect((await a).result).toEqual({ stopReason: "cancelled" });
    expect((await c).result).toEqual({ stopReason: "end_turn" });
    expect((await b).result).toEqual({ stopReason: "end_turn" });
    expect(chunks(wire.lines)).toEqual(["A", "C", "B"]);
    const place = (line: Line) => wire.lines.indexOf(line);
    expect(place(await a)).toBeLessThan(wire.lines.findIndex((line) => chunkOf(line) === "C"));
    expect(place(await c)).toBeLessThan(wire.lines.findIndex((line) => chunkOf(line) === "B"));
  });

  test("refused where it was not offered, also when nothing runs", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    for (const mode of ["steer", "nonsense", 7]) {
      const refused = await wire.ask("session/prompt", {
        sessionId,
        prompt: text("say:x"),
        _meta: { asp: { busy: mode } },
      });
      expect(refused.error).toMatchObject({
        code: -32602,
        data: { busy: mode, supported: ["queue", "interrupt"] },
      });
    }
    expect(chunks(wire.lines)).toEqual([]);
  });

  test("steer joins, and has the same answer", async () => {
    const wire = await wrapped({ steering: true });
    const sessionId = await session(wire);
    const a = wire.ask("session/prompt", { sessionId, prompt: text("say:A wait:300") });
    await wire.until((line) => chunkOf(line) === "A");
    const b = wire.ask("session/prompt", { sessionId, prompt: text("more"), ...busy("steer") });
    expect((await b).result).toEqual((await a).result);
    expect(chunks(wire.lines)).toEqual(["A", "steered more"]);
    // The wrapper's own question is nobody else's business.
    expect(wire.lines.filter(({ id }) => String(id).startsWith("asp-proxy"))).toEqual([]);
    const alone = await wire.ask("session/prompt", { sessionId, prompt: text("say:C"), ...busy("steer") });
    expect(alone.result).toEqual({ stopReason: "end_turn" });
  });

  test("stopped by the client, what waits is not begun", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const a = wire.ask("session/prompt", { sessionId, prompt: text("say:A hold") });
    await wire.until((line) => chunkOf(line) === "A");
    const b = wire.ask("session/prompt", { sessionId, prompt: text("say:B"), ...busy("queue") });
    wire.send({ method: "session/cancel", params: { sessionId } });
    expect((await a).result).toEqual({ stopReason: "cancelled" });
    expect((await b).result).toEqual({ stopReason: "cancelled" });
    expect(chunks(wire.lines)).toEqual(["A"]);
  });

  test("an interrupt answers the agent's open question, and tells the client", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const a = wire.ask("session/prompt", { sessionId, prompt: text("ask") });
    const question = await wire.until(({ method }) => method === "session/request_permission");
    // The same number as one of the client's own requests: the two have nothing to do with each other.
    expect(question.id).toBe(0);
    const b = wire.ask("session/prompt", { sessionId, prompt: text("say:B"), ...busy("interrupt") });
    await wire.until(({ method, params }) => method === "$/cancel_request" && params?.requestId === 0);
    wire.send({ id: 0, result: { outcome: { outcome: "selected", optionId: "y" } } });
    expect((await a).result).toEqual({ stopReason: "cancelled" });
    expect((await b).result).toEqual({ stopReason: "end_turn" });
    expect(chunks(wire.lines)).toEqual(['decided {"outcome":{"outcome":"cancelled"}}', "B"]);
  });

  test("an export waits for nobody: it is refused while a turn runs, or the agent is at work by itself", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const ask = () => wire.ask("_asp/state/export", { kinds: ["sessions"] });
    const a = wire.ask("session/prompt", { sessionId, prompt: text("say:A wait:200 alone") });
    await wire.until((line) => chunkOf(line) === "A");
    expect((await ask()).error).toMatchObject({ code: -32600, data: { sessions: [sessionId] } });
    await a;
    await wire.until((line) => chunkOf(line) === "by itself");
    expect((await ask()).error).toMatchObject({
      code: -32600,
      message: expect.stringContaining("by itself"),
    });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await ask()).result).toEqual({ state: {} });
  });
});

describe("ends", () => {
  test("the agent crashes in a turn: everything is answered, and its code is ours", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const a = wire.ask("session/prompt", { sessionId, prompt: text("say:A wait:200 crash") });
    await wire.until((line) => chunkOf(line) === "A");
    const b = wire.ask("session/prompt", { sessionId, prompt: text("say:B"), ...busy("queue") });
    expect((await a).error).toMatchObject({ code: -32603, message: "the agent ended (exit code 7)" });
    expect((await b).result).toEqual({ stopReason: "cancelled" });
    expect(await wire.exited).toBe(7);
  });

  test("half a line and the end: what came is passed on, and the rest answered", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const a = await wire.ask("session/prompt", { sessionId, prompt: text("half") }).catch(String);
    expect(await wire.exited).toBe(3);
    // The half line is there, and the answer after it on a line of its own.
    expect(a).toMatchObject({ error: { code: -32603 } });
  });

  test.skipIf(process.platform !== "linux")(
    "the client goes: the agent and what it started are gone too",
    async () => {
      // A shell that starts the agent as a child of its own, and an agent that stays when its input ends.
      const shell = 'exec 3<&0; "$@" <&3 & echo "pid $!" >&2; wait';
      const wire = startWire(wrap(["sh", "-c", shell, "sh", ...bare, '{"stay":true}']), {
        env: environment(),
        cwd: base,
      });
      await wire.ask("initialize", { protocolVersion: 1 });
      const pid = Number(/pid (\d+)/.exec(wire.stderr())?.[1]);
      expect(isAlive(pid)).toBe(true);
      wire.end();
      expect(await wire.exited).toBe(0);
      expect(isAlive(pid)).toBe(false);
    },
  );

  test("a program that is not there is a wrong usage", async () => {
    const wire = startWire(wrap(["no-such-program-anywhere"]), { env: environment(), cwd: base });
    expect(await wire.exited).toBe(2);
    expect(wire.stderr()).toContain('there is no program "no-such-program-anywhere"');
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Nobody may have asked for the end of a process whose parent is gone: it is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("what is large or odd", () => {
  test("40 MB in one line pass, both ways; a line of 70 MB does not, and the next one does", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    await wire.ask("session/prompt", { sessionId, prompt: text(`big:${40 * 1024 * 1024}`) });
    expect(chunks(wire.lines).at(-1)?.length).toBe(40 * 1024 * 1024);
    const large = await wire.ask("session/prompt", {
      sessionId,
      prompt: text(`say:${"x".repeat(40 * 1024 * 1024)}`),
    });
    expect(large.result).toEqual({ stopReason: "end_turn" });
    expect(chunks(wire.lines).at(-1)?.length).toBe(40 * 1024 * 1024);
    wire.send({
      id: 999,
      method: "session/prompt",
      params: { sessionId, prompt: text("y".repeat(70 * 1024 * 1024)) },
    });
    const refused = await wire.until(({ id }) => id === null);
    expect(refused.error).toMatchObject({ code: -32600, message: expect.stringContaining("at most") });
    expect((await wire.ask("session/prompt", { sessionId, prompt: text("say:z") })).result).toBeDefined();
  }, 60_000);

  test("garbage of either side harms nobody", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const answer = await wire.ask("session/prompt", { sessionId, prompt: text("say:A garbage say:B") });
    expect(answer.result).toEqual({ stopReason: "end_turn" });
    expect(wire.lines.filter((line) => "raw" in line)).toEqual([{ raw: "this is no message {" }]);
    wire.child.stdin?.write(
      '{"half": \n[1]\n"x"\n{"jsonrpc":"2.0","id":50,"method":"session/prompt","params":[]}\n',
    );
    wire.child.stdin?.write('{"jsonrpc":"2.0","id":51,"method":"_asp/state/import","params":{"state":3}}\n');
    expect((await wire.until(({ id }) => id === 51)).error?.code).toBe(-32602);
    expect((await wire.ask("session/prompt", { sessionId, prompt: text("say:C") })).result).toBeDefined();
  });
});

describe("a long day", () => {
  const rss = (wire: Wire) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${wire.child.pid}/status`, "utf8"))?.[1]);

  test("1,000 prompts, twenty of them waiting at a time: nothing lost, nothing out of order, no memory kept", async () => {
    // What is short-lived is collected at once: what grows is what is kept.
    const wire = await wrapped({}, { NODE_OPTIONS: "--max-semi-space-size=1" });
    const sessionId = await session(wire);
    const linux = process.platform === "linux";
    let early = 0;
    let waiting: Promise<unknown>[] = [];
    for (let i = 0; i < 1000; i++) {
      const words = `say:begin-${i} many:10 say:end-${i}`;
      waiting.push(wire.ask("session/prompt", { sessionId, prompt: text(words), ...busy("queue") }));
      if (waiting.length < 20) continue;
      await Promise.all(waiting);
      waiting = [];
      if (i === 199 && linux) early = rss(wire);
    }
    if (linux) expect(rss(wire) - early).toBeLessThan(20 * 1024);
    const marks = chunks(wire.lines).filter((each) => !each.endsWith("x"));
    expect(marks).toEqual(Array.from({ length: 1000 }, (_, i) => [`begin-${i}`, `end-${i}`]).flat());
    expect(chunks(wire.lines).length).toBe(12_000);
  }, 120_000);

  test("200 interrupts, one after the other", async () => {
    const wire = await wrapped();
    const sessionId = await session(wire);
    const answers: Promise<Line>[] = [];
    for (let i = 0; i <= 200; i++) {
      const words = i === 200 ? `say:t-${i}` : `say:t-${i} hold`;
      answers.push(wire.ask("session/prompt", { sessionId, prompt: text(words), ...busy("interrupt") }));
      await wire.until((line) => chunkOf(line) === `t-${i}`, Math.max(0, wire.lines.length - 10));
    }
    const ends = (await Promise.all(answers)).map(({ result }) => result?.stopReason);
    expect(ends).toEqual([...Array.from({ length: 200 }, () => "cancelled"), "end_turn"]);
    expect(chunks(wire.lines)).toEqual(Array.from({ length: 201 }, (_, i) => `t-${i}`));
    // Nothing is taken for running any more.
    expect((await wire.ask("_asp/state/export", { kinds: ["sessions"] })).result).toEqual({ state: {} });
  }, 60_000);
});
