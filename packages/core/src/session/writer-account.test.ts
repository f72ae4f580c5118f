import { expect, test } from "vitest";
import type { SessionRef } from "../converter/contract.js";
import { LossLedger } from "../fidelity/ledger.js";
import { type EventOf, type EventType, event, type Payloads } from "./event.js";
import { WriterAccount } from "./writer-account.js";

const REF: SessionRef = { harness: "x", id: "s", path: "/s", files: [], size: 1, children: [] };
const CREATED = "2026-01-01T00:00:00.000Z";

function account(ref: Partial<SessionRef> = {}) {
  const ledger = new LossLedger("s");
  const names: string[] = [];
  const of = new WriterAccount({
    ref: { ...REF, ...ref },
    ledger,
    created: CREATED,
    isNative: false,
    name: (title, by) => names.push(`${title} ${by ?? ""}`),
  });
  return { of, ledger, names };
}

function told<T extends EventType>(type: T, payload: Payloads[T], ledger: LossLedger, more = {}): EventOf<T> {
  return event(type, payload, {
    origin: [{ record: ledger.record(), file: 0, offset: 0, length: 1 }],
    ...more,
  });
}

const lossesOf = (ledger: LossLedger) =>
  ledger.losses.map(({ axis, level, reason, count }) => `${axis} ${level} ${reason} ${count}`);
const said = (words: string, more: Partial<Payloads["message.completed"]> = {}) => ({
  messageId: words,
  role: "user" as const,
  blocks: [{ type: "text" as const, text: words }],
  ...more,
});

test("a time holds until there is another one; what has none is told", () => {
  const { of, ledger } = account();
  of.begin(told("message.completed", said("a"), ledger));
  expect(of.time).toBe(CREATED);
  of.begin(told("message.completed", said("b"), ledger, { time: "2026-05-04T10:00:00Z" }));
  of.begin(told("message.completed", said("c"), ledger, { time: "yesterday" }));
  expect(of.time).toBe("2026-05-04T10:00:00.000Z");
  expect(ledger.kept.get("times")).toBe(1);
  expect(lossesOf(ledger)).toEqual(["times partial time-inferred 2"]);
});

test("every title is written in its place, the listed one last; one that stands already is not written again", () => {
  const { of, ledger, names } = account({ title: "Last", titleFrom: "agent" });
  of.started(told("session.started", { nativeSessionId: "s", title: "First" }, ledger));
  of.bound(told("session.bound", { title: "Se\ncond", titleBy: "user" }, ledger));
  of.bound(told("session.bound", { title: "Aside" }, ledger, { branch: "b" }));
  of.bound(told("session.bound", { cwd: "/else" }, ledger));
  of.end();
  expect(names).toEqual(["First agent", "Se cond user", "Last agent"]);
  expect(lossesOf(ledger)).toEqual(["branches evidence-only superseded 1", "cwd evidence-only superseded 1"]);
  expect(ledger.settle()).toMatchObject({ read: 4, mapped: 2, evidence: 2, lost: 0 });
});

test("the first words of a prompt are no title", () => {
  const { of, ledger, names } = account({ title: "Do it", titleFrom: "prompt" });
  of.started(told("session.started", { nativeSessionId: "s", title: "Do it" }, ledger));
  of.end();
  expect(names).toEqual([]);
});

test("what has no place: by what the reader says of it, else by its type", () => {
  const { of, ledger } = account();
  const unknown = (axis: string, reason?: string) =>
    told("unknown.observed", { nativeType: "x", axis, ...(reason && { reason }) }, ledger);
  for (const each of [
    unknown("raw", "torn-tail"),
    unknown("toString", "constructor"),
    told("turn.completed", { turnId: "t", status: "failed", error: "e" }, ledger),
    told("task.updated", { plan: [] }, ledger),
    told("status.changed", { status: "rewound" }, ledger),
  ]) {
    of.begin(each);
    if (each.type === "status.changed") expect(of.compacted(each)).toBeUndefined();
    else of.leaveUnplaced(each);
  }
  expect(lossesOf(ledger)).toEqual([
    "raw evidence-only torn-tail 1",
    "side-records evidence-only no-counterpart 1",
    "errors evidence-only no-counterpart 1",
    "turns evidence-only no-counterpart 1",
    "plans evidence-only no-counterpart 1",
    "branches evidence-only abandoned-branch 1",
  ]);
  expect(ledger.settle()).toMatchObject({ read: 5, evidence: 5 });
});

test("what a compaction kept comes with its own times, and without a preamble", () => {
  const { of, ledger } = account();
  const context = [
    event("message.completed", said("pre", { injected: "harness" }), { origin: [] }),
    event("message.completed", said("kept"), { origin: [], time: "2025-01-01T00:00:00Z" }),
  ];
  const compacted = told("status.changed", { status: "compacted", context }, ledger, {
    time: "2026-02-01T00:00:00Z",
  });
  of.begin(compacted);
  const times = Array.from(of.kept(of.compacted(compacted) ?? []), ({ payload }) => [payload, of.time]);
  expect(times).toEqual([[said("kept"), "2025-01-01T00:00:00.000Z"]]);
  expect(of.time).toBe("2026-02-01T00:00:00.000Z");
  expect(lossesOf(ledger)).toEqual(["injected-context dropped harness-preamble 1"]);
});

test("of what a compaction kept, a result of no call is told of", () => {
  const { of, ledger } = account();
  const call = { type: "tool-call", toolCallId: "here", name: "t", arguments: {} } as const;
  const result = (toolCallId: string) =>
    event("tool.completed", { toolCallId, result: [], isError: false }, { origin: [] });
  const context = [
    result("gone"),
    event("message.completed", { messageId: "a", role: "assistant", blocks: [call] }, { origin: [] }),
    result("here"),
  ];
  const compacted = told("status.changed", { status: "compacted", context }, ledger);
  of.begin(compacted);
  expect([...of.kept(of.compacted(compacted) ?? [])]).toEqual(context.slice(1));
  expect(lossesOf(ledger)).toEqual(["tool-results evidence-only orphan-result 1"]);
});

test("of the session as a whole: new ids, branches, what it was forked from", () => {
  const { of, ledger } = account({ parent: { id: "p", relation: "fork" } });
  for (const branch of [undefined, "b", "b"])
    of.begin(told("message.completed", said("x"), ledger, { nativeId: "n", time: CREATED, branch }));
  of.end();
  expect(lossesOf(ledger)).toEqual([
    "ids evidence-only generated 3",
    "branches partial re-encoded 2",
    "lineage evidence-only no-counterpart 1",
  ]);
});
