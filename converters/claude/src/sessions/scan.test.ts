import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Head, headOf } from "./head.js";
import { flag, kinds } from "./kinds.js";
import { Scanner } from "./scan.js";
import type { Json } from "./value.js";

const captured = join(import.meta.dirname, "../../../../fixtures/claude");

function lines(): string[] {
  return readdirSync(captured, { recursive: true, encoding: "utf8" })
    .filter((name) => /projects\/.*\.jsonl$/.test(name))
    .flatMap((name) => readFileSync(join(captured, name), "utf8").split("\n"))
    .filter((line) => line !== "");
}

/** What a head says, without where it says it. */
function told(head: Head): unknown {
  const own = (from: number, to: number) => (from === -1 ? undefined : head.bytes.toString("utf8", from, to));
  const { bytes: _, uuidFrom, uuidTo, parentFrom, parentTo, ...rest } = head;
  return { ...rest, uuid: own(uuidFrom, uuidTo), parent: own(parentFrom, parentTo) };
}

function scanned(line: string, search = true): Head | undefined {
  const bytes = Buffer.from(line);
  const scanner = new Scanner();
  return scanner.scan(bytes, search ? bytes.toString("latin1") : undefined, 0, bytes.length)
    ? scanner.head
    : undefined;
}

function parsed(line: string): Head {
  const head = new Head();
  headOf(JSON.parse(line) as Json, head);
  return head;
}

describe("scanning", () => {
  test("every captured record: the bytes tell what the parsed value tells", () => {
    for (const line of lines()) {
      for (const search of [true, false]) {
        const head = scanned(line, search);
        expect(head && told(head), line.slice(0, 300)).toEqual(told(parsed(line)));
      }
    }
  });

  test("one after the other, as in a file: what was remembered of one record changes no other", () => {
    const chained = (before: object, after: object) =>
      JSON.stringify({ ...before, userType: "external", cwd: "/a", sessionId: "s", version: "2", ...after });
    const tails = [
      { gitBranch: "main" },
      { gitBranch: "dev\\x" },
      { uuid: "in the tail" },
      { isMeta: true },
      {},
    ];
    const made = tails.flatMap((tail) =>
      [1, 2, 3, 4].map((i) => chained({ type: "user", uuid: `u${i}`, version: "1", gitBranch: "own" }, tail)),
    );
    const scanner = new Scanner();
    for (const line of [...lines(), ...made, ...made.reverse(), ...lines()]) {
      const bytes = Buffer.from(line);
      expect(scanner.scan(bytes, undefined, 0, bytes.length)).toBe(true);
      expect(told(scanner.head), line.slice(0, 300)).toEqual(told(parsed(line)));
    }
  });

  test.each([
    ['{"type":"user","uuid":"u","message":{"content":"a \\"quoted\\" word, {\\"uuid\\":\\"no\\"}"}}'],
    ['{ "type" : "user" , "uuid" : "u" , "parentUuid" : null , "message" : { "content" : [ ] } }'],
    [
      '{"type":"assistant","uuid":"u","message":{"id":"m","content":[{"type":"text","text":"x\\\\"},{"id":"t","type":"tool_use","input":{"a":[1,{"b":"}"}]}}]}}',
    ],
    ['{"uuid":"first","type":"user","uuid":"last","message":{"content":"x"}}'],
    [
      '{"type":"user","uuid":"u","cwd":"C:\\\\dev\\\\a","message":{"content":"  \\n<command-name>/x</command-name>"}}',
    ],
    [JSON.stringify({ type: "user", uuid: "u", message: { content: 'long \\" and more '.repeat(50) } })],
  ])("%s", (line) => {
    const head = scanned(line);
    expect(head && told(head)).toEqual(told(parsed(line)));
  });

  test.each([
    "",
    "   ",
    "[]",
    "7",
    '{"a":1',
    '{"a":"b',
    '{"a":1}{"b":2}',
    '{"a":1} x',
    '{"a" 1}',
    '{"a":}',
    '{"\\u0074ype":"user"}',
    '{"type":"user","uuid":"\\u0061b"}',
    '{"type":"user","uuid":"u","parentUuid":"p\\"q"}',
    '{"type":"us{"type":"user"}',
  ])("gives up on %s", (line) => {
    expect(scanned(line)).toBeUndefined();
  });

  test.each([
    ["the same", "x", "x"],
    ["longer", "x", "x and more"],
    ["shorter", "x and more", "x"],
    ["a quote where the first ends", "x", 'x" y'],
    ["a backslash at the end", "x\\", "x\\"],
  ])("a long text, and in the same record one that is %s", (_, one, two) => {
    const long = 'a "line" of output \\ – '.repeat(20);
    const line = (stdout: string) =>
      JSON.stringify({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", content: long + one }] },
        toolUseResult: { stdout, stderr: "" },
        uuid: "6f4e0c1e-0000-4000-8000-000000000001",
        timestamp: "2026-11-03T09:30:00.000Z",
      });
    const record = line(long + two);
    expect(told(scanned(record) as Head)).toEqual(told(parsed(record)));
    expect(told(scanned(record, false) as Head)).toEqual(told(parsed(record)));
  });

  test("a picture is words of a person, a command is not", () => {
    const image =
      '{"type":"user","uuid":"u","message":{"content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]}}';
    expect((scanned(image) as Head).flags & flag.prompt).toBe(flag.prompt);
    const command = '{"type":"user","uuid":"u","message":{"content":"<bash-input>ls</bash-input>"}}';
    expect((scanned(command) as Head).flags & flag.prompt).toBe(0);
    expect((scanned(command) as Head).kind).toBe(kinds.user);
  });
});
