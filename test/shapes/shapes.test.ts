/** What is right for each synthetic shape, by the pains it stands for (`case.json` says them in words). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Atom,
  accounted,
  type Conversion,
  carryOut,
  convert,
  ENVIRONMENT,
  openStore,
  readAll,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
  talkOf,
  withChildren,
} from "@asp-convert/conformance/toolbox";
import {
  bundle,
  type Converter,
  type SessionEvent,
  type SessionRef,
  type Source,
  samePath,
} from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { fixturesRoot, harnesses } from "../harnesses.js";
import { PIPED } from "./build/claude-shapes.js";
import { filesOf, shapes } from "./build/make.js";
import { loadShape, shapeCases } from "./load.js";

const cases = shapeCases();
const others = (id: string): Converter[] => [
  ...Object.values(harnesses)
    .map(({ converter }) => converter)
    .filter((converter) => converter.id !== id),
];

interface Opened {
  from: Converter;
  source: Source;
  refs: SessionRef[];
  files: ReadonlyMap<string, Uint8Array>;
}

async function opened(name: string): Promise<Opened> {
  const shape = cases.find((one) => one.name === name);
  if (!shape) throw new Error(`there is no shape ${name}`);
  const { files, root } = await loadShape(shape);
  const from = harnesses[shape.harness].converter;
  const source = sourceOf(files);
  return { from, source, files, refs: await sessionsIn(from, root, source) };
}

/** The only session, or the one with this id. */
function one({ refs }: Opened, id?: string): SessionRef {
  const found = id === undefined ? refs : refs.filter((ref) => ref.id === id);
  expect(found).toHaveLength(1);
  return found[0] as SessionRef;
}

const eventsOf = async ({ from, source }: Opened, ref: SessionRef): Promise<SessionEvent[]> =>
  (await readAll(from, ref, source)).events;

const words = (atoms: readonly Atom[]) => atoms.map(({ kind, key }) => `${kind}: ${key}`);

interface Crossed extends Conversion {
  /** What the target's own reader finds. */
  talk: string[];
  text: string;
}

/** A session that does not say where it was is refused (P46), unless a place is given. */
const home = ({ cwd }: SessionRef) => (cwd === undefined ? { cwd: "/home/dev/demo" } : {});

/** Into the other harness, and read back there. */
async function crossed(store: Opened, ref: SessionRef = one(store)): Promise<Crossed> {
  const [to] = others(store.from.id);
  if (!to) throw new Error("there is no other harness");
  const conversion = await convert({ from: store.from, ref, source: store.source, to, ...home(ref) });
  const written = await openStore(to, TARGET_ROOT, sourceOf(conversion.files));
  const copy = written.refs.find(({ id }) => id === conversion.plan.id);
  if (!copy) throw new Error("the copy is not listed");
  const { events } = await readAll(to, copy, written.source);
  const text = [...conversion.files.values()].map((bytes) => Buffer.from(bytes).toString("utf8")).join("\n");
  return { ...conversion, talk: words(talkOf(events)), text };
}

const losses = ({ losses }: Conversion) => losses.map(({ axis, reason }) => `${axis}: ${reason}`);
const count = (conversion: Conversion, reason: string, axis?: string) =>
  conversion.losses
    .filter((loss) => loss.reason === reason && (axis ?? loss.axis) === loss.axis)
    .reduce((sum, loss) => sum + loss.count, 0);

/** Its own bytes into another store of its own harness. */
async function replayed({ from, source }: Opened, ref: SessionRef): Promise<Buffer[]> {
  const target = { root: TARGET_ROOT, environment: ENVIRONMENT, source: sourceOf(new Map()), copy: 0 };
  return [...(await carryOut(await from.sessions.replay(ref, source, target))).values()].map((bytes) =>
    Buffer.from(bytes),
  );
}

const TALK = [
  "user: What is here?",
  'call: #0 Bash {"command":"ls"}',
  "result: #0 ok README.md",
  "assistant: One file.",
  "user: Thank you.",
  "assistant: You are welcome.",
];

test("the committed files are those that the scripts make", () => {
  for (const shape of shapes)
    for (const [path, bytes] of filesOf(shape))
      expect(
        readFileSync(join(fixturesRoot, "shapes", shape.name, path)).equals(bytes),
        `${shape.name}/${path}`,
      ).toBe(true);
  expect(cases.map(({ name }) => name)).toEqual(shapes.map(({ name }) => name).sort());
});

describe.each(cases)("$name ($pains)", ({ name }) => {
  test("every byte is accounted for, and it goes every route", async () => {
    const store = await opened(name);
    expect(store.refs.length).toBeGreaterThan(0);
    for (const ref of store.refs) {
      for (const each of withChildren(ref))
        expect(
          accounted(await readAll(store.from, each, store.source), each.files, new Map(store.files)),
        ).toEqual([]);
      for (const to of [store.from, ...others(store.from.id), bundle])
        await convert({ from: store.from, ref, source: store.source, to, ...home(ref) });
    }
  });
});

describe("broken bytes", () => {
  test.each(["torn-line", "nul-gap", "bom-crlf"])("%s: everything said is there", async (name) => {
    const store = await opened(name);
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(TALK);
    const { talk } = await crossed(store);
    expect(talk).toEqual(TALK);
  });

  test("torn-line (P01): the half record is raw, with its place, and declared", async () => {
    const store = await opened("torn-line");
    const text = Buffer.from([...store.files.values()][0] ?? []).toString("latin1");
    const raw = (await eventsOf(store, one(store))).filter(
      (event) => event.type === "unknown.observed" && event.payload.axis === "raw",
    );
    const half = '{"parentUuid":"5b000000-0000-4000-8000-000000000003","type":"assis';
    const offset = text.indexOf(`${half}{`);
    expect(raw.map(({ origin }) => origin)).toMatchObject([[{ file: 0, offset, length: half.length }]]);
    expect(losses(await crossed(store))).toContain("raw: unparsable");
  });

  test("nul-gap (P02): both runs are declared", async () => {
    const conversion = await crossed(await opened("nul-gap"));
    const raw = conversion.losses.filter(({ axis }) => axis === "raw");
    expect(raw.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  test("u2028 (P03): two records, texts as they are", async () => {
    const store = await opened("u2028");
    const said = ["user: before\u2028between\u2029after\u0085end", "assistant: Read\u2028as one."];
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(said);
    expect((await crossed(store)).talk).toEqual(said);
  });

  test.each(["lone-surrogate", "lone-surrogate-codex"])(
    "%s (P05): at home as it is, elsewhere U+FFFD and said",
    async (name) => {
      const store = await opened(name);
      expect(words(talkOf(await eventsOf(store, one(store))))).toContain("user: a cut emoji: \ud83d");
      expect(Buffer.concat(await replayed(store, one(store))).includes("a cut emoji: \\ud83d")).toBe(true);
      const conversion = await crossed(store);
      expect(conversion.talk).toContain("user: a cut emoji: \ufffd");
      expect(conversion.text).not.toMatch(/\\ud83d/i);
      expect(count(conversion, "invalid-text")).toBeGreaterThan(0);
    },
  );

  test("bom-crlf (P06): back home byte for byte", async () => {
    const store = await opened("bom-crlf");
    expect(await replayed(store, one(store))).toEqual([Buffer.from([...store.files.values()][0] ?? [])]);
  });

  test("empty-text (P08): nothing empty is written, and it is said", async () => {
    const store = await opened("empty-text");
    const conversion = await crossed(store);
    expect(conversion.talk).toEqual([
      "user: Look.",
      'call: #0 Bash {"command":"ls"}',
      "result: #0 ok README.md",
      "user: And?",
      "assistant: Done.",
    ]);
    expect(conversion.text).not.toMatch(/"text":"\s*(\\n)?"/);
    expect(conversion.text).not.toContain('"content":[]');
    expect(count(conversion, "empty")).toBe(2);
  });
});

/** Every call answered once, right after it; no answer without a call: to the target's reader, and in its bytes. */
function paired({ talk, text }: Crossed): void {
  const ids = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id).sort();
  expect(ids(/"type":"function_call","name":"[^"]*"[^\n]*?"call_id":"([^"]*)"/g)).toEqual(
    ids(/"type":"function_call_output","call_id":"([^"]*)"/g),
  );
  expect(ids(/"type":"tool_use","id":"([^"]*)"/g)).toEqual(ids(/"tool_use_id":"([^"]*)"/g));
  const calls = talk.filter((atom) => atom.startsWith("call: ")).map((atom) => atom.split(" ")[1]);
  const results = talk.filter((atom) => atom.startsWith("result: ")).map((atom) => atom.split(" ")[1]);
  expect(results).toEqual(calls);
}

describe("calls and results", () => {
  test("orphan-call (P09): no call stands unanswered, and it is said", async () => {
    const conversion = await crossed(await opened("orphan-call"));
    paired(conversion);
    expect(conversion.talk).toContain("assistant: I will look.");
    expect(conversion.talk.slice(-2)).toEqual(["user: Never mind.", "assistant: All right."]);
    expect(count(conversion, "missing-result", "tool-results")).toBe(1);
  });

  test("orphan-result (P10): no result stands without a call, and it is said", async () => {
    const conversion = await crossed(await opened("orphan-result"));
    paired(conversion);
    expect(conversion.talk.at(-1)).toBe("assistant: Odd.");
    expect(count(conversion, "orphan-result", "tool-results")).toBe(1);
  });

  test("orphans-codex (P09, P10): both at once, from Codex", async () => {
    const conversion = await crossed(await opened("orphans-codex"));
    paired(conversion);
    expect(conversion.talk.filter((atom) => /^(user|assistant): /.test(atom))).toEqual([
      "user: Look.",
      "user: Never mind.",
      "assistant: All right.",
    ]);
    expect(count(conversion, "missing-result", "tool-results")).toBe(1);
    expect(count(conversion, "orphan-result")).toBe(1);
  });

  test("id-83-pipe (P14): legal, distinct, and one for each call and its result", async () => {
    const conversion = await crossed(await opened("id-83-pipe"));
    expect(conversion.talk.filter((atom) => atom.startsWith("result"))).toEqual([
      "result: #0 ok first",
      "result: #1 ok second",
    ]);
    const ids = new Set([...conversion.text.matchAll(/"call_id":"([^"]*)"/g)].map(([, id]) => id ?? ""));
    expect(ids.size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(conversion.text).not.toContain(PIPED);
    expect(count(conversion, "id-not-legal")).toBeGreaterThan(0);
  });

  test("id-empty (P14): an id is made, the same for both", async () => {
    const conversion = await crossed(await opened("id-empty"));
    expect(conversion.talk).toContain("result: #0 ok README.md");
    expect(conversion.text).not.toContain('"call_id":""');
  });

  test("split-message (P19, P24): one message, both results, usage once", async () => {
    const store = await opened("split-message");
    const events = await eventsOf(store, one(store));
    const messages = events.filter((event) => event.type === "message.completed");
    expect(messages.map(({ payload }) => payload.blocks.map(({ type }) => type))).toEqual([
      ["text"],
      ["thinking", "text", "tool-call", "tool-call"],
      ["text"],
    ]);
    expect(messages[1]?.payload.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(events.filter(({ branch }) => branch !== undefined)).toEqual([]);
    const { talk } = await crossed(store);
    expect(talk.filter((atom) => /^(call|result)/.test(atom))).toEqual([
      'call: #0 Bash {"command":"ls a"}',
      'call: #1 Bash {"command":"ls b"}',
      "result: #0 ok in a",
      "result: #1 ok in b",
    ]);
  });
});

describe("opaque payloads", () => {
  test.each([
    ["sig-empty", "A thought."],
    ["sig-foreign", "A thought from elsewhere."],
  ])("%s (P11): no signature goes to another vendor, the thought stays readable", async (name, thought) => {
    const store = await opened(name);
    const conversion = await crossed(store);
    expect(conversion.text).not.toContain("Zm9yZWlnbi1zaWduYXR1cmU=");
    expect(conversion.text).not.toMatch(/"encrypted_content":"[^"]/);
    expect(conversion.text).toContain(thought);
    expect(await replayed(store, one(store))).toEqual([Buffer.from([...store.files.values()][0] ?? [])]);
  });

  test("sig-foreign (P12): home through events, the signature is in its place", async () => {
    const store = await opened("sig-foreign");
    const { files } = await convert({
      from: store.from,
      ref: one(store),
      source: store.source,
      to: store.from,
    });
    expect([...files.values()].map((bytes) => Buffer.from(bytes).toString()).join("")).toContain(
      '"signature":"Zm9yZWlnbi1zaWduYXR1cmU="',
    );
  });

  test("sig-encrypted (P13): the payload stays behind and that is said; the summary crosses", async () => {
    const conversion = await crossed(await opened("sig-encrypted"));
    expect(conversion.text).not.toContain("gAAAAAencrypted");
    expect(conversion.text).toContain("**A thought**");
    expect(conversion.losses.filter(({ axis }) => axis === "opaque-reasoning")).toMatchObject([
      { level: "evidence-only", count: 1 },
    ]);
  });
});

describe("history", () => {
  test.each(["dual-stream-events-after", "dual-stream-events-before", "dual-stream-no-events"])(
    "%s (P21): each thing once, the repeated prompt twice",
    async (name) => {
      const store = await opened(name);
      const said = ["user: Again.", "assistant: Once.", "user: Again.", "assistant: Twice."];
      expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(said);
      expect((await crossed(store)).talk).toEqual(said);
      expect(one(store).messages ?? 4).toBe(4);
    },
  );

  test("fork-prefix (P23): one session that knows its parent; usage is counted once", async () => {
    const store = await opened("fork-prefix");
    expect(store.refs).toHaveLength(2);
    const fork = one(store, "01a10000-0000-7000-8000-000000000002");
    expect(fork.parent).toMatchObject({ id: "01a10000-0000-7000-8000-000000000001", relation: "fork" });
    const events = await eventsOf(store, fork);
    expect(words(talkOf(events))).toEqual([
      "user: First question.",
      "assistant: First answer.",
      "user: Question in the fork.",
      "assistant: Answer in the fork.",
    ]);
    const usages = events.flatMap((event) =>
      "usage" in event.payload && event.payload.usage ? [event.payload.usage] : [],
    );
    expect(usages.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)).toBeLessThanOrEqual(300);
  });

  test("dangling-parent (P24): bridged, and the bridge is said", async () => {
    const store = await opened("dangling-parent");
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(TALK);
    const conversion = await crossed(store);
    expect(conversion.talk).toEqual(TALK);
    expect(count(conversion, "dangling-parent")).toBe(1);
  });

  test("child-before-parent (P24): the order of the chain", async () => {
    const store = await opened("child-before-parent");
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(TALK);
    expect((await crossed(store)).talk).toEqual(TALK);
  });

  test("false-fork (P24, P26): one branch, nothing abandoned", async () => {
    const store = await opened("false-fork");
    const events = await eventsOf(store, one(store));
    expect(events.filter(({ branch }) => branch !== undefined)).toEqual([]);
    expect(words(talkOf(events))).toEqual([
      "user: Go.",
      'call: #0 Bash {"command":"ls"}',
      "result: #0 ok README.md",
      "assistant: One file.",
    ]);
    expect(losses(await crossed(store)).filter((loss) => loss.startsWith("branches"))).toEqual([]);
  });

  test("logical-parent (P25): the model begins with the summary; what was before is still told", async () => {
    const store = await opened("logical-parent");
    const events = await eventsOf(store, one(store));
    const summary =
      "user: This session is being continued from a previous conversation. Summary: one question was answered.";
    const after = [summary, "user: Second question.", "assistant: Second answer."];
    expect(JSON.stringify(events)).toContain("First answer.");
    expect(words(talkOf(events))).toEqual(after);
    expect((await crossed(store)).talk).toEqual(after);
  });

  test("compacted-head (P27): the replacement is the context; what is gone was not dropped by us", async () => {
    const store = await opened("compacted-head");
    const said = [
      "user: Mend the parser.",
      "user: Summary: the parser was mended.",
      "user: And the tests?",
      "assistant: They pass.",
    ];
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(said);
    const conversion = await crossed(store);
    expect(conversion.talk).toEqual(said);
    expect(conversion.losses).toContainEqual(expect.objectContaining({ level: "not-in-source" }));
    expect(conversion.losses.filter(({ axis, level }) => axis === "messages" && level === "dropped")).toEqual(
      [],
    );
  });

  test("subagent-tree (P29): one session with two children, each linked to its call", async () => {
    const store = await opened("subagent-tree");
    const ref = one(store);
    expect(ref.children.map(({ parent }) => parent)).toEqual([
      { id: ref.id, relation: "subagent", toolCallId: "toolu_one" },
      { id: ref.id, relation: "subagent", toolCallId: "toolu_two" },
    ]);
    expect(new Set(withChildren(ref).map(({ id }) => id)).size).toBe(3);
    const conversion = await crossed(store, ref);
    expect(conversion.plan.children).toHaveLength(2);
    expect(conversion.talk.at(-1)).toBe("assistant: One and two.");
    expect(conversion.text).toContain("Count b.");
  });

  test("two-generations (P43): both are listed and read", async () => {
    const store = await opened("two-generations");
    expect(store.refs).toHaveLength(2);
    const old = one(store, "01980000-0000-4000-8000-000000000001");
    expect(words(talkOf(await eventsOf(store, old)))).toMatchObject([
      "user: An old question.",
      expect.stringContaining("call: #0 shell"),
      expect.stringContaining("README.md"),
      "assistant: An old answer.",
    ]);
    expect(old.createdAt).toBe("2025-08-10T10:00:00.000Z");
    const [to] = others(store.from.id);
    if (!to) throw new Error("there is no other harness");
    await expect(convert({ from: store.from, ref: old, source: store.source, to })).rejects.toThrow("--cwd");
    expect(count(await crossed(store, old), "time-inferred")).toBeGreaterThan(0);
  });
});

describe("places", () => {
  test("two-projects-one-slug (P34): each has its own directory", async () => {
    const { refs } = await opened("two-projects-one-slug");
    expect(refs.map(({ cwd }) => cwd).sort()).toEqual(["/home/dev/b/c", "/home/dev/b_c"]);
  });

  test("non-ascii-cwd (P34): from the records, and encoded by the observed rule when written", async () => {
    const store = await opened("non-ascii-cwd");
    expect(one(store).cwd).toBe("/home/dev/日本語");
    const { files } = await convert({
      from: store.from,
      ref: one(store),
      source: store.source,
      to: store.from,
    });
    expect([...files.keys()].join("\n")).toMatch(/\/projects\/-home-dev----\//);
    expect((await crossed(store)).text).toContain('"cwd":"/home/dev/日本語"');
  });

  test("drive-case (P36): both are there as they were recorded, and equal on Windows alone", async () => {
    const { refs } = await opened("drive-case");
    const [a = "", b = ""] = refs.map(({ cwd }) => cwd).sort();
    expect([a, b]).toEqual(["C:\\Dev\\x", "c:\\Dev\\x"]);
    expect(samePath(a, b, "win32")).toBe(true);
    expect(samePath(a, b, "linux")).toBe(false);
  });

  test("worktree-gone (P38): listed, converted, and moved where one says", async () => {
    const store = await opened("worktree-gone");
    expect(one(store).cwd).toBe("/home/dev/demo/.claude/worktrees/feature");
    const [to] = others(store.from.id);
    if (!to) throw new Error("there is no other harness");
    const kept = await convert({ from: store.from, ref: one(store), source: store.source, to });
    expect(kept.plan.cwd).toBe("/home/dev/demo/.claude/worktrees/feature");
    const moved = await convert({
      from: store.from,
      ref: one(store),
      source: store.source,
      to,
      cwd: "/home/dev/demo",
    });
    expect(moved.plan.cwd).toBe("/home/dev/demo");
  });
});
