/** What a list says of how much was said is what reading finds, for every captured session. */
import { join } from "node:path";
import { countOf, diskSource, type Environment, LossLedger, type SessionRef } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { fixtureNames, fixturesRoot, type HarnessId, harnesses } from "./harnesses.js";

const environment: Environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/home/dev/demo" };

/** Where a list, which parses few bodies, counts otherwise: how often by the list and by reading, and why. */
const otherwise: Readonly<Record<string, { counts: readonly string[]; why: string }>> = {
  "codex/imported": {
    counts: ["12 instead of 6"],
    why: "what follows one another of another program's answers is read as one",
  },
  "codex/injected": { counts: ["4 instead of 3"], why: "an answer is told together with the call after it" },
  "codex/review": { counts: ["2 instead of 1"], why: "the review's own prompt is the program's" },
  "gemini/long-chat": {
    counts: ["16 instead of 15", "5 instead of 6"],
    why: "the list of messages was replaced by a checkpoint of itself",
  },
  "kimi/subagent": { counts: ["1 instead of 2"], why: "a subagent's prompt is its agent's" },
};

describe.each(Object.keys(harnesses) as HarnessId[])("%s", (id) => {
  test.each(fixtureNames(id))("%s", async (name) => {
    const { converter, store } = harnesses[id];
    const opened = await converter.open(join(fixturesRoot, id, name, store), diskSource, environment);
    const source = (await converter.sessions.view?.(opened, diskSource)) ?? diskSource;
    const counted = async (ref: SessionRef): Promise<[string, number | undefined, number][]> => {
      let said = 0;
      const context = { source, environment, ledger: new LossLedger(ref.id) };
      for await (const event of converter.sessions.read(ref, context)) said += countOf(event).messages;
      const below = [];
      for (const child of ref.children) below.push(...(await counted(child)));
      return [[ref.id, ref.messages, said], ...below];
    };
    const all: [string, number | undefined, number][] = [];
    for await (const ref of converter.sessions.list(opened, { source: diskSource, environment }))
      all.push(...(await counted(ref)));
    const differing = all.flatMap(([, listed, read]) =>
      listed === read ? [] : [`${listed} instead of ${read}`],
    );
    expect(differing).toEqual(otherwise[`${id}/${name}`]?.counts ?? []);
  });
});
