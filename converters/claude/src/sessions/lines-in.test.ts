import { type Line, lineBatches, type OpenFile } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { eachLine } from "./lines-in.js";

function opened(bytes: Buffer): OpenFile {
  return {
    path: "/x",
    size: bytes.length,
    mtimeMs: 0,
    read: (offset, length) => Buffer.from(bytes.subarray(offset, offset + length)),
    check: () => "same",
    close() {},
  };
}

type Told = Pick<Line, "offset" | "length" | "ended"> & { text: string | undefined };

function ours(bytes: Buffer, maxLine?: number): Told[] {
  const told: Told[] = [];
  eachLine(opened(bytes), maxLine === undefined ? {} : { maxLine }, {
    line: ({ from, to, offset, length, ended }, held) =>
      told.push({ offset, length, ended, text: held.toString("latin1", from, to) }),
    odd: ({ offset, length, ended, bytes: held }) =>
      told.push({ offset, length, ended, text: held?.toString("latin1") }),
  });
  return told;
}

function theirs(bytes: Buffer, maxLine?: number): Told[] {
  return [...lineBatches(opened(bytes), maxLine === undefined ? {} : { maxLine })]
    .flat()
    .map(({ offset, length, ended, bytes: held }) => ({
      offset,
      length,
      ended,
      text: held?.toString("latin1"),
    }));
}

describe("lines of a transcript are core's lines", () => {
  const long = "y".repeat(300_000);
  test.each([
    ["nothing", ""],
    ["one without end", '{"a":1}'],
    ["CRLF, blanks and a BOM", '\ufeff{"a":1}\r\n\n  \n{"b":2}\r\n'],
    ["separators that are none", '{"a":"\u2028\u2029\u0085"}\n{"b":2}\n'],
    ["NUL bytes", '{"a":1}\n\0\0\0{"b":2}\n\0\0'],
    ["lines longer than a piece", `a\n${long}\nb\n${long}`],
    [
      "many lines over several pieces",
      Array.from({ length: 9000 }, (_, i) => `line ${i} ${"z".repeat(i % 97)}`).join("\n"),
    ],
    ["only newlines", "\n\n\n"],
  ])("%s", (_, text) => {
    const bytes = Buffer.from(text);
    expect(ours(bytes)).toEqual(theirs(bytes));
  });

  test("a line over the bound is told of without its bytes, in the middle and at the end", () => {
    const bytes = Buffer.from(`a\n${long}\nb\n${long}`);
    expect(ours(bytes, 200_000)).toEqual(theirs(bytes, 200_000));
    expect(ours(bytes, 200_000)[1]).toEqual({ offset: 2, length: 300_000, ended: true, text: undefined });
  });
});
