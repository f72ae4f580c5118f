import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { merged, page, type Result, type Sheet } from "./native/run-sheet.js";

const party = (id: string, version = "1") => ({ id, name: id.toUpperCase(), version });
const result = (name: string, more: Partial<Result> = {}): Result => ({
  route: { from: party("a"), to: party("b") },
  name,
  state: "passed",
  ...more,
});

test("what was run replaces what was found before, and the rest stays", () => {
  const first = merged(
    {},
    [result("one"), result("two", { state: "failed", error: "no\nmore" })],
    "2026-01-01",
  );
  const second = merged(first, [result("two"), result("one", { state: "skipped" })], "2026-01-02");
  expect(first["a → b"]?.cases).toEqual({ one: "passed", two: "failed: no" });
  expect(second["a → b"]).toMatchObject({ on: "2026-01-02", cases: { one: "passed", two: "passed" } });
});

test("of another version nothing is known before it was run", () => {
  const first = merged({}, [result("one"), result("two")], "2026-01-01");
  const route = { from: party("a"), to: party("b", "2"), declared: "it is so" };
  const second = merged(first, [result("one", { route })], "2026-01-02");
  expect(second["a → b"]?.cases).toEqual({ one: "declared: it is so" });
  expect(page(second)).toMatch(/\| A 1 +\| 1 +\| 1 +\| one +\| 2026-01-02 \|/);
});

test("a failure is named under its target", () => {
  const sheet = merged({}, [result("one", { state: "failed", error: "lost" })], "2026-01-01");
  expect(page(sheet)).toMatch(
    /\| A 1 +\| 1 +\| 0 +\| – .*\n\nNot resumed as they were:\n\n- A, `one`: lost\n/,
  );
});

test("the page is made of the data beside it", () => {
  const at = (name: string) => readFileSync(join(import.meta.dirname, "native", name), "utf8");
  expect(at("RUN-SHEET.md")).toBe(page(JSON.parse(at("run-sheet.json")) as Sheet));
});
