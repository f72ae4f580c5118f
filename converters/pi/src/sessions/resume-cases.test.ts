/**
 * Small sessions written by hand, each with what the real Pi sent its model when it resumed it: the events read of a
 * session are to say the same.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../../test-kit/session.js";

interface Case {
  name: string;
  /** Where we say more or other than Pi, on purpose: why. */
  heals?: string;
  sent: [kind: string, text: string][];
  lines: Record<string, unknown>[];
}

const { cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../fixtures/pi-resume/cases.json"), "utf8"),
) as { cases: Case[] };

/** What is to be said instead, where Pi itself loses or breaks the talk. */
const HEALED: Readonly<Record<string, [string, string][]>> = {
  dangling: [
    ["user", "one"],
    ["assistant", "two"],
    ["user", "three"],
    ["assistant", "four"],
  ],
  "no-ids": [
    ["user", "one"],
    ["assistant", "two"],
  ],
  "future-last": [
    ["user", "one"],
    ["assistant", "two"],
  ],
  "late-result": [
    ["user", "one"],
    ["call", '{"command":"ls"}'],
    ["call", '{"command":"ls"}'],
    ["result", "first"],
    ["result", "second"],
    ["user", "meanwhile"],
    ["assistant", "end"],
  ],
};

/** Pi's own words for a result that says nothing in words. */
const PLACEHOLDER = /^\((no tool output|see attached image)\)\n?/;

/** What a model would be sent, in the words that the cases were recorded in. */
function sentOf(events: readonly SessionEvent[]): [string, string][] {
  let sent: [string, string][] = [];
  for (const event of events) {
    if (event.branch !== undefined) continue;
    if (event.type === "status.changed" && event.payload.context) sent = sentOf(event.payload.context);
    else if (event.type === "tool.completed") {
      const parts = event.payload.result.map((block) => (block.type === "text" ? block.text : "[image]"));
      sent.push(["result", parts.join("\n").trim()]);
    } else if (event.type === "message.completed") {
      const { role, injected, audience, blocks } = event.payload;
      if (injected === "harness" || (audience && !audience.includes("assistant"))) continue;
      for (const block of blocks) {
        if (block.type === "text" && block.text.trim() !== "") sent.push([role, block.text.trim()]);
        else if (block.type === "tool-call") sent.push(["call", JSON.stringify(block.arguments)]);
        else if (block.type === "image") sent.push(["image", (block.data ?? "").slice(-64)]);
      }
    }
  }
  return sent;
}

describe("what the model is sent", () => {
  test.each(cases)("$name", async ({ name, sent, lines }) => {
    const { events } = await kit.read(kit.store(...lines));
    const expected = HEALED[name] ?? sent;
    expect(sentOf(events)).toEqual(
      expected.map(([kind, text]) => [kind, kind === "result" ? text.replace(PLACEHOLDER, "").trim() : text]),
    );
  });

  test("all that is told otherwise is said to be", () => {
    const healed = cases.flatMap(({ name, heals }) => (heals === undefined ? [] : [name]));
    // A result without a call is told as Pi sends it; what may not be written is the writer's to leave.
    expect(healed.filter((name) => !["orphan", "failed-calls"].includes(name)).sort()).toEqual(
      Object.keys(HEALED).sort(),
    );
  });
});

describe("written from its events, and read again", () => {
  test.each(cases)("$name", async ({ name, lines }) => {
    const files = kit.store(...lines);
    const before = sentOf((await kit.read(files)).events);
    const copy = await kit.rewritten(files);
    const after = await kit.read(new Map([[kit.PATH, [...copy.files.values()][0] as Uint8Array]]));
    const orphans = ["orphan", "failed-calls"].includes(name) ? 1 : 0;
    expect(sentOf(after.events)).toEqual(orphans > 0 ? before.filter(([kind]) => kind !== "result") : before);
    expect(copy.losses.filter((loss) => loss.includes("orphan-result"))).toHaveLength(orphans);
  });
});
