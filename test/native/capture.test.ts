/**
 * A session is followed while the real program goes on in it and compacts it; then the whole conversation, as it was before
 * that, goes to another program, which sends its model all of it.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareRequests, resumeClaude, resumeCodex } from "@asp-convert/conformance/native";
import { convert, diskSource, type Environment } from "@asp-convert/core";
import { Capture, openKept, revisions, type Seen, SessionLog } from "@asp-convert/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixturesRoot, harnesses } from "../harnesses.js";

const SESSION = "aaaaaaaa-0000-4000-8000-000000000002";
let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "asp-follow-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("compacted by the real Claude Code while it is captured; the full conversation goes on in the real Codex", async () => {
  const environment: Environment = {
    env: { ASP_HOME: join(scratch, "asp") },
    home: scratch,
    platform: process.platform,
    cwd: scratch,
  };
  const configDir = join(scratch, "claude");
  await cp(join(fixturesRoot, "claude/tools/config"), configDir, { recursive: true });
  const { converter } = harnesses.claude;
  const log = new SessionLog(join(scratch, "log"), diskSource);
  const store = await converter.open(configDir, diskSource, environment);
  const seen: Seen[] = [];
  const ended = new AbortController();
  const { promise: following, resolve } = Promise.withResolvers<void>();
  const capture = new Capture({
    ...{ log, converter, store, source: diskSource, environment, signal: ended.signal },
    onSeen: (_ref, state) => seen.push(state),
    onFollowing: () => resolve(),
  }).run();
  await Promise.race([following, capture]);

  const asked = { configDir, session: SESSION, live: true };
  const turn = { ...asked, prompt: "What did you write?", turns: ["Two lines."] };
  expect((await resumeClaude(turn)).answer).toBe("Two lines.");
  const isSeen = async (count: number) => {
    for (const end = Date.now() + 20_000; seen.length < count && Date.now() < end; )
      await new Promise((next) => setTimeout(next, 50));
  };
  await isSeen(2);
  const whole = await resumeClaude({ configDir, session: SESSION, prompt: "And then?", turns: ["Done."] });

  await resumeClaude({ ...asked, prompt: "/compact", turns: ["<summary>Notes were made.</summary>"] });
  await isSeen(3);
  const after = await resumeClaude({ configDir, session: SESSION, prompt: "And then?", turns: ["Done."] });
  ended.abort();
  await capture;
  // What its model is sent from now on is the summary and the last words.
  const said = "I will create the file.";
  const holds = (request: unknown) => JSON.stringify(request).includes(said);
  expect([holds(whole.request), holds(after.request)]).toEqual([true, false]);

  const before = (await revisions(log)).find(({ revision }) => revision === 2);
  const kept = before && (await openKept(log, before, converter, environment));
  if (!kept) throw new Error("the state before the compaction is not there");
  const out = join(scratch, "codex");
  const report = await convert({
    ...{ from: converter, store: kept.store, refs: [kept.ref], to: harnesses.codex.converter, root: out },
    ...{ environment, source: kept.source, installed: false },
  });
  const session = report.sessions[0]?.newId ?? "";
  const gone = await resumeCodex({ home: out, session, prompt: "And then?", turns: ["Done."] });
  expect(gone.answer, gone.stderr).toBe("Done.");
  expect(compareRequests(whole.request ?? {}, gone.request ?? {}, "And then?")).toMatchObject({
    extra: [],
    missing: [],
    order: 1,
  });
  expect(holds(gone.request)).toBe(true);
});
