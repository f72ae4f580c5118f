/** The transcripts of the benchmark are what they claim: the same every time, and whole sessions to the converters. */
import { convert, readAll, SOURCE_ROOT, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { claudeLines } from "../bench/claude.js";
import { codexLines } from "../bench/codex.js";
import { makeTexts } from "../bench/texts.js";
import { randomFrom } from "../packages/conformance/src/fuzz/random.js";
import { harnesses } from "./harnesses.js";

const id = "01a1e0aa-0000-7000-8000-000000000001";
const cwd = "/home/dev/demo";

const made = {
  claude: {
    path: `${SOURCE_ROOT}/projects/-home-dev-demo/${id}.jsonl`,
    lines: () => claudeLines(randomFrom(1), makeTexts(42), { sessionId: id, cwd }),
  },
  codex: {
    path: `${SOURCE_ROOT}/sessions/2026/11/03/rollout-2026-11-03T09-30-00-${id}.jsonl`,
    lines: () => codexLines(randomFrom(1), makeTexts(42), { threadId: id, cwd }),
  },
};

/** What must cross, whatever else does. */
const said: ReadonlySet<string> = new Set(["messages", "tool-calls", "tool-results", "times", "cwd"]);

function bytesOf(lines: Iterable<string>, count: number): Buffer {
  let text = "";
  let left = count;
  for (const line of lines) {
    text += line;
    if (--left === 0) break;
  }
  return Buffer.from(text);
}

describe.each(Object.keys(made) as (keyof typeof made)[])("%s", (harness) => {
  const { path, lines } = made[harness];
  const from = harnesses[harness].converter;
  const bytes = bytesOf(lines(), 400);

  test("the same seed gives the same bytes", () => {
    expect(bytesOf(lines(), 400).equals(bytes)).toBe(true);
  });

  test("nothing in it is strange to its reader, and it crosses to every other harness", async () => {
    const source = sourceOf(new Map([[path, bytes]]));
    const [ref, ...more] = await sessionsIn(from, SOURCE_ROOT, source);
    if (!ref) throw new Error("it is not listed");
    expect(more).toEqual([]);
    const { events, ledger } = await readAll(from, ref, source);
    expect(ledger.entries.filter(({ axis }) => axis === "raw" || axis === "branches")).toEqual([]);
    const messages = events.filter(({ type }) => type === "message.completed").length;
    const results = events.filter(({ type }) => type === "tool.completed").length;
    expect(messages).toBeGreaterThan(50);
    expect(results).toBeGreaterThan(30);
    for (const { converter: to } of Object.values(harnesses)) {
      const { losses } = await convert({ from, ref, source, to });
      expect(losses.filter(({ axis, level }) => level === "dropped" && said.has(axis))).toEqual([]);
    }
  });
});
