import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digest, legalId, sessionId, timedUuidFrom, uuidFrom } from "./identity.js";

describe("identity", () => {
  it("is stable and keeps parts apart", () => {
    expect(digest("ab", "c")).not.toBe(digest("a", "bc"));
    expect(sessionId("claude", "x", "s")).toBe(sessionId("claude", "x", "s"));
    expect(sessionId("claude", "x", "s")).not.toBe(sessionId("codex", "x", "s"));
  });

  it("makes well-formed UUIDs", () => {
    expect(uuidFrom("seed")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Date.UTC(2026, 10, 30);
    const id = timedUuidFrom(time, "seed");
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(time);
    expect(timedUuidFrom(Number.NaN, "seed")).toMatch(/^00000000-0000-7/);
  });
});

describe("legalId", () => {
  it("leaves a legal id alone", () => {
    expect(legalId("toolu_01AbC-9")).toBe("toolu_01AbC-9");
  });

  it("makes any id legal, the same way each time, and different ids stay different", () => {
    const hard = fc.oneof(
      fc.string(),
      fc.constantFrom("", "functions.f:0", "a\nb", "a.b", "a|b", `call_${"x".repeat(80)}|fc_y`),
    );
    fc.assert(
      fc.property(hard, hard, fc.constantFrom(40, 64), (a, b, max) => {
        expect(legalId(a, undefined, max)).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${max}}$`));
        expect(legalId(a, undefined, max)).toBe(legalId(a, undefined, max));
        if (a !== b) expect(legalId(a, undefined, max)).not.toBe(legalId(b, undefined, max));
      }),
    );
  });
});
