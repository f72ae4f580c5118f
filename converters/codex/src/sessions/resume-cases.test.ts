/**
 * Some two hundred small rollouts, each with what the real program sent to its model when it resumed it: the events
 * we read of a rollout are to say the same.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readAll, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import type { SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import codex from "../index.js";

interface Case {
  name: string;
  files: Record<string, string | { base64: string }>;
  /** null: the program refused to resume it. */
  sent: [kind: string, value: string][] | null;
}

const { cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../fixtures/codex-resume/cases.json"), "utf8"),
) as { cases: Case[] };

/** Where we say more than the program does, on purpose: what a person wrote is not to be lost. */
const MORE: Readonly<Record<string, string>> = {
  "lone-surrogate-in-a-text": "the program drops the record; we keep the text",
  "only-event-msg-item-completed":
    "the program resumes it as an empty talk; the screen's texts are all there is",
  "only-event-msg-user-message-and-agent-message": "likewise",
};

const ROOT = "/store";

async function refsOf({ files }: Case) {
  const bytes = Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    `${ROOT}/${path}`,
    typeof content === "string" ? Buffer.from(content) : Buffer.from(content.base64, "base64"),
  ]);
  const source = sourceOf(new Map(bytes));
  return { source, refs: await sessionsIn(codex, ROOT, source) };
}

/** What a model would be sent, in the words that the cases were recorded in. */
function sentOf(events: readonly SessionEvent[]): [string, string][] {
  let sent: [string, string][] = [];
  for (const event of events) {
    if (event.branch !== undefined) continue;
    if (event.type === "status.changed" && event.payload.context) sent = sentOf(event.payload.context);
    else if (event.type === "tool.completed") {
      const text = event.payload.result
        .map((block) => (block.type === "text" ? block.text : "[image]"))
        .join("\n");
      sent.push(["result", text.trim()]);
    } else if (event.type === "message.completed") {
      const { role, injected, audience, blocks } = event.payload;
      if (audience && !audience.includes("assistant")) continue;
      for (const block of blocks) {
        if (block.type === "tool-call") sent.push(["call", argumentsOf(block.arguments)]);
        else if (block.type === "image" && block.data !== undefined)
          sent.push(["image", block.data.slice(-64)]);
        else if (block.type === "image") sent.push([role, REMOTE]);
        else if (
          block.type === "text" &&
          injected !== "harness" &&
          (role === "user" || role === "assistant")
        ) {
          if (block.text.trim() !== "" && !/^<turn_aborted>/.test(block.text))
            sent.push([role, block.text.trim()]);
        }
      }
    }
  }
  return sent;
}

/** What the program writes in place of a picture that lies on the web. */
const REMOTE = "image content omitted because remote image URLs are not supported";

function argumentsOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

/** Results may stand anywhere after their call; all else is in order. Calls are compared as values. */
function ordered(sent: readonly [string, string][]) {
  const talk = sent
    .filter(([kind]) => kind !== "result")
    .map(([kind, value]) => [kind, kind === "call" ? comparable(value) : value]);
  return {
    talk,
    results: sent
      .filter(([kind]) => kind === "result")
      .map(([, value]) => value)
      .sort(),
  };
}

function comparable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // The program fills in what a recorded action left out.
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
      : value;
  } catch {
    return text;
  }
}

describe("hand-written rollouts say what the real program sends", () => {
  test("there are some", () => {
    expect(cases.length).toBeGreaterThan(190);
  });
  test.each(cases.filter(({ sent, name }) => sent && !(name in MORE)))("$name", async (each) => {
    const { source, refs } = await refsOf(each);
    expect(refs).toHaveLength(1);
    const [ref] = refs;
    if (!ref) return;
    const { events, ledger } = await readAll(codex, ref, source);
    for (const event of events) ledger.mapped(event);
    ledger.settle();
    expect(ordered(sentOf(events))).toEqual(ordered(each.sent ?? []));
  });
  test.each(Object.entries(MORE))("%s: %s", async (name) => {
    const found = cases.find((each) => each.name === name);
    const { source, refs } = await refsOf(found as Case);
    const { events } = await readAll(codex, refs[0] as (typeof refs)[0], source);
    expect(sentOf(events).map(([kind]) => kind)).toEqual(["user", "assistant"]);
  });
  test.each(cases.filter(({ sent }) => !sent))(
    "$name is refused by the program, and no trouble for us",
    async (each) => {
      const { source, refs } = await refsOf(each);
      for (const ref of refs) {
        const { events, ledger } = await readAll(codex, ref, source);
        for (const event of events) ledger.mapped(event);
        expect(ledger.settle().read).toBeGreaterThan(0);
      }
    },
  );
});
