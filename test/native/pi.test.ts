/** Pi for real: sessions resumed in it, its own and those that were made for it. */
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomsOf, findProgram, type JsonObject, resumePi } from "@asp-convert/conformance/native";
import { convert, diskSource, type Environment } from "@asp-convert/core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "asp-pi-test-")));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
beforeAll(() => findProgram("pi"));

const agentDir = (name: string) => join(fixturesRoot, "pi", name, harnesses.pi.store);
const NAMED = { agentDir: agentDir("named"), session: "my-own-id" };

const said = (body: JsonObject = {}) => atomsOf(body).map(({ kind, text }) => `${kind}: ${text}`);

/** Names of the tools that a request declares. */
function toolsOf({ tools }: JsonObject = {}): string[] {
  const all = Array.isArray(tools) ? (tools as { name?: string; function?: { name: string } }[]) : [];
  return all.map((tool) => tool.name ?? tool.function?.name ?? "").sort();
}

const OWN_TOOLS = ["bash", "edit", "read", "write"];

/** A store with one session, of these lines. */
async function storeOf(id: string, ...messages: object[]): Promise<string> {
  const root = await newFolder();
  const project = join(root, "sessions", "--home-dev-demo--");
  await mkdir(project, { recursive: true });
  const entries = messages.map((message, i) => ({
    type: "message",
    id: `m${i}`,
    parentId: i === 0 ? null : `m${i - 1}`,
    timestamp: "2026-11-30T10:00:00.000Z",
    message,
  }));
  const header = { type: "session", version: 3, id, timestamp: "2026-11-30T10:00:00.000Z", cwd: root };
  const lines = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(join(project, `x_${id}.jsonl`), lines.join(""));
  return root;
}

/** The newest session of a fixture, written into a new store of Pi from its events. */
async function converted(from: HarnessId, name: string): Promise<{ root: string; session: string }> {
  const { converter, store: inside } = harnesses[from];
  const root = await newFolder();
  const environment: Environment = {
    env: { ASP_HOME: join(root, "asp") },
    home: join(root, "home"),
    platform: process.platform,
    cwd: root,
  };
  const store = await converter.open(join(fixturesRoot, from, name, inside), diskSource, environment);
  const [ref] = await Array.fromAsync(converter.sessions.list(store, { source: diskSource, environment }));
  if (!ref) throw new Error(`${from}/${name} has no session`);
  const report = await convert({
    from: converter,
    store,
    refs: [ref],
    to: harnesses.pi.converter,
    root: join(root, "agent"),
    environment,
    source: diskSource,
    installed: false,
    via: "events",
  });
  return { root: join(root, "agent"), session: report.sessions[0]?.newId ?? "" };
}

describe("a session of its own", () => {
  test("is resumed, and one more turn goes through", async () => {
    const model = { provider: "mock", model: "mock-1", dialect: "chat" } as const;
    const resumed = await resumePi({ ...NAMED, model, prompt: "One more?", turns: ["One more."] });
    expect(said(resumed.request).slice(-2)).toEqual([
      expect.stringMatching(/^assistant: /),
      "user: One more?",
    ]);
    expect(resumed).toMatchObject({
      dialect: "chat",
      exitCode: 0,
      timedOut: false,
      resumedSession: NAMED.session,
      answer: "One more.",
    });
    expect(toolsOf(resumed.request)).toEqual(OWN_TOOLS);
    const records = resumed.appended.map(({ message }) => JSON.stringify(message));
    expect(records).toContainEqual(expect.stringMatching(/"role":"user".*One more\?/));
    expect(records).toContainEqual(expect.stringMatching(/"role":"assistant".*One more\./));
  });

  test("plays tool calls for real, in the folder it is given", async () => {
    const cwd = await newFolder();
    await writeFile(join(cwd, "note.txt"), "what is written");
    const call = { type: "call", name: "read", input: { path: "note.txt" } } as const;
    const resumed = await resumePi({ ...NAMED, cwd, turns: [{ blocks: [call] }, "I read it."] });
    expect(resumed.answer).toBe("I read it.");
    expect(said(resumed.requests.at(-1)?.body).at(-1)).toBe("result: what is written");
  });

  test("that is not there makes no request", async () => {
    const resumed = await resumePi({ ...NAMED, session: "not-there" });
    expect(resumed).toMatchObject({ exitCode: 1, request: undefined, answer: undefined, appended: [] });
    expect(resumed.stderr).toContain("No session found matching 'not-there'");
  });

  test("is stopped when it takes too long", async () => {
    expect(await resumePi({ ...NAMED, limit: 50 })).toMatchObject({ exitCode: null, timedOut: true });
  });

  test("and its store stay as they are", async () => {
    const root = join(await newFolder(), "agent");
    await cp(NAMED.agentDir, root, { recursive: true });
    const [project = ""] = await readdir(join(root, "sessions"));
    const [file = ""] = await readdir(join(root, "sessions", project));
    const path = join(root, "sessions", project, file);
    const before = await readFile(path);
    await resumePi({ ...NAMED, agentDir: root });
    expect(await readFile(path)).toEqual(before);
  });

  test("without its tools is seen: another program's system message takes them away", async () => {
    const text = (role: string, words: string) => ({ role, content: [{ type: "text", text: words }] });
    const talk = [text("user", "Hello"), text("assistant", "Hello.")];
    const plain = await storeOf("plain", ...talk);
    expect(toolsOf((await resumePi({ agentDir: plain, session: "plain" })).request)).toEqual(OWN_TOOLS);
    const bad = await storeOf("bad", { role: "system", content: "Be brief." }, ...talk);
    expect(toolsOf((await resumePi({ agentDir: bad, session: "bad" })).request)).toEqual([]);
  });
});

/** What is sent, whole: messages with their reasoning and signatures, but for instructions and cache marks. */
function sent(body: JsonObject = {}): unknown {
  const messages = (body.messages ?? body.input) as { role?: string }[];
  const talk = messages.filter(({ role }) => role !== "system" && role !== "developer");
  return JSON.parse(
    JSON.stringify(talk, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
  );
}

describe("a session written from its events", () => {
  test.each(["anthropic", "responses", "tools", "compaction", "custom"])(
    "%s: its model gets all it said back, signatures too",
    async (name) => {
      const { root, session } = await converted("pi", name);
      const { converter, store: inside } = harnesses.pi;
      const environment: Environment = { env: {}, home: root, platform: process.platform, cwd: root };
      const store = await converter.open(join(fixturesRoot, "pi", name, inside), diskSource, environment);
      const [ref] = await Array.fromAsync(
        converter.sessions.list(store, { source: diskSource, environment }),
      );
      const before = await resumePi({ agentDir: agentDir(name), session: ref?.id ?? "" });
      const after = await resumePi({ agentDir: root, session });
      expect(sent(after.request)).toEqual(sent(before.request));
    },
  );

  test.each([
    ["claude", "tools"],
    ["claude", "compacted"],
    ["claude", "subagent"],
    ["codex", "tools"],
    ["codex", "compacted"],
    ["codex", "code-mode"],
  ] as const)("from %s (%s) it goes on, with all of Pi's tools", async (from, name) => {
    const { root, session } = await converted(from, name);
    const resumed = await resumePi({ agentDir: root, session, turns: ["Going on."] });
    expect(resumed, resumed.stderr).toMatchObject({
      exitCode: 0,
      resumedSession: session,
      answer: "Going on.",
    });
    expect(toolsOf(resumed.request)).toEqual(OWN_TOOLS);
  });
});
