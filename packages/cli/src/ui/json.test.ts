import { expect, test } from "vitest";
import { json } from "./json.js";

test("nothing that a terminal obeys is in it, and nothing is lost", () => {
  const value = { title: "a\u009b31m\u202eb\u2028c\u{e0041}\u007f", emoji: "👩‍💻", plain: "é\n" };
  const text = json(value, 2);
  expect(text).not.toMatch(/[\u007f-\u009f\u202e\u2028\u{e0041}]/u);
  expect(text).toContain("\\u009b31m\\u202eb\\u2028c\\udb40\\udc41\\u007f");
  expect(text).toContain("👩‍💻");
  expect(JSON.parse(text)).toEqual(value);
});
