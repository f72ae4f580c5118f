import { describe, expect, it } from "vitest";
import { readFrontMatter } from "./front-matter.js";

describe("front matter", () => {
  it("gives its keys and the text below", async () => {
    expect(await readFrontMatter("---\nname: a\ndescription: b c\n---\nBody\n")).toEqual({
      data: { name: "a", description: "b c" },
      body: "Body\n",
      present: true,
      recovered: false,
    });
  });
  it("may have a BOM and CRLF", async () => {
    const read = await readFrontMatter("\uFEFF---\r\nname: a\r\ndescription: 'b'\r\n---\r\nBody\r\n");
    expect(read).toMatchObject({ data: { name: "a", description: "b" }, present: true });
    expect(read.body).toBe("Body\r\n");
  });
  it("is absent from a plain text", async () => {
    expect(await readFrontMatter("# Title\n---\n")).toMatchObject({
      data: {},
      present: false,
      body: "# Title\n---\n",
    });
  });
  it("recovers an unquoted colon and says where it is", async () => {
    const read = await readFrontMatter(
      "---\nname: a\ndescription: Use when: always, and # too\nallowed-tools: Read\n---\nBody\n",
    );
    expect(read).toMatchObject({
      data: { name: "a", description: "Use when: always, and # too", "allowed-tools": "Read" },
      recovered: true,
      problem: { line: 3, column: 14 },
    });
  });
  it("says that it cannot be read where there is no recovering", async () => {
    const read = await readFrontMatter("---\nname: [a\nb: }\n---\nBody\n");
    expect(read).toMatchObject({ data: {}, recovered: false, problem: { line: expect.any(Number) } });
  });
  it.each(["js", "javascript", "coffee"])("in %s is not run", async (language) => {
    const bomb = `---${language}\nglobalThis.pwned = true\nmodule.exports = { name: "x" }\n---\nBody\n`;
    expect(await readFrontMatter(bomb)).toMatchObject({
      data: {},
      problem: { message: expect.stringContaining("not run") },
    });
    expect("pwned" in globalThis).toBe(false);
  });
  it("with an alias bomb is refused in no time", async () => {
    const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(",")}]`,
      );
    const started = performance.now();
    const read = await readFrontMatter(`---\n${lines.join("\n")}\n---\nBody\n`);
    expect(read.data).toEqual({});
    expect(read.problem?.message).toMatch(/alias/i);
    expect(performance.now() - started).toBeLessThan(1500);
  });
  it("never gives a key that reaches a prototype", async () => {
    const read = await readFrontMatter("---\n__proto__: { polluted: true }\nconstructor: x\nname: a\n---\n");
    expect(Object.keys(read.data)).toEqual(["name"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
  it("without an end is told of", async () => {
    expect(await readFrontMatter("---\nname: a\nBody\n")).toMatchObject({
      present: true,
      problem: { message: expect.stringContaining("no end") },
    });
  });
});
