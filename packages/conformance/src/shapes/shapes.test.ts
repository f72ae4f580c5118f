import { expect, test } from "vitest";
import { damage } from "./damage.js";
import { isJsonl, linesOf } from "./lines.js";
import { insertInto, textDamage } from "./text.js";

const FILE = Buffer.from(
  ["one", "two", "three", "four"].map((text, n) => `${JSON.stringify({ type: "t", n, text })}\n`).join(""),
);

test("every shape changes the file, and all in different ways", () => {
  const made = damage.map(({ make }) => make(FILE)?.toString("latin1"));
  expect(made).not.toContain(undefined);
  expect(made).not.toContain(FILE.toString("latin1"));
  expect(new Set(made).size).toBe(damage.length);
});

test("a shape that takes nothing away leaves every record's bytes in the file", () => {
  for (const { name, keeps, make } of damage.filter(({ name }) => name !== "unknown-field")) {
    if (keeps !== "same") continue;
    const made = make(FILE)?.toString("latin1") ?? "";
    for (const line of linesOf(FILE)) expect(made, name).toContain(line.toString("latin1"));
  }
});

test("text damage stands wherever the text does, and nowhere else", () => {
  const bytes = Buffer.from('{"a":"three words here","b":"three"}\n{"copy":"three words here"}\n');
  const [shape] = textDamage;
  const made = insertInto(
    bytes,
    [{ kind: "user", key: "three words here" }],
    shape?.insert ?? Buffer.alloc(0),
  );
  expect(made?.bytes.toString()).toBe(
    '{"a":"three\u2028\u2029\u0085 words here","b":"three"}\n{"copy":"three\u2028\u2029\u0085 words here"}\n',
  );
  expect(insertInto(bytes, [{ kind: "user", key: "absent" }], Buffer.from("x"))).toBeUndefined();
});

test("lines are split at LF alone, and JSONL is known by its first line", () => {
  expect(linesOf(Buffer.from("a\u2028b\n\nc")).map(String)).toEqual(["a\u2028b", "c"]);
  expect(isJsonl(FILE)).toBe(true);
  expect(isJsonl(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).toBe(false);
  expect(isJsonl(Buffer.alloc(0))).toBe(false);
});
