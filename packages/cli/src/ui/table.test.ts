import { expect, test } from "vitest";
import { table } from "./table.js";
import { width } from "./width.js";

const columns = [{ head: "id" }, { head: "title", shrink: 8 }, { head: "size", align: "right" }] as const;

test("columns line up, wide characters included", () => {
  expect(
    table(columns, [
      ["a", "日本語", "1 B"],
      ["bb", "x", "12 kB"],
    ]),
  ).toEqual(["id  title    size", "a   日本語    1 B", "bb  x       12 kB"]);
});

test("what may shrink is cut to fit the terminal, the rest never", () => {
  const lines = table(columns, [["aaaaaaaa", "a very long title indeed", "12 kB"]], 30);
  expect(lines[1]).toBe("aaaaaaaa  a very long…   12 kB");
  expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(30);
  expect(table(columns, [["aaaaaaaa", "a very long title indeed", "12 kB"]], 5)[1]).toBe(
    "aaaaaaaa  a very…   12 kB",
  );
});

test("an empty column is left out", () => {
  expect(table(columns, [["a", "", "1 B"]])).toEqual(["id  size", "a    1 B"]);
  expect(table(columns, [])).toEqual([]);
});
