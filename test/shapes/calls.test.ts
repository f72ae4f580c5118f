/** Shapes of calls, results and opaque payloads (P09–P19): what is right for each. */
import { convert } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { PIPED } from "./build/claude-bytes.js";
import { type Crossed, count, crossed, eventsOf, one, opened, replayed } from "./support.js";

/** Every call answered once, right after it; no answer without a call: to the target's reader, and in its bytes. */
function paired({ talk, text }: Crossed): void {
  const ids = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id).sort();
  expect(ids(/"type":"function_call","name":"[^"]*"[^\n]*?"call_id":"([^"]*)"/g)).toEqual(
    ids(/"type":"function_call_output","call_id":"([^"]*)"/g),
  );
  expect(ids(/"type":"tool_use","id":"([^"]*)"/g)).toEqual(ids(/"tool_use_id":"([^"]*)"/g));
  const calls = talk.filter((atom) => atom.startsWith("call: ")).map((atom) => atom.split(" ")[1]);
  const results = talk.filter((atom) => atom.startsWith("result: ")).map((atom) => atom.split(" ")[1]);
  expect(results).toEqual(calls);
}

describe("calls and results", () => {
  test("orphan-call (P09): no call stands unanswered, and it is said", async () => {
    const conversion = await crossed(await opened("orphan-call"));
    paired(conversion);
    expect(conversion.talk).toContain("assistant: I will look.");
    expect(conversion.talk.slice(-2)).toEqual(["user: Never mind.", "assistant: All right."]);
    expect(count(conversion, "missing-result", "tool-results")).toBe(1);
  });

  test("orphan-result (P10): no result stands without a call, and it is said", async () => {
    const conversion = await crossed(await opened("orphan-result"));
    paired(conversion);
    expect(conversion.talk.at(-1)).toBe("assistant: Odd.");
    expect(count(conversion, "orphan-result", "tool-results")).toBe(1);
  });

  test("orphans-codex (P09, P10): both at once, from Codex", async () => {
    const conversion = await crossed(await opened("orphans-codex"));
    paired(conversion);
    expect(conversion.talk.filter((atom) => /^(user|assistant): /.test(atom))).toEqual([
      "user: Look.",
      "user: Never mind.",
      "assistant: All right.",
    ]);
    expect(count(conversion, "missing-result", "tool-results")).toBe(1);
    expect(count(conversion, "orphan-result")).toBe(1);
  });

  test("id-83-pipe (P14): legal, distinct, and one for each call and its result", async () => {
    const conversion = await crossed(await opened("id-83-pipe"));
    expect(conversion.talk.filter((atom) => atom.startsWith("result"))).toEqual([
      "result: #0 ok first",
      "result: #1 ok second",
    ]);
    const ids = new Set([...conversion.text.matchAll(/"call_id":"([^"]*)"/g)].map(([, id]) => id ?? ""));
    expect(ids.size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(conversion.text).not.toContain(PIPED);
    expect(count(conversion, "id-not-legal")).toBeGreaterThan(0);
  });

  test("id-empty (P14): an id is made, the same for both", async () => {
    const conversion = await crossed(await opened("id-empty"));
    expect(conversion.talk).toContain("result: #0 ok README.md");
    expect(conversion.text).not.toContain('"call_id":""');
  });

  test("split-message (P19, P24): one message, both results, usage once", async () => {
    const store = await opened("split-message");
    const events = await eventsOf(store, one(store));
    const messages = events.filter((event) => event.type === "message.completed");
    expect(messages.map(({ payload }) => payload.blocks.map(({ type }) => type))).toEqual([
      ["text"],
      ["thinking", "text", "tool-call", "tool-call"],
      ["text"],
    ]);
    expect(messages[1]?.payload.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(events.filter(({ branch }) => branch !== undefined)).toEqual([]);
    const { talk } = await crossed(store);
    expect(talk.filter((atom) => /^(call|result)/.test(atom))).toEqual([
      'call: #0 Bash {"command":"ls a"}',
      'call: #1 Bash {"command":"ls b"}',
      "result: #0 ok in a",
      "result: #1 ok in b",
    ]);
  });
});

describe("opaque payloads", () => {
  test.each([
    ["sig-empty", "A thought."],
    ["sig-foreign", "A thought from elsewhere."],
  ])("%s (P11): no signature goes to another vendor, the thought stays readable", async (name, thought) => {
    const store = await opened(name);
    const conversion = await crossed(store);
    expect(conversion.text).not.toContain("Zm9yZWlnbi1zaWduYXR1cmU=");
    expect(conversion.text).not.toMatch(/"encrypted_content":"[^"]/);
    expect(conversion.text).toContain(thought);
    expect(await replayed(store, one(store))).toEqual([Buffer.from([...store.files.values()][0] ?? [])]);
  });

  test("sig-foreign (P12): home through events, the signature is in its place", async () => {
    const store = await opened("sig-foreign");
    const { files } = await convert({
      from: store.from,
      ref: one(store),
      source: store.source,
      to: store.from,
    });
    expect([...files.values()].map((bytes) => Buffer.from(bytes).toString()).join("")).toContain(
      '"signature":"Zm9yZWlnbi1zaWduYXR1cmU="',
    );
  });

  test("sig-encrypted (P13): the payload stays behind and that is said; the summary crosses", async () => {
    const conversion = await crossed(await opened("sig-encrypted"));
    expect(conversion.text).not.toContain("gAAAAAencrypted");
    expect(conversion.text).toContain("**A thought**");
    expect(conversion.losses.filter(({ axis }) => axis === "opaque-reasoning")).toMatchObject([
      { level: "evidence-only", count: 1 },
    ]);
  });
});
