/**
 * Resume equivalence: a converted session, resumed in the real target program, makes it send its model just what
 * the real source program would have sent for the original. And one more turn works.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareRequests, isEquivalent, type JsonObject, programs } from "@asp-convert/conformance/native";
import { convert, diskSource, type Environment, type SessionRef, type Store } from "@asp-convert/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixtureNames, fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";
import { declaredDifferences, nativeIds, natives, refusedBySource } from "./natives.js";
import type { Party } from "./run-sheet.js";

const PROMPT = "And one more thing?";
const ANSWER = "One more answer.";

let scratch = "";
let environment: Environment;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "asp-equivalence-"));
  environment = {
    env: { ASP_HOME: join(scratch, "asp") },
    home: join(scratch, "home"),
    platform: process.platform,
    cwd: scratch,
  };
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What the source program sends: asked once, for all routes. */
const sent = new Map<string, Promise<JsonObject | undefined>>();
function sentBySource(from: HarnessId, root: string, session: string): Promise<JsonObject | undefined> {
  const key = `${root}\0${session}`;
  const known =
    sent.get(key) ?? natives[from](root, { session, prompt: PROMPT }).then(({ request }) => request);
  sent.set(key, known);
  return known;
}

async function sessionsOf(from: HarnessId, root: string): Promise<{ store: Store; refs: SessionRef[] }> {
  const { converter } = harnesses[from];
  const store = await converter.open(root, diskSource, environment);
  const refs: SessionRef[] = [];
  for await (const ref of converter.sessions.list(store, { source: diskSource, environment })) refs.push(ref);
  return { store, refs };
}

function partyOf(id: HarnessId): Party {
  return { id, name: harnesses[id].converter.name, version: programs[id].version };
}

describe.each(nativeIds)("from %s", (from) => {
  describe.each(nativeIds)("to %s", (to) => {
    test.for(fixtureNames(from))("%s", async (name, { task }) => {
      const declared = declaredDifferences[`${from}/${name} → ${to}`];
      task.meta.route = { from: partyOf(from), to: partyOf(to), ...(declared && { declared: declared.why }) };
      const root = join(fixturesRoot, from, name, harnesses[from].store);
      const { store, refs } = await sessionsOf(from, root);
      for (const ref of refs) {
        const out = await mkdtemp(join(scratch, "out-"));
        const report = await convert({
          from: harnesses[from].converter,
          store,
          refs: [ref],
          to: harnesses[to].converter,
          root: out,
          environment,
          source: diskSource,
          installed: false,
          via: "events",
        });
        const session = report.sessions.find(({ parent }) => parent === undefined)?.newId ?? "";
        const resumed = await natives[to](out, { session, prompt: PROMPT, turns: [ANSWER] });
        expect(resumed, `${resumed.stdout}\n${resumed.stderr}`).toMatchObject({
          exitCode: 0,
          answer: ANSWER,
        });
        const source = await sentBySource(from, root, ref.id);
        if (!source) {
          expect(refusedBySource, `${name} ${ref.id}`).toHaveProperty([`${from}/${name}`]);
          continue;
        }
        const { extra, missing, order } = compareRequests(source, resumed.request ?? {}, PROMPT);
        expect({ extra, missing, order }).toEqual({
          extra: (declared?.extra ?? []).map((text) => expect.objectContaining({ text })),
          missing: (declared?.missing ?? []).map((text) => expect.objectContaining({ text })),
          order: declared?.order ?? 1,
        });
        if (!declared)
          expect(isEquivalent(compareRequests(source, resumed.request ?? {}, PROMPT))).toBe(true);
      }
    });
  });
});
