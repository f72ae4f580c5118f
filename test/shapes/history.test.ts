/** Shapes of doubled, lost and reordered history (P21–P29, P43): what is right for each. */
import { convert, talkOf, withChildren } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { count, crossed, eventsOf, losses, one, opened, others, TALK, words } from "./support.js";

describe("history", () => {
  test.each(["dual-stream-events-after", "dual-stream-events-before", "dual-stream-no-events"])(
    "%s (P21): each thing once, the repeated prompt twice",
    async (name) => {
      const store = await opened(name);
      const said = ["user: Again.", "assistant: Once.", "user: Again.", "assistant: Twice."];
      expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(said);
      expect((await crossed(store)).talk).toEqual(said);
      expect(one(store).messages ?? 4).toBe(4);
    },
  );

  test("fork-prefix (P23): one session that knows its parent; usage is counted once", async () => {
    const store = await opened("fork-prefix");
    expect(store.refs).toHaveLength(2);
    const fork = one(store, "01a10000-0000-7000-8000-000000000002");
    expect(fork.parent).toMatchObject({ id: "01a10000-0000-7000-8000-000000000001", relation: "fork" });
    const events = await eventsOf(store, fork);
    expect(words(talkOf(events))).toEqual([
      "user: First question.",
      "assistant: First answer.",
      "user: Question in the fork.",
      "assistant: Answer in the fork.",
    ]);
    const usages = events.flatMap((event) =>
      "usage" in event.payload && event.payload.usage ? [event.payload.usage] : [],
    );
    expect(usages.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)).toBeLessThanOrEqual(300);
  });

  test("dangling-parent (P24): bridged, and the bridge is said", async () => {
    const store = await opened("dangling-parent");
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(TALK);
    const conversion = await crossed(store);
    expect(conversion.talk).toEqual(TALK);
    expect(count(conversion, "dangling-parent")).toBe(1);
  });

  test("child-before-parent (P24): the order of the chain", async () => {
    const store = await opened("child-before-parent");
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(TALK);
    expect((await crossed(store)).talk).toEqual(TALK);
  });

  test("false-fork (P24, P26): one branch, nothing abandoned", async () => {
    const store = await opened("false-fork");
    const events = await eventsOf(store, one(store));
    expect(events.filter(({ branch }) => branch !== undefined)).toEqual([]);
    expect(words(talkOf(events))).toEqual([
      "user: Go.",
      'call: #0 Bash {"command":"ls"}',
      "result: #0 ok README.md",
      "assistant: One file.",
    ]);
    expect(losses(await crossed(store)).filter((loss) => loss.startsWith("branches"))).toEqual([]);
  });

  test("logical-parent (P25): the model begins with the summary; what was before is still told", async () => {
    const store = await opened("logical-parent");
    const events = await eventsOf(store, one(store));
    const summary =
      "user: This session is being continued from a previous conversation. Summary: one question was answered.";
    const after = [summary, "user: Second question.", "assistant: Second answer."];
    expect(JSON.stringify(events)).toContain("First answer.");
    expect(words(talkOf(events))).toEqual(after);
    expect((await crossed(store)).talk).toEqual(after);
  });

  test("compacted-head (P27): the replacement is the context; what is gone was not dropped by us", async () => {
    const store = await opened("compacted-head");
    const said = [
      "user: Mend the parser.",
      "user: Summary: the parser was mended.",
      "user: And the tests?",
      "assistant: They pass.",
    ];
    expect(words(talkOf(await eventsOf(store, one(store))))).toEqual(said);
    const conversion = await crossed(store);
    expect(conversion.talk).toEqual(said);
    expect(conversion.losses).toContainEqual(expect.objectContaining({ level: "not-in-source" }));
    expect(conversion.losses.filter(({ axis, level }) => axis === "messages" && level === "dropped")).toEqual(
      [],
    );
  });

  test("subagent-tree (P29): one session with two children, each linked to its call", async () => {
    const store = await opened("subagent-tree");
    const ref = one(store);
    expect(ref.children.map(({ parent }) => parent)).toEqual([
      { id: ref.id, relation: "subagent", toolCallId: "toolu_one" },
      { id: ref.id, relation: "subagent", toolCallId: "toolu_two" },
    ]);
    expect(new Set(withChildren(ref).map(({ id }) => id)).size).toBe(3);
    const conversion = await crossed(store, ref);
    expect(conversion.plan.children).toHaveLength(2);
    expect(conversion.talk.at(-1)).toBe("assistant: One and two.");
    expect(conversion.text).toContain("Count b.");
  });

  test("two-generations (P43): both are listed and read", async () => {
    const store = await opened("two-generations");
    expect(store.refs).toHaveLength(2);
    const old = one(store, "01980000-0000-4000-8000-000000000001");
    expect(words(talkOf(await eventsOf(store, old)))).toMatchObject([
      "user: An old question.",
      expect.stringContaining("call: #0 shell"),
      expect.stringContaining("README.md"),
      "assistant: An old answer.",
    ]);
    expect(old.createdAt).toBe("2025-08-10T10:00:00.000Z");
    const [to] = others(store.from.id);
    if (!to) throw new Error("there is no other harness");
    await expect(convert({ from: store.from, ref: old, source: store.source, to })).rejects.toThrow("--cwd");
    expect(count(await crossed(store, old), "time-inferred")).toBeGreaterThan(0);
  });
});
