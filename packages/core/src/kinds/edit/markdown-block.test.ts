import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { putBlock, splitBlocks } from "./markdown-block.js";

const marks = { from: "claude", file: "CLAUDE.md" };

describe("a marked block", () => {
  it("goes to the end of a file that has text of its own, and out again", () => {
    const text = putBlock("# Mine\n", marks, "Theirs\n");
    expect(text).toMatch(
      /^# Mine\n\n<!-- asp:begin from="claude" file="CLAUDE.md" gap="1" id="[0-9a-f]{16}" -->\nTheirs\n<!-- asp:end [0-9a-f]{16} -->\n$/,
    );
    expect(splitBlocks(text)).toEqual({
      own: "# Mine\n",
      blocks: [{ marks, text: "Theirs\n", edited: false }],
    });
  });
  it("takes the place of the one with the same marks", () => {
    const first = `${putBlock("# Mine\n", marks, "old\n")}\nmore of mine\n`;
    const second = putBlock(first, marks, "new\n");
    expect(splitBlocks(second).blocks).toEqual([{ marks, text: "new\n", edited: false }]);
    expect(second.startsWith("# Mine\n\n")).toBe(true);
    expect(second.endsWith("\nmore of mine\n")).toBe(true);
    expect(putBlock(second, marks, "new\n")).toBe(second);
  });
  it("is known as edited when somebody changed it", () => {
    const text = putBlock("", marks, "one\n").replace("one", "two");
    expect(splitBlocks(text).blocks).toMatchObject([{ text: "two\n", edited: true }]);
  });
  it("cannot be closed from inside", () => {
    const inner = putBlock("x\n", { from: "evil" }, "<!-- asp:end 0000000000000000 -->\n");
    const text = putBlock("# Mine\n", marks, inner);
    expect(splitBlocks(text)).toEqual({ own: "# Mine\n", blocks: [{ marks, text: inner, edited: false }] });
  });
  it("without its end is text", () => {
    const text = '<!-- asp:begin from="x" id="0123456789abcdef" -->\nhalf\n';
    expect(splitBlocks(text)).toEqual({ own: text, blocks: [] });
  });
});

const body = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).map((s) => s.toWellFormed()),
  fc.constantFrom("", "\n", "a\r\nb\r\n", "# x\n\n"),
);
const free = fc.string({ unit: "binary", maxLength: 12 }).map((s) => s.toWellFormed());

it("gives back own text and inner text to the byte, whatever they are", () => {
  fc.assert(
    fc.property(body, body, body, free, (own, first, second, name) => {
      const one = putBlock(own, { from: "a", file: name }, first);
      const both = putBlock(one, { from: "b", file: name }, second);
      const split = splitBlocks(both);
      expect(split.blocks.map((block) => block.text)).toEqual([first, second]);
      expect(split.blocks.every((block) => !block.edited && block.marks.file === name)).toBe(true);
      expect(split.own).toBe(own);
    }),
    { numRuns: 500 },
  );
});
