/** The proof layer itself: the real programs, resuming and listing what they once wrote. */
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  atomsOf,
  compareRequests,
  findProgram,
  isEquivalent,
  listClaude,
  listCodex,
  pickerClaude,
  resumeClaude,
  resumeCodex,
  shownCodex,
} from "@asp-convert/conformance/native";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

const fixtures = resolve(import.meta.dirname, "../../fixtures");

const claude = (name: string) => join(fixtures, "claude", name, "config");
const codex = (name: string) => join(fixtures, "codex", name, "codex-home");

const said = (body: Parameters<typeof atomsOf>[0] = {}) =>
  atomsOf(body).map(({ kind, text }) => `${kind}: ${text}`);

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "asp-native-test-")));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

describe("Claude Code", () => {
  const plain = { configDir: claude("plain"), session: "aaaaaaaa-0000-4000-8000-000000000001" };
  beforeAll(() => findProgram("claude"));

  test("resumes a session, and one more turn goes through", async () => {
    const resumed = await resumeClaude({ ...plain, prompt: "One more?", turns: ["One more."] });
    expect(said(resumed.request)).toEqual([
      "user: hello there",
      "assistant: Hello from the mock.",
      "user: and again",
      "assistant: Hello from the mock.",
      "user: One more?",
    ]);
    expect(resumed).toMatchObject({
      dialect: "anthropic",
      exitCode: 0,
      timedOut: false,
      resumedSession: plain.session,
      answer: "One more.",
    });
    const records = resumed.appended.map(({ type, message }) => JSON.stringify({ type, message }));
    expect(records).toContainEqual(expect.stringMatching(/"type":"user".*One more\?/));
    expect(records).toContainEqual(expect.stringMatching(/"type":"assistant".*One more\./));
  });

  test("plays tool calls for real", async () => {
    const cwd = await newFolder();
    await writeFile(join(cwd, "note.txt"), "what is written");
    const call = { type: "call", name: "Read", input: { file_path: join(cwd, "note.txt") } } as const;
    const resumed = await resumeClaude({ ...plain, cwd, turns: [{ blocks: [call] }, "I read it."] });
    expect(resumed.answer).toBe("I read it.");
    expect(said(resumed.requests.at(-1)?.body).at(-1)).toMatch(/^result: .*what is written/);
  });

  test("says so when there is no such session", async () => {
    const resumed = await resumeClaude({ ...plain, session: "aaaaaaaa-0000-4000-8000-00000000ffff" });
    expect(resumed).toMatchObject({ exitCode: 1, request: undefined, answer: undefined, appended: [] });
    expect(resumed.stderr + resumed.stdout).toContain("No conversation found");
  });

  test("is stopped when it takes too long", async () => {
    expect(await resumeClaude({ ...plain, limit: 50 })).toMatchObject({ exitCode: null, timedOut: true });
  });

  test("leaves the store as it is", async () => {
    const transcript = join(plain.configDir, "projects/-home-dev-demo", `${plain.session}.jsonl`);
    const before = await readFile(transcript);
    await resumeClaude(plain);
    expect(await readFile(transcript)).toEqual(before);
  });

  test("lists its sessions by name", async () => {
    const configDir = claude("titled");
    const [listed, ...more] = await listClaude({ configDir, cwd: "/home/dev/demo" });
    expect(more).toEqual([]);
    expect(listed).toMatchObject({ title: "second name", preview: "hello", cwd: "/home/dev/demo" });
    expect(listed?.created?.toISOString()).toMatch(/^2026-11-30T19:32/);
    expect(await listClaude({ configDir, cwd: "/home/dev/other" })).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")("shows in its picker what was not made by a script", async () => {
    const folder = await newFolder();
    const cwd = join(folder, "project");
    await mkdir(cwd);
    const projects = join(folder, "config", "projects");
    for (const name of ["interactive", "plain"]) {
      await cp(claude(name), join(folder, "config"), { recursive: true });
    }
    await rename(join(projects, "-home-dev-demo"), join(projects, cwd.replace(/[^a-zA-Z0-9]/g, "-")));
    const lines = await pickerClaude({ configDir: join(folder, "config"), cwd });
    expect(lines.map(({ title }) => title)).toEqual(["my session", "my session"]);
    expect(lines[0]?.detail).toMatch(/ · main · [\d.]+KB$/);
  });
});

describe("Codex", () => {
  const text = { home: codex("text"), session: "01a22ddc-f146-7442-94ba-1b887b0775cb" };
  beforeAll(() => findProgram("codex"));

  test("resumes a session, and one more turn goes through", async () => {
    const resumed = await resumeCodex({ ...text, prompt: "One more?", turns: ["One more."] });
    expect(said(resumed.request)).toEqual([
      "user: Hello, what is this project?",
      "assistant: Hello! This is a demo project.",
      "user: Do you remember me?",
      "assistant: Yes, I remember: you greeted me.",
      "user: One more?",
    ]);
    expect(resumed).toMatchObject({
      dialect: "responses",
      exitCode: 0,
      timedOut: false,
      resumedSession: text.session,
      answer: "One more.",
    });
    const records = resumed.appended
      .filter(({ type }) => type === "response_item")
      .map((it) => JSON.stringify(it));
    expect(records).toContainEqual(expect.stringMatching(/"role":"user".*One more\?/));
    expect(records).toContainEqual(expect.stringMatching(/"role":"assistant".*One more\./));
  });

  test("resumes with the provider and the model that the session names", async () => {
    const remote = { home: codex("compacted-remote"), session: "01a22ddd-7f36-7810-9497-3077e9ccd615" };
    expect(await resumeCodex(remote)).toMatchObject({ answer: "ok", resumedSession: remote.session });
    const coded = { home: codex("code-mode"), session: "01a22ddd-eb0e-79b2-acb9-a36f06e98e53" };
    const resumed = await resumeCodex(coded);
    expect(resumed.requests).toHaveLength(1); // another model would have had the session compacted first
    expect(resumed.request).toMatchObject({ model: "gpt-6.2-sol" });
  });

  test("says so when there is no such session", async () => {
    const resumed = await resumeCodex({ ...text, session: "01a22ddc-0000-7000-8000-00000000ffff" });
    expect(resumed).toMatchObject({
      exitCode: 1,
      request: undefined,
      resumedSession: undefined,
      appended: [],
    });
  });

  test("is stopped when it takes too long", async () => {
    expect(await resumeCodex({ ...text, limit: 50 })).toMatchObject({ exitCode: null, timedOut: true });
  });

  test("lists sessions with their first message, the picker fewer than there are", async () => {
    const home = codex("history-legacy-forked");
    const listed = await listCodex({ home });
    expect(listed.map(({ preview, cwd }) => [preview, cwd])).toContainEqual([
      "First question.",
      "/home/dev/demo",
    ]);
    expect((await listCodex({ home: text.home })).map(({ session }) => session)).toEqual([]);
    expect((await listCodex({ home: text.home, all: true })).map(({ session }) => session)).toEqual([
      text.session,
    ]);
  });

  test("shows the turns of a session that it opens", async () => {
    const items = await shownCodex({ home: codex("tools"), session: "01a22ddd-003c-76f0-ace0-7bd72cd171c8" });
    expect(items.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "userMessage",
        "commandExecution",
        "fileChange",
        "mcpToolCall",
        "agentMessage",
      ]),
    );
    await expect(shownCodex({ ...text, session: "01a22ddc-0000-7000-8000-00000000ffff" })).rejects.toThrow();
  });
});

test("a session resumed twice is equivalent to itself and not to another", async () => {
  const forks = ["01a22ddd-a4cf-7c12-9394-9792e12187c6", "01a22ddd-a924-7f33-ab7f-39475cdb5511"] as const;
  const [parent, again, fork] = [
    await resumeCodex({ home: codex("forked"), session: forks[0] }),
    await resumeCodex({ home: codex("forked"), session: forks[0] }),
    await resumeCodex({ home: codex("forked"), session: forks[1] }),
  ].map(({ request }) => request ?? {});
  expect(isEquivalent(compareRequests(parent ?? {}, again ?? {}))).toBe(true);
  expect(compareRequests(parent ?? {}, fork ?? {})).toMatchObject({
    missing: [{ text: "Second question." }, { text: "Second answer." }],
    extra: [{ text: "Question in the fork." }, { text: "Answer in the fork." }],
  });
});

describe("programs", () => {
  test("are installed once, by whoever comes first", async () => {
    vi.stubEnv("ASP_NATIVE_CACHE", await newFolder());
    vi.stubEnv("ASP_NATIVE_CLAUDE_SDK", "");
    const [one, two] = await Promise.all([findProgram("claude-agent-sdk"), findProgram("claude-agent-sdk")]);
    expect(one).toBe(two);
    expect(await readFile(one, "utf8")).toContain("listSessions");
  });

  test("may be another copy", async () => {
    vi.stubEnv("ASP_NATIVE_CODEX", "/opt/codex");
    expect(await findProgram("codex")).toBe(resolve("/opt/codex"));
  });
});
