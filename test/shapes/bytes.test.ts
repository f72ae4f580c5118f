/** Shapes of broken bytes (P01–P08): what is right for each. */
import { talkOf } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { count, crossed, eventsOf, losses, one, opened, replayed, TALK, words } from "./support.js";

describe("broken bytes", () => {
  test.each(["torn-line", "nul-gap", "bom-crlf"])("%s: everything said is there", async (name) => {
    const store = await opened(name);
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(TALK);
    const { talk } = await crossed(store);
    expect(talk).toEqual(TALK);
  });

  test("torn-line (P01): the half record is raw, with its place, and declared", async () => {
    const store = await opened("torn-line");
    const text = Buffer.from([...store.files.values()][0] ?? []).toString("latin1");
    const raw = (await eventsOf(store, one(store))).filter(
      (event) => event.type === "unknown.observed" && event.payload.axis === "raw",
    );
    const half = '{"parentUuid":"5b000000-0000-4000-8000-000000000003","type":"assis';
    const offset = text.indexOf(`${half}{`);
    expect(raw.map(({ origin }) => origin)).toMatchObject([[{ file: 0, offset, length: half.length }]]);
    expect(losses(await crossed(store))).toContain("raw: unparsable");
  });

  test("nul-gap (P02): both runs are declared", async () => {
    const conversion = await crossed(await opened("nul-gap"));
    const raw = conversion.losses.filter(({ axis }) => axis === "raw");
    expect(raw.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  test("u2028 (P03): two records, texts as they are", async () => {
    const store = await opened("u2028");
    const said = ["user: before\u2028between\u2029after\u0085end", "assistant: Read\u2028as one."];
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(said);
    expect((await crossed(store)).talk).toEqual(said);
  });

  test.each(["lone-surrogate", "lone-surrogate-codex"])(
    "%s (P05): at home as it is, elsewhere U+FFFD and said",
    async (name) => {
      const store = await opened(name);
      expect(words(talkOf(await eventsOf(store, one(store))))).toContain("user: a cut emoji: \ud83d");
      expect(Buffer.concat(await replayed(store, one(store))).includes("a cut emoji: \\ud83d")).toBe(true);
      const conversion = await crossed(store);
      expect(conversion.talk).toContain("user: a cut emoji: \ufffd");
      expect(conversion.text).not.toMatch(/\\ud83d/i);
      expect(count(conversion, "invalid-text")).toBeGreaterThan(0);
    },
  );

  test("bom-crlf (P06): back home byte for byte", async () => {
    const store = await opened("bom-crlf");
    expect(await replayed(store, one(store))).toEqual([Buffer.from([...store.files.values()][0] ?? [])]);
  });

  test("empty-text (P08): nothing empty is written, and it is said", async () => {
    const store = await opened("empty-text");
    const conversion = await crossed(store);
    expect(conversion.talk).toEqual([
      "user: Look.",
      'call: #0 Bash {"command":"ls"}',
      "result: #0 ok README.md",
      "user: And?",
      "assistant: Done.",
    ]);
    expect(conversion.text).not.toMatch(/"text":"\s*(\\n)?"/);
    expect(conversion.text).not.toContain('"content":[]');
    expect(count(conversion, "empty")).toBe(2);
  });
});
