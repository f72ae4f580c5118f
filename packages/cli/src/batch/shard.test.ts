import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isIn, shardFrom } from "./shard.js";

const sessions = Array.from({ length: 4000 }, (_, i) => ({ harness: "claude", id: `session-${i}` }));

describe("shards", () => {
  test.each(["0/4", "5/4", "4", "1/0", "a/b", "-1/4", "1/4/2", ""])("%j is none", (text) => {
    expect(() => shardFrom(text)).toThrow(/is not I\/N with I from 1 to N/);
  });

  test("each session is in exactly one of N", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.string(), (of, id) => {
        const holding = Array.from({ length: of }, (_, i) =>
          isIn({ index: i + 1, of }, { harness: "pi", id }),
        );
        expect(holding.filter(Boolean)).toHaveLength(1);
      }),
    );
  });

  test("they are about equal", () => {
    const sizes = [1, 2, 3, 4].map((index) => sessions.filter((each) => isIn({ index, of: 4 }, each)).length);
    for (const size of sizes) expect(Math.abs(size - 1000)).toBeLessThan(120);
  });
});
