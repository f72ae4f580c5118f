/** Live stores, followed: what programs do to their files, and what is kept of it. No program is run here. */
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { diskSource, type Environment } from "@asp-convert/core";
import { Capture, checkLog, openKept, revisions, type Seen, SessionLog } from "@asp-convert/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";

let scratch = "";
let environment: Environment;
let log: SessionLog;
let running: { stop: () => Promise<void> } | undefined;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "asp-capture-"));
  environment = { env: {}, home: scratch, platform: process.platform, cwd: scratch };
  log = new SessionLog(join(scratch, "log"), diskSource);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(scratch, { recursive: true, force: true });
});

type State = Pick<Seen, "why" | "events"> & { id: string };

/** Resolves when nothing is missed any more. */
async function follow(harness: HarnessId, root: string, poll?: number) {
  const { converter } = harnesses[harness];
  const store = await converter.open(root, diskSource, environment);
  const seen: State[] = [];
  const ended = new AbortController();
  const { promise: following, resolve } = Promise.withResolvers<void>();
  const done = new Capture({
    ...{ log, converter, store, source: diskSource, environment, signal: ended.signal },
    ...(poll !== undefined && { poll }),
    onSeen: ({ id }, { why, events }) => seen.push({ id, why, events }),
    onFollowing: () => resolve(),
  }).run();
  const stop = async () => {
    ended.abort();
    await done;
  };
  running = { stop };
  await Promise.race([following, done]);
  const until = async (condition: () => boolean | Promise<boolean>) => {
    for (const end = Date.now() + 20_000; !(await condition()); ) {
      if (Date.now() > end) throw new Error(`it does not come; seen: ${JSON.stringify(seen)}`);
      await new Promise((next) => setTimeout(next, 30));
    }
  };
  return { seen, stop, until };
}

function copyOf(harness: HarnessId, name: string): string {
  const root = join(scratch, "store");
  cpSync(join(fixturesRoot, harness, name, harnesses[harness].store), root, { recursive: true });
  return root;
}

const SESSION = "aaaaaaaa-0000-4000-8000-000000000002";
const transcript = (root: string, id = SESSION) => join(root, "projects/-home-dev-demo", `${id}.jsonl`);

const kept = async (harness: HarnessId = "claude", id = SESSION) => {
  const captured = log.captured({ harness, id });
  const model = await captured.refresh();
  const [file] = model.files;
  return {
    ...model,
    bytes: file ? Buffer.concat(await Array.fromAsync(captured.content(file))) : Buffer.alloc(0),
    told: model.streams.map(({ row }) => row.length),
  };
};

/** Each state's transcript, read out of the log as an export reads it. */
async function transcripts(harness: HarnessId = "claude"): Promise<string[]> {
  const texts: string[] = [];
  for (const revision of await revisions(log)) {
    const open = await openKept(log, revision, harnesses[harness].converter, environment);
    const [file] = open?.ref.files ?? [];
    if (!open || !file) throw new Error(`revision ${revision.revision} cannot be opened`);
    const opened = await open.source.open(file.path);
    texts.push(Buffer.from(opened.read(0, opened.size)).toString("utf8"));
    opened.close();
  }
  return texts;
}

async function isSound(): Promise<void> {
  const { faults, broken } = await checkLog(log);
  expect({ faults, broken }).toEqual({ faults: [], broken: [] });
}

test("a transcript that grows is kept as it grows, and a restart neither misses nor repeats anything", async () => {
  const root = copyOf("claude", "tools");
  const path = transcript(root);
  const whole = readFileSync(path);
  const lines = whole.toString("utf8").split(/(?<=\n)/);
  writeFileSync(path, lines.slice(0, 10).join(""));
  const first = await follow("claude", root);
  for (const line of lines.slice(10, 20)) {
    appendFileSync(path, line);
    await new Promise((next) => setTimeout(next, 20));
  }
  await first.until(async () => (await kept()).bytes.equals(Buffer.from(lines.slice(0, 20).join(""))));
  // In the middle of a record.
  appendFileSync(path, lines[20]?.slice(0, 40) ?? "");
  await first.stop();
  appendFileSync(path, [lines[20]?.slice(40), ...lines.slice(21, 30)].join(""));
  const second = await follow("claude", root);
  appendFileSync(path, lines.slice(30).join(""));
  await second.until(async () => (await kept()).bytes.equals(whole));
  await second.stop();

  const { files, told } = await kept();
  expect(files.map(({ cuts }) => cuts)).toEqual([0]);
  const fresh = new SessionLog(join(scratch, "fresh"), diskSource);
  const other = log;
  log = fresh;
  await (await follow("claude", root)).stop();
  expect(told).toEqual((await kept()).told);
  log = other;
  expect((await transcripts()).every((text) => whole.toString("utf8").startsWith(text))).toBe(true);
  await isSound();
  const before = (await kept()).end;
  await (await follow("claude", root)).stop();
  expect((await kept()).end).toEqual(before);
});

test("what was rewritten, replaced or deleted stays as it was, and comes out again", async () => {
  const root = copyOf("claude", "tools");
  const path = transcript(root);
  const original = readFileSync(path, "utf8");
  const lines = original.split(/(?<=\n)/);
  const { seen, stop, until } = await follow("claude", root);
  await until(() => seen.length === 1);
  const shortened = [...lines.slice(0, 3), ...lines.slice(-4)].join("");
  writeFileSync(`${path}.tmp`, shortened);
  renameSync(`${path}.tmp`, path);
  await until(() => seen.length === 2);
  const other = "aaaaaaaa-0000-4000-8000-00000000000f";
  writeFileSync(transcript(root, other), original.replaceAll(SESSION, other));
  await until(() => seen.length === 3);
  rmSync(path);
  await until(() => seen.length === 4);
  await stop();
  expect(seen.map(({ id, why }) => [id, why])).toEqual([
    [SESSION, "first"],
    [SESSION, "rewritten"],
    [other, "first"],
    [SESSION, "gone"],
  ]);
  const own = await transcripts();
  expect(own).toEqual([original, shortened, original.replaceAll(SESSION, other), shortened]);
  await isSound();
});

test("a database with its write-ahead log: rows that came and rows that changed", async () => {
  const root = copyOf("opencode", "tools");
  const database = new DatabaseSync(join(root, "opencode.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  const { seen, stop, until } = await follow("opencode", root);
  await until(() => seen.length === 1);
  const id = seen[0]?.id ?? "";
  // As the program does it: nothing of this is in the database's own file yet.
  const now = Date.now();
  database
    .prepare("UPDATE session SET title = ?, time_updated = ? WHERE id = ?")
    .run("Another name", now, id);
  database
    .prepare("INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES (?, ?, ?, ?, ?)")
    .run(
      "msg_zzzzzzzzzzzzAAAAAAAAAAAAAA",
      id,
      now,
      now,
      JSON.stringify({ role: "user", time: { created: now } }),
    );
  await until(() => seen.length === 2);
  database.close();
  await stop();
  expect(seen.map(({ why }) => why)).toEqual(["first", "rewritten"]);
  const [before = "", after = ""] = await transcripts("opencode");
  expect(before).not.toContain("Another name");
  expect(after).toContain("Another name");
  expect(after).toContain("msg_zzzzzzzzzzzz");
  await isSound();
});

test("where the system tells nothing it is looked; and nothing is done where nothing comes", async () => {
  const root = copyOf("claude", "tools");
  const polling = await follow("claude", root, 200);
  appendFileSync(transcript(root), '{"type":"x"}\n');
  await polling.until(() => polling.seen.length === 2);
  await polling.stop();
  const { stop } = await follow("claude", root);
  const before = process.cpuUsage();
  await new Promise((next) => setTimeout(next, 2000));
  const { user, system } = process.cpuUsage(before);
  await stop();
  expect((user + system) / 1000).toBeLessThan(100);
});

test("the index may be thrown away or spoilt at any time: it is made again from the logs", async () => {
  const root = copyOf("claude", "tools");
  await (await follow("claude", root)).stop();
  const all = await revisions(log);
  expect(all).toHaveLength(1);
  const index = join(log.root, "index.json");
  const made = readFileSync(index, "utf8");
  for (const spoilt of [
    undefined,
    "",
    "{",
    '{"v":1,"sessions":{}}',
    made.replace(/"bytes":\d+/, '"bytes":1'),
  ]) {
    if (spoilt === undefined) rmSync(index);
    else writeFileSync(index, spoilt);
    expect(await revisions(log)).toEqual(all);
    expect(readFileSync(index, "utf8")).toBe(made);
  }
});
