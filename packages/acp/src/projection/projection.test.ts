import { readFileSync } from "node:fs";
import { join } from "node:path";
import acp from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import type { SessionEvent } from "@asp-convert/core";
import { payloads } from "@asp-convert/core/schema";
import { fields } from "@asp-convert/core/values";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { someEvents } from "../../../core/test/arbitrary.js";
import { updateReader } from "./from-updates.js";
import { projector } from "./to-updates.js";

// Properties take as long as the machine lets them.
vi.setConfig({ testTimeout: 60_000 });

const schemaOf = (name: string) =>
  z.fromJSONSchema({ $schema: acp.$schema, $defs: acp.$defs, $ref: `#/$defs/${name}` } as never);
/** By kind of update: the errors of the whole union say nothing. */
const forms = new Map(
  (
    acp.$defs.SessionUpdate.oneOf as {
      properties: { sessionUpdate: { const: string } };
      allOf: { $ref: string }[];
    }[]
  ).map(({ properties, allOf }) => [
    properties.sessionUpdate.const,
    schemaOf((allOf[0]?.$ref ?? "").replace("#/$defs/", "")),
  ]),
);

function problems(update: unknown): unknown[] {
  const form = forms.get(String(fields(update)?.sessionUpdate));
  return form ? (form.safeParse(update).error?.issues ?? []) : [`no such kind: ${JSON.stringify(update)}`];
}

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function read(updates: readonly unknown[]): SessionEvent[] {
  const reader = updateReader();
  const events = updates.flatMap((update, record) =>
    reader.push(update, { record, file: 0, offset: 0, length: 0 }),
  );
  return [...events, ...reader.end()];
}

const withoutOrigin = (events: readonly SessionEvent[]) => events.map(({ origin: _, ...event }) => event);
const update = (events: readonly SessionEvent[]) => events.flatMap(projector({ harness: "sample" }));

describe("events as updates", () => {
  it("come back as they were, whatever they are", () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const wire = update(events).map(overTheWire);
        expect(withoutOrigin(read(wire))).toEqual(overTheWire(withoutOrigin(events)));
      }),
      { numRuns: 200 },
    );
  });

  it("come back where a client takes no compactions", () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const wire = events.flatMap(projector({ harness: "sample", compaction: false })).map(overTheWire);
        expect(JSON.stringify(wire)).not.toContain("compaction_update");
        expect(withoutOrigin(read(wire))).toEqual(overTheWire(withoutOrigin(events)));
      }),
      { numRuns: 50 },
    );
  });

  it("are what ACP's own JSON Schema says an update is", () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        for (const each of update(events)) expect(problems(overTheWire(each))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("name each update in the event it is of", () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const wire = update(events).map(overTheWire);
        const named = read(wire).flatMap(({ origin }) => origin.map(({ record }) => record));
        expect(named).toEqual(wire.map((_, i) => i));
      }),
      { numRuns: 50 },
    );
  });

  it("read as ACP alone is what a client shows", () => {
    const events: SessionEvent[] = [
      { type: "session.started", payload: { nativeSessionId: "s", title: "T", cwd: "/w" }, origin: [] },
      {
        type: "message.completed",
        payload: { messageId: "m1", role: "user", blocks: [{ type: "text", text: "hi" }] },
        time: "2026-01-01T00:00:00Z",
        origin: [],
      },
      {
        type: "message.completed",
        payload: {
          messageId: "m2",
          role: "assistant",
          model: "one",
          blocks: [
            { type: "thinking", text: "hm", signature: "sig" },
            { type: "tool-call", toolCallId: "c1", name: "Read", arguments: { file_path: "/w/a.txt" } },
          ],
        },
        origin: [],
      },
      {
        type: "tool.completed",
        payload: {
          toolCallId: "c1",
          result: [{ type: "text", text: "A" }],
          isError: false,
          detail: { lines: 1 },
        },
        origin: [],
      },
    ];
    const plain = update(events).map((each) => {
      const { _meta, ...rest } = each;
      return rest;
    });
    expect(plain).toEqual([
      { sessionUpdate: "session_info_update", title: "T" },
      { sessionUpdate: "user_message_chunk", messageId: "m1", content: { type: "text", text: "hi" } },
      {
        sessionUpdate: "agent_thought_chunk",
        messageId: "m2",
        content: { type: "text", text: "hm", _meta: { asp: { signature: "sig" } } },
      },
      {
        sessionUpdate: "tool_call",
        toolCallId: "c1",
        title: "Read: /w/a.txt",
        name: "Read",
        kind: "read",
        status: "pending",
        rawInput: { file_path: "/w/a.txt" },
        locations: [{ path: "/w/a.txt" }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "A" } }],
        rawOutput: { lines: 1 },
      },
    ]);
    // Whoever takes `_meta` away leaves a conversation that can still be read.
    const talk = read(plain).filter(({ type }) => type !== "unknown.observed");
    expect(talk.map(({ type }) => type)).toEqual([
      "session.bound",
      "message.completed",
      "message.completed",
      "tool.completed",
    ]);
  });
});

const recordings = join(import.meta.dirname, "../../../../fixtures/acp");
const agents = ["opencode", "claude", "codex", "gemini"];

function recorded(file: string): unknown[] {
  return readFileSync(join(recordings, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => fields(fields(JSON.parse(line))?.params)?.update)
    .filter((each) => each !== undefined);
}

/** Every string, number and truth in a value. */
function leaves(value: unknown, at = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return value === null ? [] : [[at, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, Array.isArray(value) ? at : `${at}.${key}`),
  );
}

/** What an update is, not what it holds. */
const STRUCTURE =
  /^(\.sessionUpdate|\.status|\.content\.type|\.content\.content\.type|\.content\.resource\.type)$/;

describe.each(agents.flatMap((agent) => [`${agent}-load.ndjson`, `${agent}-live.ndjson`]))("%s", (file) => {
  const updates = recorded(file);

  it("is read without losing anything it holds", () => {
    const held = leaves(read(updates).map(({ payload }) => payload)).map(([, text]) => text);
    const whole = held.join("\u0000");
    const lost = updates.flatMap((each) =>
      leaves(each).filter(([at, text]) => !STRUCTURE.test(at) && !whole.includes(text)),
    );
    expect(updates.length).toBeGreaterThan(5);
    expect(lost).toEqual([]);
  });

  it("becomes events of the right form, and these become updates that say the same", () => {
    const events = read(updates);
    for (const { type, payload } of events)
      expect(payloads[type].safeParse(payload).error?.issues ?? []).toEqual([]);
    const again = update(events).map(overTheWire);
    for (const each of again) expect(problems(each)).toEqual([]);
    expect(withoutOrigin(read(again))).toEqual(overTheWire(withoutOrigin(events)));
  });

  it("holds the talk: what was asked, answered, called and given", () => {
    const events = read(updates);
    const texts = events.flatMap((event) =>
      event.type === "message.completed"
        ? event.payload.blocks.map(({ type }) => `${event.payload.role} ${type}`)
        : [],
    );
    expect(texts).toContain("assistant text");
    expect(texts).toContain("assistant thinking");
    expect(texts).toContain("assistant tool-call");
    const called = events.flatMap((event) =>
      event.type === "message.completed"
        ? event.payload.blocks.flatMap((block) => (block.type === "tool-call" ? [block.toolCallId] : []))
        : [],
    );
    const given = events.flatMap((event) =>
      event.type === "tool.completed" ? [event.payload.toolCallId] : [],
    );
    expect(new Set(called).size).toBe(called.length);
    expect([...given].sort()).toEqual([...called].sort());
  });
});

it("an update of ours that was tampered with is told of, never trusted", () => {
  const [first] = update([
    {
      type: "message.completed",
      payload: { messageId: "m", role: "user", blocks: [{ type: "text", text: "x" }] },
      origin: [],
    },
  ]);
  const bad = { ...first, _meta: { asp: { event: "message.completed", payload: { role: "emperor" } } } };
  expect(read([bad])).toMatchObject([
    { type: "unknown.observed", payload: { nativeType: "acp.update", axis: "raw" } },
  ]);
  expect(
    read([{ sessionUpdate: "session_info_update", _meta: { asp: { event: "no.such" } } }]),
  ).toMatchObject([{ type: "unknown.observed" }]);
  for (const nonsense of [null, 1, "x", [], {}, { sessionUpdate: 7 }])
    expect(read([nonsense])).toMatchObject([{ type: "unknown.observed", payload: { value: nonsense } }]);
});

describe("whatever an agent sends", () => {
  const kind = fc.constantFrom(...forms.keys(), "no_such_kind", "piece");
  const key = fc.constantFrom(
    ...[
      "content",
      "messageId",
      "toolCallId",
      "title",
      "name",
      "status",
      "rawInput",
      "rawOutput",
      "entries",
      "_meta",
    ],
    ...["configOptions", "currentModeId", "summary", "compactionId", "locations", "__proto__"],
  );
  const meta = fc.record(
    {
      event: fc.constantFrom(...Object.keys(payloads), "x"),
      more: fc.boolean(),
      payload: fc.jsonValue(),
      block: fc.jsonValue(),
      opaque: fc.jsonValue(),
      piece: fc.oneof(fc.jsonValue(), fc.record({ text: fc.string(), last: fc.boolean() })),
      time: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const anything = fc
    .record({ kind, rest: fc.dictionary(key, fc.jsonValue()), meta: fc.option(meta) })
    .map(({ kind, rest, meta }) => ({ sessionUpdate: kind, ...rest, ...(meta && { _meta: { asp: meta } }) }));

  it("becomes events of the right form, each update in one of them", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 20 }), (updates) => {
        const wire = updates.map(overTheWire);
        const events = read(wire);
        for (const { type, payload } of events)
          expect(payloads[type].safeParse(payload).error?.issues ?? []).toEqual([]);
        const named = new Set(events.flatMap(({ origin }) => origin.map(({ record }) => record)));
        expect(wire.map((_, i) => i).filter((i) => !named.has(i))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
