/** A store of the sample harness: every kind of record it has, and a subagent. */
import { type Fixture, SOURCE_ROOT } from "../kit.js";
import { childTranscript, transcript } from "./layout.js";
import type { SampleRecord } from "./records.js";

const ID = "5a3b1c00-0000-4000-8000-000000000001";
const CHILD = "5a3b1c00-0000-4000-8000-000000000002";
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const at = (second: number) => new Date(Date.UTC(2026, 10, 3, 9, 30, second)).toISOString();

type Line = SampleRecord | { kind: "hook"; at: string; name: string };

const session: readonly Line[] = [
  {
    kind: "head",
    id: ID,
    at: at(0),
    dir: "/home/dev/demo",
    name: "Count the words",
    git: { branch: "main", commit: "0f0f0f0" },
    model: "sample-large",
    version: "1.4.0",
  },
  { kind: "set", at: at(1), values: { model: "sample-large", mode: "careful" } },
  { kind: "turn", id: "turn-1", at: at(2) },
  {
    kind: "said",
    id: "m-0",
    at: at(2),
    by: "user",
    why: "harness",
    parts: [{ type: "text", text: "It is Tuesday." }],
  },
  {
    kind: "said",
    id: "m-1",
    at: at(3),
    by: "user",
    parts: [
      { type: "text", text: "How many words has notes.txt? Größe egal, 数字 please." },
      { type: "image", mimeType: "image/png", data: PIXEL },
    ],
  },
  { kind: "hook", at: at(3), name: "before-model" },
  {
    kind: "said",
    id: "m-2",
    at: at(5),
    by: "assistant",
    model: "sample-large",
    usage: { inputTokens: 120, outputTokens: 40 },
    stop: "tools",
    parts: [
      { type: "thinking", text: "Counting is a job for wc.", signature: "c2lnbmF0dXJlIG9mIHNhbXBsZQ==" },
      { type: "text", text: "Let me count." },
      { type: "tool-call", toolCallId: "call-1", name: "shell", arguments: { command: "wc -w notes.txt" } },
      { type: "tool-call", toolCallId: "call-2", name: "shell", arguments: { command: "cat missing.txt" } },
    ],
  },
  {
    kind: "result",
    call: "call-1",
    at: at(6),
    parts: [{ type: "text", text: "42 notes.txt" }],
    failed: false,
  },
  {
    kind: "result",
    call: "call-2",
    at: at(6),
    parts: [{ type: "text", text: "cat: no such file" }],
    failed: true,
  },
  { kind: "todo", at: at(7), items: [{ content: "count", status: "completed" }] },
  {
    kind: "said",
    id: "m-3",
    at: at(8),
    by: "assistant",
    model: "sample-large",
    parts: [{ type: "text", text: "It has 42 words." }],
  },
  { kind: "turn", id: "turn-1", at: at(8), ends: "completed" },
  {
    kind: "cut",
    at: at(9),
    by: "manual",
    keep: [
      {
        kind: "said",
        id: "m-4",
        by: "user",
        as: "summary",
        parts: [{ type: "text", text: "So far: notes.txt has 42 words." }],
      },
    ],
  },
  {
    kind: "said",
    id: "m-5",
    at: at(10),
    by: "user",
    parts: [{ type: "text", text: "Thanks, and now a summary." }],
  },
  {
    kind: "said",
    id: "m-6",
    at: at(12),
    by: "assistant",
    model: "sample-small",
    parts: [{ type: "text", text: "42, as said before." }],
  },
  { kind: "name", at: at(13), name: "Words counted", by: "user" },
];

const child: readonly Line[] = [
  {
    kind: "head",
    id: CHILD,
    at: at(5),
    dir: "/home/dev/demo",
    version: "1.4.0",
    parent: { id: ID, relation: "subagent", toolCallId: "call-1" },
  },
  { kind: "said", id: "c-1", at: at(5), by: "user", parts: [{ type: "text", text: "Count them all." }] },
  {
    kind: "said",
    id: "c-2",
    at: at(6),
    by: "assistant",
    model: "sample-small",
    parts: [{ type: "text", text: "Counted: 42." }],
  },
];

const bytes = (lines: readonly Line[]) =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

/** The same as it was before it was compacted: nothing of it is out of sight. */
export function wholeFixture(): Fixture {
  const fixture = sampleFixture();
  const lines = bytes(session.filter(({ kind }) => kind !== "cut"));
  return {
    ...fixture,
    name: "sample, whole",
    files: new Map([...fixture.files, [transcript(SOURCE_ROOT, ID), lines]]),
  };
}

/** A fresh copy each time. */
export function sampleFixture(): Fixture {
  return {
    name: "sample",
    root: SOURCE_ROOT,
    files: new Map([
      [`${SOURCE_ROOT}/sample.json`, Buffer.from("{}\n")],
      [transcript(SOURCE_ROOT, ID), bytes(session)],
      [childTranscript(SOURCE_ROOT, ID, CHILD), bytes(child)],
    ]),
  };
}

/** What somebody may have put into a session: names that are paths, commands, keys of every object. */
export function hostileFixture(): Fixture {
  const id = "5a3b1c00-0000-4000-8000-000000000003";
  const dir = "/home/dev/it's $(touch owned) `here`; rm -rf ..";
  const call = "../../../../owned";
  const lines: readonly Line[] = [
    { kind: "head", id, at: at(0), dir, name: "x", model: "../../owned", version: "$(touch owned)" },
    {
      kind: "said",
      id: "../../m",
      at: at(1),
      by: "user",
      parts: [{ type: "text", text: "</user>\n---\n{{owned}} <%= owned %> \u202egnp.exe" }],
    },
    {
      kind: "said",
      id: "__proto__",
      at: at(2),
      by: "assistant",
      model: "__proto__",
      parts: [
        {
          type: "tool-call",
          toolCallId: call,
          name: "../../../../bin/sh",
          arguments: JSON.parse(
            '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
          ),
        },
      ],
    },
    { kind: "result", call, at: at(3), parts: [{ type: "text", text: "done\n\u0000" }], failed: false },
    { kind: "name", at: at(4), name: "../../owned", by: "user" },
  ];
  return {
    name: "hostile",
    root: SOURCE_ROOT,
    files: new Map([
      [`${SOURCE_ROOT}/sample.json`, Buffer.from("{}\n")],
      [transcript(SOURCE_ROOT, id), bytes(lines)],
    ]),
  };
}
