/** A check that cannot fail is none: each one here meets a converter with one fault, and must name it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Converter, SessionEvent, SessionsKind } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import type { Fixture, Subject } from "../kit.js";
import { unfounded } from "../run.js";
import { sampleFixture } from "../sample/fixture.js";
import { sample } from "../sample/index.js";
import { type CheckName, checks } from "./index.js";

const sessions = sample.sessions;
const withSessions = (change: Partial<SessionsKind>): Converter => ({
  ...sample,
  sessions: { ...sessions, ...change },
});

/** A reader whose events went through `change`. */
const reading = (change: (events: AsyncIterable<SessionEvent>) => AsyncIterable<SessionEvent>): Converter =>
  withSessions({ read: (ref, context) => change(sessions.read(ref, context)) });

const each = (change: (event: SessionEvent) => readonly SessionEvent[]): Converter =>
  reading(async function* (events) {
    for await (const event of events) yield* change(event);
  });

/** A writer that sees other events than the reader gave. */
const writing = (change: (event: SessionEvent) => readonly SessionEvent[]): Converter =>
  withSessions({
    write: (input, target) =>
      sessions.write(
        {
          ...input,
          async *events() {
            for await (const event of input.events()) yield* change(event);
          },
        },
        target,
      ),
  });

const listing = (
  change: (ref: Parameters<SessionsKind["read"]>[0]) => Parameters<SessionsKind["read"]>[0][],
): Converter =>
  withSessions({
    async *list(store, context) {
      for await (const ref of sessions.list(store, context)) yield* change(ref);
    },
  });

const said = (event: SessionEvent, word: string) =>
  event.type === "message.completed" && JSON.stringify(event.payload.blocks).includes(word);

/** Its result, if it is one, is another. */
const cut = (event: SessionEvent): SessionEvent =>
  event.type === "tool.completed"
    ? { ...event, payload: { ...event.payload, result: [{ type: "text", text: "cut" }] } }
    : event;

const other: Fixture = {
  name: "other",
  root: "/asp/source",
  files: new Map([["/asp/source/log.jsonl", Buffer.from('{"type":"x"}\n')]]),
};

let turn = 0;

/** With its list made of another source, or told of less. */
const listingOf = (
  change: (context: Parameters<SessionsKind["list"]>[1]) => Parameters<SessionsKind["list"]>[1],
): Converter => withSessions({ list: (store, context) => sessions.list(store, change(context)) });

const faults: { check: CheckName; fault: string; converter: Converter; problem: RegExp }[] = [
  {
    check: "list",
    fault: "gives a number for an id",
    converter: listing((ref) => [{ ...ref, id: "7" }]),
    problem: /an id that counts is in other stores too/,
  },
  {
    check: "unreadable",
    fault: "is stopped by one file",
    converter: listingOf(({ onUnreadable: _, ...context }) => context),
    problem: /threw SourceError: .*permission denied/,
  },
  {
    check: "unreadable",
    fault: "passes over what it cannot read",
    converter: listingOf((context) => ({ ...context, onUnreadable: () => {} })),
    problem: /cannot be read: nobody is told/,
  },
  {
    check: "unreadable",
    fault: "looks whole where nobody is told",
    converter: listingOf((context) => ({ onUnreadable: () => {}, ...context })),
    problem: /a list with nobody to tell looks whole/,
  },
  {
    check: "unreadable",
    fault: "takes a pipe for no entry at all",
    converter: listingOf(({ source, ...context }) => ({
      ...context,
      source: {
        ...source,
        readDir: async (path) => (await source.readDir(path)).filter(({ kind }) => kind !== "other"),
      },
    })),
    problem: /is a pipe: nobody is told/,
  },
  {
    check: "withheld",
    fault: "takes what it may not read for the end",
    converter: reading(async function* (events) {
      try {
        yield* events;
      } catch {
        // As if there were no more.
      }
    }),
    problem: /cannot be read: its copy lacks something, and no loss says so/,
  },
  {
    check: "withheld",
    fault: "does not say what it may not read",
    converter: reading(async function* (events) {
      try {
        yield* events;
      } catch {
        throw new Error("failed");
      }
    }),
    problem: /cannot be read: threw Error: failed/,
  },
  {
    check: "probe",
    fault: "does not know its own",
    converter: { ...sample, probe: () => 0 },
    problem: /not recognised/,
  },
  {
    check: "probe",
    fault: "takes all for its own",
    converter: { ...sample, probe: () => 95 },
    problem: /foreign, but scores 95/,
  },
  {
    check: "probe",
    fault: "is sure of an empty file",
    converter: { ...sample, probe: () => 95 },
    problem: /empty\.jsonl: nobody's/,
  },
  {
    check: "probe",
    fault: "reads the whole file",
    converter: {
      ...sample,
      async probe(candidate) {
        if (candidate.kind === "file")
          await candidate.source.readFile(candidate.path, Number.MAX_SAFE_INTEGER);
        return sample.probe(candidate);
      },
    },
    problem: /bytes were read to recognise it/,
  },
  {
    check: "list",
    fault: "wrong size",
    converter: listing((ref) => [{ ...ref, size: 1 }]),
    problem: /says 1 bytes/,
  },
  {
    check: "list",
    fault: "lists twice",
    converter: listing((ref) => [ref, ref]),
    problem: /two sessions have the id/,
  },
  {
    check: "list",
    fault: "subagents beside their parents",
    converter: listing((ref) => [{ ...ref, children: [] }, ...ref.children]),
    problem: /stands beside its parent/,
  },
  {
    check: "list",
    fault: "raw titles",
    converter: listing((ref) => [{ ...ref, title: "a\u001b[2Jb" }]),
    problem: /control characters/,
  },
  {
    check: "list",
    fault: "local times",
    converter: listing((ref) => [{ ...ref, createdAt: "3 Nov 2026" }]),
    problem: /createdAt is no UTC time/,
  },
  {
    check: "read",
    fault: "forgets a record",
    converter: each((event) => (said(event, "42, as") ? [] : [event])),
    problem: /in no event's origin/,
  },
  {
    check: "read",
    fault: "no such payload",
    converter: each((event) => [
      event.type === "task.updated"
        ? { ...event, payload: { plan: [{ content: "x", status: "done" as "completed" }] } }
        : event,
    ]),
    problem: /task\.updated\): plan\.0\.status/,
  },
  {
    check: "read",
    fault: "results after the next message",
    converter: reading(async function* (events) {
      const late: SessionEvent[] = [];
      for await (const event of events) {
        if (event.type === "tool.completed") late.push(event);
        else yield event;
        if (said(event, "It has 42")) yield* late.splice(0);
      }
      yield* late;
    }),
    problem: /the result of call-1 comes 1 message\(s\) after/,
  },
  {
    check: "read",
    fault: "points past the end",
    converter: each((event) => [
      { ...event, origin: event.origin.map((origin) => ({ ...origin, length: 1e9 })) },
    ]),
    problem: /are in no event's origin/,
  },
  {
    check: "read",
    fault: "one identity for all",
    converter: each((event) => [{ ...event, nativeId: "same" }]),
    problem: /same type and nativeId/,
  },
  {
    check: "read",
    fault: "leaves files open",
    converter: withSessions({
      async *read(ref, context) {
        await context.source.open(ref.path);
        yield* sessions.read(ref, context);
      },
    }),
    problem: /left 1 file\(s\) open/,
  },
  {
    check: "determinism",
    fault: "random ids",
    converter: each((event) => [{ ...event, nativeId: `random ${turn++}` }]),
    problem: /a second read gives other events/,
  },
  {
    check: "determinism",
    fault: "ignores the number of the copy",
    converter: withSessions({ write: (input, target) => sessions.write(input, { ...target, copy: 0 }) }),
    problem: /copy 1 has the id of copy 0/,
  },
  {
    check: "write",
    fault: "loses a message",
    converter: withSessions({
      write: (input, target) =>
        sessions.write(
          {
            ...input,
            async *events() {
              for await (const event of input.events()) {
                if (said(event, "42, as")) input.ledger.mapped(event);
                else yield event;
              }
            },
          },
          target,
        ),
    }),
    problem: /its copy talks otherwise: at 2/,
  },
  {
    check: "write",
    fault: "leaves the target",
    converter: withSessions({ write: (input, target) => sessions.write(input, { ...target, root: "/etc" }) }),
    problem: /writes outside the target/,
  },
  {
    check: "write",
    fault: "another title",
    converter: writing((event) => [
      event.type === "session.bound" ? { ...event, payload: { ...event.payload, title: "Imported" } } : event,
    ]),
    problem: /title was "Words counted", is "Imported"/,
  },
  {
    check: "write",
    fault: "does not account for a record",
    converter: writing((event) => (said(event, "42, as") ? [] : [event])),
    problem: /AccountError/,
  },
  {
    check: "stable",
    fault: "marks every copy",
    converter: writing((event) => [
      event.type === "session.bound"
        ? { ...event, payload: { ...event.payload, title: `${event.payload.title} (copy)` } }
        : event,
    ]),
    problem: /changes with every copy/,
  },
  {
    check: "replay",
    fault: "writes the bytes anew",
    converter: withSessions({
      async replay(ref, files, target) {
        const plan = await sessions.replay(ref, files, target);
        return {
          ...plan,
          actions: plan.actions.map((action) =>
            action.do === "create" ? { ...action, content: "{}\n" } : action,
          ),
        };
      },
    }),
    problem: /is not the same bytes/,
  },
  {
    check: "tolerance",
    fault: "trusts every line",
    converter: withSessions({
      async *read(ref, context) {
        for (const line of Buffer.from((await context.source.readFile(ref.path)) ?? [])
          .toString()
          .split("\n"))
          if (line) JSON.parse(line);
        yield* sessions.read(ref, context);
      },
    }),
    problem: /torn-line: threw SyntaxError/,
  },
  {
    check: "tolerance",
    fault: "keeps quiet about what it cannot read",
    converter: each((event) => [
      event.type === "unknown.observed"
        ? { ...event, payload: { ...event.payload, axis: "side-records" } }
        : event,
    ]),
    problem: /nul-gap: to sample: bytes became unreadable, but no loss of raw bytes is declared/,
  },
  {
    check: "fidelity",
    fault: "promises too much",
    converter: withSessions({
      fidelity: {
        read: sessions.fidelity.read,
        write: { ...sessions.fidelity.write, "opaque-reasoning": "preserved" },
      },
    }),
    problem: /opaque-reasoning is declared preserved, but 1 × evidence-only/,
  },
  {
    check: "leaves",
    fault: "forgets the name of a tool",
    converter: each((event) => [
      event.type === "message.completed"
        ? {
            ...event,
            payload: {
              ...event.payload,
              blocks: event.payload.blocks.map((block) =>
                block.type === "tool-call" ? { ...block, name: "tool" } : block,
              ),
            },
          }
        : event,
    ]),
    problem: /said parts\.\*\.name .* no event holds it and no rule names its axis/,
  },
  {
    check: "leaves",
    fault: "writes half of a text",
    converter: writing((event) => [cut(event)]),
    problem: /result parts\.\*\.text .* no loss of tool-results is declared/,
  },
  {
    check: "reference",
    fault: "writes half of what another harness says",
    converter: writing((event) => [cut(event)]),
    problem: /from sample, whole: talks otherwise/,
  },
  {
    check: "reference",
    fault: "makes a path of a title",
    converter: withSessions({
      async write(input, target) {
        const plan = await sessions.write(input, target);
        const path = `${target.root}/sessions/../${input.ref.title}.txt`;
        return { ...plan, actions: [...plan.actions, { do: "create", path, content: Buffer.from("x") }] };
      },
    }),
    problem: /from hostile: writes outside the target: .*owned/,
  },
  {
    check: "columns",
    fault: "takes a row for JSON",
    converter: withSessions({
      async *list(store, context) {
        const database = await context.source.openDatabase(NOTES);
        for (const row of database.all("SELECT * FROM note")) JSON.stringify(row);
        database.close();
        yield* sessions.list(store, context);
      },
    }),
    problem: /with columns of a newer version: threw TypeError: .*BigInt/,
  },
  {
    check: "memory",
    fault: "holds everything",
    converter: reading(async function* (events) {
      const held: SessionEvent[] = [];
      for await (const event of events) held.push(event);
      yield* held;
    }),
    problem: /MiB were alive while/,
  },
];

const NOTES = `${sampleFixture().root}/notes.db`;

/** The sample's store, and in it a database. */
function withDatabase(): Fixture {
  const { files, ...fixture } = sampleFixture();
  const folder = mkdtempSync(join(tmpdir(), "asp-notes-"));
  const database = new DatabaseSync(join(folder, "notes.db"));
  database.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine')");
  database.close();
  const bytes = readFileSync(join(folder, "notes.db"));
  rmSync(folder, { recursive: true });
  return { ...fixture, files: new Map([...files, [NOTES, bytes]]) };
}

function subjectOf(converter: Converter): Subject {
  const leaves = { structural: ["parent.relation"], axes: { version: "side-records" } } as const;
  return { converter, fixture: withDatabase(), foreign: [other], targets: [converter], leaves, ids: [] };
}

describe("a fault is found", () => {
  test.each(faults)("$check: $fault", { timeout: 60_000 }, async ({ check, converter, problem }) => {
    expect((await checks[check](subjectOf(converter))).join("\n")).toMatch(problem);
  });

  test("every check has one", () => {
    expect(new Set(faults.map(({ check }) => check))).toEqual(new Set(Object.keys(checks)));
  });
});

test("a skip stands only on what is declared to be lost in part at least", () => {
  const skip = { axis: "lineage", reason: "sample names no ancestors" } as const;
  expect(unfounded(skip, sample)).toEqual([]);
  expect(unfounded({ ...skip, axis: "messages" }, sample)).toEqual([
    "messages is declared preserved: nothing of it may be lost",
  ]);
  expect(unfounded({ ...skip, reason: " " }, sample)).toEqual(["lineage: gives no reason"]);
});

test.each([
  ["write", "title", listing((ref) => [{ ...ref, title: `${ref.path} ` }])],
  ["reference", "tool-results", writing((event) => [cut(event)])],
] as const)("what is excused is not held against it: %s, %s", async (name, axis, converter) => {
  const lower = { ...sessions.fidelity.write, [axis]: "partial" };
  const declared: Converter = {
    ...converter,
    sessions: { ...converter.sessions, fidelity: { ...sessions.fidelity, write: lower } },
  };
  const held = await checks[name]({ ...subjectOf(converter), targets: [declared] });
  expect(held.length).toBeGreaterThan(0);
  const excused = await checks[name]({ ...subjectOf(declared), excused: new Set([axis]) });
  expect(excused).toEqual([]);
});
