import { expect, test } from "vitest";
import { NOWHERE, SeenLosses } from "./losses.js";

const loss = { axis: "thinking", level: "dropped", reason: "no-counterpart", count: 1 } as const;

test("sums are of what was told last of a session, and each place is given once", () => {
  const seen = new SeenLosses();
  seen.watch("a")(loss, 3, undefined);
  const tell = seen.watch("a");
  tell(loss, 4, undefined);
  tell({ ...loss, count: 2 }, 4, undefined);
  tell(loss, undefined, "x");
  expect(seen.sums()).toEqual([4]);
  expect(seen.take("a", 3)).toEqual([]);
  expect(seen.take("a", 4)).toEqual([{ kind: 0, count: 3 }]);
  expect(seen.take("a", 4)).toEqual([]);
  expect(seen.rest("a")).toEqual([[NOWHERE, [{ kind: 0, count: 1, item: "x" }]]]);
  expect(seen.rest("a")).toEqual([]);
});
