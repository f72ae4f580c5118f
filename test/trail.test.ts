/** What is recognised of a session that comes home, after all that people do to it elsewhere. No program is run here. */
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import {
  convert,
  diskSource,
  type Environment,
  type Report,
  type SessionRef,
  type Trail,
} from "@asp-convert/core";
import { createTrail, SessionLog } from "@asp-convert/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "./harnesses.js";

let scratch = "";
let environment: Environment;
let trail: Trail;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "asp-trail-"));
  environment = {
    env: { ASP_HOME: join(scratch, "asp") },
    home: scratch,
    platform: process.platform,
    cwd: scratch,
  };
  trail = trailIn("log");
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

function trailIn(folder: string): Trail {
  const log = new SessionLog(join(scratch, folder), diskSource);
  return createTrail({ log, converterOf: (id) => harnesses[id as HarnessId]?.converter });
}

async function sessionsIn(harness: HarnessId, root: string): Promise<SessionRef[]> {
  const { converter } = harnesses[harness];
  const store = await converter.open(root, diskSource, environment);
  return Array.fromAsync(converter.sessions.list(store, { source: diskSource, environment }));
}

let outs = 0;
async function to(
  target: HarnessId,
  from: HarnessId,
  root: string,
  id?: string,
  carry = false,
): Promise<Report & { root: string }> {
  const { converter } = harnesses[from];
  const refs = (await sessionsIn(from, root)).filter((ref) => id === undefined || ref.id === id);
  const store = await converter.open(root, diskSource, environment);
  const out = join(scratch, `out-${outs++}`);
  const request = { from: converter, store, refs, to: harnesses[target].converter, root: out, environment };
  return {
    ...(await convert({ ...request, source: diskSource, installed: false, trail, carry })),
    root: out,
  };
}

const capturedStore = (harness: HarnessId, name: string) =>
  join(fixturesRoot, harness, name, harnesses[harness].store);

/** The file of a report's first session. */
const fileOf = (report: Report) => report.sessions[0]?.files[0] ?? "";

async function beginsWith(path: string, original: string): Promise<boolean> {
  const [now, then] = [await readFile(path), await readFile(original)];
  return now.subarray(0, then.length).equals(then);
}

describe("Claude Code → Codex → Claude Code", () => {
  const home = capturedStore("claude", "tools");
  const said = (text: string, type = "user_message") =>
    `${JSON.stringify({ timestamp: "2026-12-01T10:00:00.000Z", type: "response_item", payload: { type: "message", role: type === "user_message" ? "user" : "assistant", content: [{ type: type === "user_message" ? "input_text" : "output_text", text }] } })}\n`;

  test("what nobody touched comes home as it was, with nothing after it but where it has been", async () => {
    const [original] = await sessionsIn("claude", home);
    const away = await to("codex", "claude", home);
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]).toMatchObject({ how: "returned", newId: original?.id, outcome: "created" });
    expect(back.sessions[0]?.returned).toEqual({ id: original?.id, bytes: original?.size });
    expect(await beginsWith(fileOf(back), original?.path ?? "")).toBe(true);
    expect(back.axes.thinking).toMatchObject({ degraded: 0, dropped: 0 });
  });

  test("what was said in between comes after it, once", async () => {
    const [original] = await sessionsIn("claude", home);
    const away = await to("codex", "claude", home);
    await appendFile(fileOf(away), said("What else?") + said("Nothing else.", "answer"));
    const back = await to("claude", "codex", away.root);
    const text = await readFile(fileOf(back), "utf8");
    expect(await beginsWith(fileOf(back), original?.path ?? "")).toBe(true);
    expect(text.split("What else?").length - 1).toBe(2); // the message, and the prompt that the list shows
    const [now] = await sessionsIn("claude", back.root);
    expect(now?.messages).toBe((original?.messages ?? 0) + 2);
    expect(back.sessions[0]?.records.lost).toBe(0);
  });

  test("a name that it got there comes along", async () => {
    const away = await to("codex", "claude", home);
    const id = away.sessions[0]?.newId;
    const name = { id, thread_name: "My new name", updated_at: "2026-12-01T10:00:00Z" };
    await appendFile(join(away.root, "session_index.jsonl"), `${JSON.stringify(name)}\n`);
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]).toMatchObject({ how: "returned" });
    expect((await sessionsIn("claude", back.root))[0]?.title).toBe("My new name");
  });

  test("words that were changed are found, and said; then it is written anew", async () => {
    const away = await to("codex", "claude", home);
    const path = fileOf(away);
    const lines = (await readFile(path, "utf8")).split("\n");
    const at = lines.findLastIndex((line) => line.includes('"output_text"'));
    lines[at] = (lines[at] ?? "").replace(/"text":"[^"]*"/, '"text":"Something else."');
    await writeFile(path, lines.join("\n"));
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]?.how).toBe("written");
    const loss = back.losses.find(({ reason }) => reason === "prefix-changed");
    expect(loss).toMatchObject({ axis: "lineage", level: "partial" });
    expect(loss?.places[0]?.item).toMatch(/^claude session .*: \d+ of \d+ entries are as they were$/);
  });

  test("under another id it is known by what it says", async () => {
    const [original] = await sessionsIn("claude", home);
    const away = await to("codex", "claude", home);
    const id = away.sessions[0]?.newId ?? "";
    const other = "01a22ddd-0000-7000-8000-00000000abcd";
    const path = join(dirname(fileOf(away)), basename(fileOf(away)).replace(id, other));
    await writeFile(path, (await readFile(fileOf(away), "utf8")).replaceAll(id, other) + said("In a fork."));
    await rm(fileOf(away));
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]).toMatchObject({ id: other, how: "returned" });
    expect(await beginsWith(fileOf(back), original?.path ?? "")).toBe(true);
  });

  test("with the bytes gone it is said that they are, and it is written anew", async () => {
    const away = await to("codex", "claude", home);
    await rm(join(scratch, "log", "blobs"), { recursive: true });
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]?.how).toBe("written");
    expect(back.losses.some(({ reason }) => reason === "evidence-missing")).toBe(true);
  });

  test("where nothing is remembered it is the plain conversion", async () => {
    const away = await to("codex", "claude", home);
    trail = trailIn("another log");
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]?.how).toBe("written");
  });

  test("where the session still lies at home, the one that returns gets a new id and the same bytes", async () => {
    const [original] = await sessionsIn("claude", home);
    const away = await to("codex", "claude", home);
    await appendFile(fileOf(away), said("What else?"));
    const out = join(scratch, `out-${outs}`);
    await cp(home, out, { recursive: true, preserveTimestamps: true });
    const back = await to("claude", "codex", away.root);
    expect(back.sessions[0]).toMatchObject({ how: "returned", outcome: "copied" });
    expect(back.sessions[0]?.newId).not.toBe(original?.id);
    expect(await beginsWith(fileOf(back), original?.path ?? "")).toBe(true);
  });

  test("subagents come home with the session that started them", async () => {
    const store = capturedStore("claude", "subagent");
    const [original] = await sessionsIn("claude", store);
    const away = await to("codex", "claude", store, original?.id);
    const id = away.sessions.find(({ parent }) => parent === undefined)?.newId;
    const back = await to("claude", "codex", away.root, id);
    const [now] = await sessionsIn("claude", back.root);
    expect(now?.children.length).toBe(original?.children.length);
    expect(original?.children.length).toBeGreaterThan(0);
    for (const [index, child] of (original?.children ?? []).entries())
      expect(await readFile(now?.children[index]?.path ?? "")).toEqual(await readFile(child.path));
  });
});

describe("Codex → Claude Code → Codex", () => {
  const home = capturedStore("codex", "tools");

  test("what was compacted there is told after its own part, which is whole", async () => {
    const [original] = await sessionsIn("codex", home);
    const away = await to("claude", "codex", home);
    const compacted = capturedStore("claude", "compacted");
    const [sample] = await sessionsIn("claude", compacted);
    const lines = (await readFile(sample?.path ?? "", "utf8")).split("\n");
    const boundary = lines.findIndex((line) => line.includes('"compact_boundary"'));
    const summary = lines.find((line) => line.includes('"isCompactSummary":true')) ?? "";
    const leaf = /"leafUuid":"([^"]+)"/.exec(await readFile(fileOf(away), "utf8"))?.[1];
    const [mark, said] = [JSON.parse(lines[boundary] ?? ""), JSON.parse(summary)];
    const text = [
      { ...mark, logicalParentUuid: leaf, compactMetadata: { trigger: "manual", preTokens: 0 } },
      { ...said, parentUuid: mark.uuid },
      { type: "last-prompt", leafUuid: said.uuid, sessionId: "x" },
    ];
    await appendFile(fileOf(away), text.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const back = await to("codex", "claude", away.root);
    expect(back.sessions[0]).toMatchObject({ how: "returned", newId: original?.id });
    expect(await beginsWith(fileOf(back), original?.path ?? "")).toBe(true);
    expect((await readFile(fileOf(back), "utf8")).includes('"type":"compacted"')).toBe(true);
  });

  test("encrypted thoughts are its own again", async () => {
    const away = await to("claude", "codex", home);
    const back = await to("codex", "claude", away.root);
    const own = async (path: string) => (await readFile(path, "utf8")).match(/"encrypted_content":"[^"]+"/g);
    const [original] = await sessionsIn("codex", home);
    expect(await own(fileOf(back))).toEqual(await own(original?.path ?? ""));
    expect(await own(fileOf(back))).not.toBeNull();
  });

  test("over three programs, what was said in each comes after it in order", async () => {
    const [original] = await sessionsIn("codex", home);
    const first = await to("claude", "codex", home);
    const leaf = /"leafUuid":"([^"]+)"/.exec(await readFile(fileOf(first), "utf8"))?.[1];
    const asked = {
      parentUuid: leaf,
      isSidechain: false,
      type: "user",
      message: { role: "user", content: "Said in Claude." },
      uuid: "11111111-0000-4000-8000-000000000001",
      timestamp: "2026-12-01T10:00:00.000Z",
      cwd: "/home/dev/demo",
      sessionId: "x",
    };
    await appendFile(fileOf(first), `${JSON.stringify(asked)}\n`);
    const second = await to("opencode", "claude", first.root);
    const back = await to("codex", "opencode", second.root);
    expect(back.sessions[0], JSON.stringify(back.losses)).toMatchObject({
      how: "returned",
      newId: original?.id,
    });
    expect(await beginsWith(fileOf(back), original?.path ?? "")).toBe(true);
    const text = await readFile(fileOf(back), "utf8");
    expect(text.slice(original?.size)).toContain("Said in Claude.");
  });

  test("home and away again: it goes on in the session that it was there", async () => {
    const away = await to("claude", "codex", home);
    const back = await to("codex", "claude", away.root);
    const again = await to("claude", "codex", back.root);
    expect(again.sessions[0]).toMatchObject({ how: "returned", newId: away.sessions[0]?.newId });
    expect(await beginsWith(fileOf(again), fileOf(away))).toBe(true);
  });
});

describe("on another machine, by what the session carries", () => {
  const cases = [
    ["claude", "codex", "tools"],
    ["codex", "claude", "tools"],
    ["claude", "codex", "subagent"],
  ] as const;
  test.each(cases)("%s → %s → home: %s", async (harness, hop, name) => {
    const home = capturedStore(harness, name);
    const [original] = await sessionsIn(harness, home);
    const away = await to(hop, harness, home, original?.id, true);
    expect(away.losses.filter(({ reason }) => reason === "target-limit")).toEqual([]);
    trail = trailIn("another machine");
    const id = away.sessions.find(({ parent }) => parent === undefined)?.newId;
    const back = await to(harness, hop, away.root, id);
    expect(back.sessions[0], JSON.stringify(back.losses)).toMatchObject({
      how: "returned",
      newId: original?.id,
    });
    const [now] = await sessionsIn(harness, back.root);
    expect(await beginsWith(now?.path ?? "", original?.path ?? "")).toBe(true);
    expect(now?.children.length).toBe(original?.children.length);
  });

  test("what is spoilt on the way is not put back", async () => {
    const home = capturedStore("claude", "tools");
    const away = await to("codex", "claude", home, undefined, true);
    const path = fileOf(away);
    await writeFile(path, (await readFile(path, "utf8")).replace(/(\\"data\\":\\"[^"]{200})[^"]/, "$1!"));
    trail = trailIn("another machine");
    expect((await to("claude", "codex", away.root)).sessions[0]?.how).toBe("written");
  });

  test("where there is no place for it, that is said", async () => {
    const away = await to("pi", "claude", capturedStore("claude", "tools"), undefined, true);
    expect(away.losses).toContainEqual(
      expect.objectContaining({ axis: "raw", level: "dropped", reason: "no-counterpart" }),
    );
  });
});
