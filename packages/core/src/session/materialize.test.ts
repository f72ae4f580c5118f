import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blobs, someEvents } from "../../test/arbitrary.js";
import type { SessionEvent } from "./event.js";
import { materialize } from "./materialize.js";
import { type Envelope, sealer } from "./seal.js";
import { Snapshot } from "./snapshot.js";

const context = { sessionId: "f".repeat(64), adapter: "sample", blobs };
const sealed = (events: readonly SessionEvent[]): Envelope[] => events.map(sealer(context));
const at = (second: number) => new Date(Date.UTC(2026, 10, 3, 9, 30, second)).toISOString();
const origin = [] as const;

/** A small talk, with a call of each fate. */
const talk: SessionEvent[] = [
  {
    type: "session.started",
    payload: { nativeSessionId: "s-1", title: "First", cwd: "/a" },
    time: at(0),
    origin,
  },
  { type: "run.started", payload: { runId: "r-1" }, time: at(0), origin },
  { type: "turn.started", payload: { turnId: "t-1" }, time: at(1), origin },
  {
    type: "message.completed",
    payload: { messageId: "m-1", role: "user", blocks: [{ type: "text", text: "Go." }] },
    turnId: "t-1",
    time: at(1),
    origin,
  },
  {
    type: "message.started",
    payload: { messageId: "m-2", role: "assistant" },
    turnId: "t-1",
    time: at(2),
    origin,
  },
  {
    type: "message.completed",
    payload: {
      messageId: "m-2",
      role: "assistant",
      model: "large",
      blocks: [
        { type: "text", text: "Going." },
        { type: "tool-call", toolCallId: "c-1", name: "shell", arguments: { command: "ls" } },
        {
          type: "tool-call",
          toolCallId: "c-2",
          name: "shell",
          arguments: { command: "false" },
          namespace: "mcp__x",
        },
        { type: "tool-call", toolCallId: "c-3", name: "sleep", arguments: {} },
        { type: "tool-call", toolCallId: "c-4", name: "wait", arguments: {} },
      ],
    },
    turnId: "t-1",
    time: at(3),
    origin,
  },
  {
    type: "tool.started",
    payload: { toolCallId: "c-1", name: "shell", arguments: { command: "ls" } },
    time: at(3),
    origin,
  },
  {
    type: "tool.completed",
    payload: {
      toolCallId: "c-1",
      result: [{ type: "text", text: "a" }],
      isError: false,
      detail: { exit: 0 },
    },
    time: at(4),
    origin,
  },
  { type: "tool.completed", payload: { toolCallId: "c-2", result: [], isError: true }, time: at(4), origin },
  {
    type: "tool.completed",
    payload: { toolCallId: "c-3", result: [], isError: true, synthetic: true },
    time: at(4),
    origin,
  },
  {
    type: "approval.requested",
    payload: { approvalId: "p-1", toolCallId: "c-1", detail: { ask: true } },
    time: at(4),
    origin,
  },
  { type: "approval.resolved", payload: { approvalId: "p-1", outcome: "allowed" }, time: at(5), origin },
  {
    type: "turn.completed",
    payload: { turnId: "t-1", status: "completed", usage: { inputTokens: 3 } },
    time: at(6),
    origin,
  },
  { type: "session.bound", payload: { title: "Second", titleBy: "user" }, time: at(6), origin },
  {
    type: "capabilities.changed",
    payload: { settings: { model: "large", mode: "plan" } },
    time: at(6),
    origin,
  },
  { type: "capabilities.changed", payload: { settings: { mode: "code" } }, time: at(7), origin },
  { type: "run.settled", payload: { runId: "r-1", status: "failed" }, time: at(8), origin },
];

describe("materialize", () => {
  it("projects a talk", async () => {
    const log = sealed(talk);
    const snapshot = await materialize(log);
    expect(Snapshot.parse(snapshot)).toEqual(snapshot);
    expect(snapshot).toMatchObject({
      id: context.sessionId,
      nativeSessionId: "s-1",
      title: "Second",
      cwd: "/a",
      revision: log.length,
      seq: log.length - 1,
      nextSeq: log.length,
      status: "exited",
      capabilities: { readOnly: true, settings: { model: "large", mode: "code" } },
    });
    expect(snapshot.runs).toMatchObject([{ id: "r-1", state: "failed", createdAt: at(0), updatedAt: at(8) }]);
    expect(snapshot.turns).toMatchObject([
      { id: "t-1", state: "completed", runId: "r-1", usage: { inputTokens: 3 } },
    ]);
    expect(snapshot.messages).toMatchObject([
      { id: "m-1", role: "user", state: "completed", turnId: "t-1", runId: "r-1" },
      {
        id: "m-2",
        role: "assistant",
        state: "completed",
        model: "large",
        createdAt: at(2),
        updatedAt: at(3),
      },
    ]);
    expect(snapshot.messages[1]?.provenance).toMatchObject({
      layer: "L1",
      adapter: "sample",
      authenticated: false,
      observationCount: 2,
    });
    expect(snapshot.tools).toMatchObject([
      {
        id: "c-1",
        name: "shell",
        arguments: { command: "ls" },
        messageId: "m-2",
        state: "completed",
        result: { content: [{ text: "a" }], isError: false, detail: { exit: 0 } },
      },
      { id: "c-2", namespace: "mcp__x", state: "failed" },
      { id: "c-3", state: "cancelled", result: { synthetic: true } },
      { id: "c-4", state: "pending" },
    ]);
    expect(snapshot.tools[3]?.result).toBeUndefined();
    expect(snapshot.approvals).toMatchObject([
      { id: "p-1", state: "completed", outcome: "allowed", toolCallId: "c-1", detail: { ask: true } },
    ]);
    expect(snapshot.pendingActions).toEqual([]);
  });

  it("takes an authenticated log for a live session", async () => {
    const live = sealed(talk).map((envelope) => ({
      ...envelope,
      source: { ...envelope.source, authenticated: true },
    })) as Envelope[];
    expect(await materialize(live)).toMatchObject({ status: "live", capabilities: { readOnly: false } });
  });

  it("lets the stronger layer tell alone", async () => {
    const layered = (events: readonly SessionEvent[], layer: "L1" | "L2" | "L3", name: string) =>
      events.map(sealer({ ...context, adapter: name })).map((envelope) => ({
        ...envelope,
        eventId: `${name} ${envelope.eventId}`,
        source: { ...envelope.source, layer },
      })) as Envelope[];
    const strong = layered(talk.slice(0, 4), "L1", "file");
    const weak = layered(talk, "L2", "tap");
    const both = await materialize([...weak, ...strong, ...layered(talk, "L3", "guess")]);
    expect(both.messages.map(({ id }) => id)).toEqual(["m-1"]);
    expect(both.tools).toEqual([]);
    expect({ ...both, revision: 0, seq: 0, nextSeq: 0 }).toEqual({
      ...(await materialize(strong)),
      revision: 0,
      seq: 0,
      nextSeq: 0,
    });
  });

  it("is the same whenever it is made, and events told again change nothing", async () => {
    await fc.assert(
      fc.asyncProperty(someEvents, fc.nat(), async (events, cut) => {
        const log = sealed(events);
        const once = await materialize(log);
        expect(Snapshot.safeParse(JSON.parse(JSON.stringify(once))).error?.issues ?? []).toEqual([]);
        expect(await materialize(structuredClone(log))).toEqual(once);
        const again = log.slice(0, cut % (log.length + 1));
        expect(await materialize([...log, ...again])).toEqual(once);
        expect(await materialize(log.flatMap((envelope) => [envelope, envelope]))).toEqual(once);
      }),
    );
  });

  it("what became of an entity does not depend on the order in which its events came", async () => {
    const message = (revision: number): SessionEvent => ({
      type: "message.updated",
      payload: {
        messageId: "m",
        role: "assistant",
        revision,
        blocks: [{ type: "text", text: `draft ${revision}` }],
      },
      nativeId: `u${revision}`,
      time: at(revision),
      origin,
    });
    const whole: SessionEvent = {
      type: "message.completed",
      payload: { messageId: "m", role: "assistant", blocks: [{ type: "text", text: "whole" }] },
      nativeId: "done",
      time: at(9),
      origin,
    };
    const started: SessionEvent = {
      type: "message.started",
      payload: { messageId: "m", role: "assistant" },
      nativeId: "s",
      time: at(0),
      origin,
    };
    const call: SessionEvent = {
      type: "tool.started",
      payload: { toolCallId: "c", name: "x", arguments: 1 },
      nativeId: "c",
      origin,
      time: at(1),
    };
    const done: SessionEvent = {
      type: "tool.completed",
      payload: { toolCallId: "c", result: [], isError: false },
      nativeId: "d",
      origin,
      time: at(2),
    };
    const sticky = async (events: SessionEvent[]) => {
      const { messages, tools } = await materialize(sealed(events));
      const known = [...messages, ...tools].map(({ provenance: { sourceEventIds, ...rest }, ...entity }) => ({
        ...entity,
        provenance: { ...rest, sourceEventIds: sourceEventIds.toSorted() },
      }));
      return known.sort((a, b) => (a.id < b.id ? -1 : 1));
    };
    const all = [started, message(1), message(2), message(3), whole, call, done];
    const expected = await sticky(all);
    expect(expected).toMatchObject([
      { id: "c", state: "completed" },
      { id: "m", state: "completed", blocks: [{ text: "whole" }] },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), async (order) => {
        expect(await sticky(order)).toEqual(expected);
      }),
    );
    // Without the end, the highest revision stands.
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([started, message(1), message(2), message(3)], { minLength: 4 }),
        async (order) => {
          expect((await sticky(order))[0]).toMatchObject({ state: "running", blocks: [{ text: "draft 3" }] });
        },
      ),
    );
  });

  it("never assigns a key that a log brings along", async () => {
    const hostile = JSON.parse(
      '{"messageId":"m","role":"user","blocks":[],"__proto__":{"polluted":true}}',
    ) as never;
    const settings = JSON.parse('{"settings":{"__proto__":{"polluted":true},"a":1}}') as never;
    const snapshot = await materialize(
      sealed([
        { type: "message.completed", payload: hostile, origin },
        { type: "capabilities.changed", payload: settings, origin },
      ]),
    );
    expect((snapshot.messages[0] as unknown as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(snapshot.capabilities.settings)).toBe(Object.prototype);
  });
});
