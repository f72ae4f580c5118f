/** What a captured session tells goes through the interchange formats unchanged; Markdown shows it to people. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acpFormat } from "@asp-convert/acp/format";
import {
  aspBundle,
  type Converter,
  convert,
  diskSource,
  type Environment,
  LossLedger,
  markdown,
  readAspBundle,
  type SessionEvent,
  type SessionRef,
} from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "./harnesses.js";

let out = "";
let environment: Environment;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "asp-interchange-"));
  environment = { env: { ASP_HOME: join(out, "asp") }, home: out, platform: process.platform, cwd: out };
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const cases: readonly (readonly [HarnessId, string])[] = [
  ["claude", "tools"],
  ["claude", "image"],
  ["claude", "compacted"],
  ["codex", "tools"],
  ["codex", "compacted-remote"],
  ["opencode", "tools"],
  ["pi", "tools"],
];

async function sessionsIn(converter: Converter, root: string) {
  const store = await converter.open(root, diskSource, environment);
  const source = (await converter.sessions.view?.(store, diskSource)) ?? diskSource;
  const refs = await Array.fromAsync(converter.sessions.list(store, { source: diskSource, environment }));
  const events = async (ref: SessionRef): Promise<SessionEvent[]> => {
    const ledger = new LossLedger(ref.id);
    return Array.fromAsync(converter.sessions.read(ref, { source, environment, ledger }));
  };
  return { store, refs, events };
}

/** What is told: places are the format's own, and what only the native bytes hold is not in it. */
const told = (events: readonly SessionEvent[]) =>
  events
    .filter((event) => event.type !== "unknown.observed" || event.payload.value !== undefined)
    .map(({ origin: _, ...event }) => JSON.parse(JSON.stringify(event)));

async function into(to: Converter, harness: HarnessId, name: string, share = false) {
  const { converter, store: inside } = harnesses[harness];
  const from = await sessionsIn(converter, join(fixturesRoot, harness, name, inside));
  const [ref] = from.refs;
  if (!ref) throw new Error(`${harness}/${name} is empty`);
  const file = join(out, `session${to.sessions.file?.extension}`);
  const report = await convert({
    ...{ from: converter, store: from.store, refs: [ref], to, root: out, file, environment, share },
    ...{ source: diskSource, installed: false },
  });
  return { report, file, ref, before: await from.events(ref) };
}

describe.each([aspBundle, acpFormat])("$id", (format) => {
  test.each(cases)("%s %s", async (harness, name) => {
    const { file, ref, before, report } = await into(format, harness, name);
    expect(report.losses.filter(({ level }) => level !== "dropped")).toEqual([]);
    const candidate = { path: file, kind: "file" as const, head: readFileSync(file).subarray(0, 65536) };
    expect(await format.probe({ ...candidate, entries: [], source: diskSource })).toBeGreaterThan(90);
    const { refs, events } = await sessionsIn(format, file);
    expect(refs).toMatchObject([{ harness, id: ref.id }]);
    expect(told(await events(refs[0] as SessionRef))).toEqual(told(before));
  });
});

test("an asp-bundle that is written holds the invariants, for the session and its subagents", async () => {
  await into(aspBundle, "claude", "subagent");
  const files = readdirSync(out).filter((name) => name.endsWith(".json"));
  expect(files.length).toBeGreaterThan(1);
  for (const name of files) {
    const { pivot, evidence } = await readAspBundle(join(out, name), diskSource);
    expect(pivot).toMatchObject({
      revision: evidence.length,
      seq: evidence.length - 1,
      nextSeq: evidence.length,
    });
  }
});

test("a recording of both sides of ACP is read: prompts are the person's words", async () => {
  const lines = [
    { jsonrpc: "2.0", id: 0, method: "session/new", params: { cwd: "/home/dev/demo", mcpServers: [] } },
    { jsonrpc: "2.0", id: 0, result: { sessionId: "s" } },
    ...["First?", "Second?"].flatMap((text, i) => [
      {
        jsonrpc: "2.0",
        id: i + 1,
        method: "session/prompt",
        params: { sessionId: "s", prompt: [{ type: "text", text }] },
      },
      ...["An ", `answer ${i}`].map((piece) => ({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId: "s",
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: piece } },
        },
      })),
      { jsonrpc: "2.0", id: i + 1, result: { stopReason: "end_turn" } },
    ]),
  ];
  const file = join(out, "talk.ndjson");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { refs, events } = await sessionsIn(acpFormat, file);
  expect(refs).toMatchObject([{ harness: "acp", id: "s", cwd: "/home/dev/demo", messages: 4 }]);
  const said = (await events(refs[0] as SessionRef)).flatMap((event) =>
    event.type === "message.completed"
      ? event.payload.blocks.map((block) => [event.payload.role, "text" in block ? block.text : ""])
      : [],
  );
  expect(said).toEqual([
    ["user", "First?"],
    ["assistant", "An answer 0"],
    ["user", "Second?"],
    ["assistant", "An answer 1"],
  ]);
});

test("Markdown: every word is in it, and nothing that was said breaks the document", async () => {
  const { file, before } = await into(markdown, "claude", "tools");
  const text = readFileSync(file, "utf8");
  expect(text.startsWith("---\ntitle: ")).toBe(true);
  const messages = before.filter(
    (event) => event.type === "message.completed" && event.payload.injected !== "harness",
  );
  expect(text.match(/^## (?:User|Assistant)/gm)).toHaveLength(messages.length);
  expect(text).toContain("File created successfully");
  await expect(sessionsIn(markdown, file)).rejects.toThrow("is written, and not read back");
});
