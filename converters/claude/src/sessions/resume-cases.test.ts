/**
 * Some three hundred small transcripts, each with what the real program sent to its model when it resumed it: the
 * events that are read of a transcript say the same, in the same order, but for results, which follow their calls.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readText, sentOf } from "../../test-kit/transcript.js";
import type { Json } from "./value.js";

interface Case {
  name: string;
  records: Json[];
  sent: [kind: string, words: string][];
}

const { common, cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../fixtures/claude-resume/cases.json"), "utf8"),
) as { common: Json; cases: Case[] };

/** Where the program silently loses what was said before a missing parent. We bridge it, and say so. */
const BRIDGED = new Set(["dangling 60s", "dangling no timestamp", "unknown type within path 100s"]);

/** What the recorded measure leaves out: texts that the program puts around a talk by itself. */
const FRAMES =
  /^(<system-reminder>|\[Request interrupted|<local-command-caveat>|\(no content\)$|<command-name>|<local-command-stdout>|No response requested)/;

const heard = (sent: readonly [string, string][]) =>
  sent
    .map(([kind, words]): [string, string] => [kind, words.replace(/\s+/g, " ").trim()])
    .filter(([kind, words]) => kind === "result" || (words !== "" && !FRAMES.test(words)));
/** Where a tool reference names no tool, the program says so in the result; a picture is marked in it. */
const results = (sent: readonly [string, string][]) =>
  heard(sent)
    .flatMap(([kind, words]) =>
      kind === "result"
        ? [
            words
              .replace(/\[(Tool references removed[^\]]*|image)\]/g, " ")
              .replace(/\s+/g, " ")
              .trim(),
          ]
        : [],
    )
    .sort();
const talk = (sent: readonly [string, string][]) => heard(sent).filter(([kind]) => kind !== "result");

describe("what is read is what was sent", () => {
  test.each(cases.filter(({ name }) => !BRIDGED.has(name)))("$name", async ({ records, sent }) => {
    const text = records
      .map(
        (record) => `${JSON.stringify(record.type === "last-prompt" ? record : { ...common, ...record })}\n`,
      )
      .join("");
    const [read] = await readText(text);
    const ours = sentOf(read?.events ?? []);
    expect(talk(ours)).toEqual(talk(sent));
    expect(results(ours)).toEqual(results(sent));
  });

  test.each(cases.filter(({ name }) => BRIDGED.has(name)))(
    "more than was sent: $name",
    async ({ records, sent }) => {
      const [read] = await readText(
        records.map((record) => `${JSON.stringify({ ...common, ...record })}\n`).join(""),
      );
      const ours = talk(sentOf(read?.events ?? []));
      expect(ours.slice(-sent.length)).toEqual(talk(sent));
      expect(ours).toEqual([
        ["user", "one"],
        ["assistant", "A"],
        ["user", "two"],
        ["assistant", "B"],
      ]);
      expect(read?.ledger.losses).toContainEqual(
        expect.objectContaining({ axis: "messages", reason: "dangling-parent", count: 1 }),
      );
    },
  );
});
