import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { convert, list, read } from "./index.js";

const fixtures = join(import.meta.dirname, "../../../fixtures");
const claude = join(fixtures, "claude/tools/config");
const many = join(fixtures, "droid/tools/home");
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-library-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = () => ({ environment: { env: { ASP_HOME: join(folder, "asp") }, home: folder } });
const files = (at: string) => (existsSync(at) ? readdirSync(at, { recursive: true }).length : 0);

test("sessions are listed, and read as events", async () => {
  const refs = await Array.fromAsync(list(claude));
  expect(refs).toMatchObject([{ harness: "claude", cwd: "/home/dev/demo" }]);
  const [first, ...rest] = await Array.fromAsync(read(claude, { session: refs[0]?.id ?? "" }));
  expect(first?.type).toBe("session.started");
  expect(rest.filter(({ type }) => type === "tool.completed")).toHaveLength(6);
});

test("a stream of events holds the reader back, and ends it", async () => {
  const lines = async function* () {
    for await (const event of read(claude)) yield `${JSON.stringify(event)}\n`;
  };
  expect((await text(Readable.from(lines()))).trimEnd().split("\n").length).toBeGreaterThan(10);
  const reader = ReadableStream.from(read(claude)).getReader();
  expect((await reader.read()).value?.type).toBe("session.started");
  await reader.cancel();
});

test("each session is a run of its own; one that ends early leaves what it told of", async () => {
  const out = join(folder, "codex");
  for await (const { sessions, to } of convert(many, { to: "codex", out }, options())) {
    expect(to).toEqual({ harness: "codex", path: out });
    expect(sessions[0]?.files.every((path) => existsSync(path))).toBe(true);
    break;
  }
  const once = files(join(out, "sessions"));
  expect(once).toBeGreaterThan(0);
  expect(await Array.fromAsync(convert(many, { to: "codex", out }, options()))).toHaveLength(2);
  expect(files(join(out, "sessions"))).toBeGreaterThan(once);
});

test("an abort stops it, and nothing is left of what was begun", async () => {
  const out = join(folder, "codex");
  const abort = new AbortController();
  const reports = convert(many, { to: "codex", out }, { ...options(), signal: abort.signal });
  const first = reports.next();
  abort.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  expect(files(out)).toBe(0);
  expect(await reports.next()).toEqual({ done: true, value: undefined });
});

test("an abort in the middle of a session takes back what was begun of it", async () => {
  const out = join(folder, "codex");
  const abort = new AbortController();
  // Asked when all of the session is read, and written to temporary files.
  const forbid = () => {
    abort.abort(new Error("enough"));
    return false;
  };
  const reports = convert(many, { to: "codex", out, forbid }, { ...options(), signal: abort.signal });
  await expect(reports.next()).rejects.toThrow("enough");
  expect(files(join(out, "sessions"))).toBe(0);
});

test("what is asked for and not there is told of", async () => {
  await expect(Array.fromAsync(read(claude, { session: "none" }))).rejects.toMatchObject({
    name: "SourceError",
    message: expect.stringContaining("there is no session none"),
  });
  await expect(Array.fromAsync(list(join(folder, "none")))).rejects.toMatchObject({ name: "SourceError" });
  const nowhere = convert(claude, { to: "nowhere", out: folder }, options());
  await expect(Array.fromAsync(nowhere)).rejects.toMatchObject({ name: "UnknownHarnessError" });
});
