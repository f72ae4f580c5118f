import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneLine, printable } from "./text.js";

describe("oneLine", () => {
  test.each([
    ["colour", "\u001b[31mred\u001b[0m", "red"],
    ["window title", "a\u001b]0;owned\u0007b", "ab"],
    ["hyperlink", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["8-bit CSI", "a\u009b2Jb", "ab"],
    ["device control string", "a\u001bPq#1\u001b\\b", "ab"],
    ["reset, charset", "a\u001bcb\u001b(0c", "abc"],
    ["unfinished string at the end", "a\u001b]52;c;Zm9v", "a"],
    ["bell, backspace, NUL, DEL", "a\u0007b\u0008c\u0000d\u007fe", "abcde"],
    ["bidi override", "user\u202Efdp.exe", "userfdp.exe"],
    ["isolates and marks", "\u2066a\u2069\u200eb\u061cc", "abc"],
    ["tag characters", "hi\u{E0041}\u{E0042}", "hi"],
    ["line breaks of every kind", "a\r\nb\u2028c\u0085d\te", "a b c d e"],
    ["half a surrogate", "a\ud83d", "a\ufffd"],
    ["what is fine stays", "日本語 ☕ naïve 👩‍👩‍👧", "日本語 ☕ naïve 👩‍👩‍👧"],
  ])("%s", (_, text, safe) => {
    expect(oneLine(text)).toBe(safe);
  });

  test("an escape that forms once another is taken out does not survive", () => {
    expect(oneLine("\u001b\u200e[31mx")).not.toContain("\u001b");
  });
});

test("printable keeps lines", () => {
  expect(printable("a\r\nb\u001b[1m\tc\u2028d")).toBe("a\nb  c\nd");
});

test("nothing a terminal obeys gets through, whatever comes", () => {
  const control = fc.constantFrom(
    "\u001b",
    "\u009b",
    "[",
    "]",
    "P",
    "\\",
    "\u0007",
    "m",
    ";",
    "\u202e",
    "\r",
    "\n",
    "x",
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(control).map((parts) => parts.join("")),
      ),
      (text) => {
        expect(oneLine(text)).not.toMatch(harmful);
        expect(oneLine(text)).not.toContain("\n");
        expect(printable(text)).not.toMatch(harmful);
      },
    ),
  );
});
