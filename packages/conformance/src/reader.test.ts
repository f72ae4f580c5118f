/** The suite on a converter that only reads: what it reads is held, and of writing nothing is asked. */
import { defineReader, type FidelityTable, type SessionRef, sessionAxes } from "@asp-convert/core";
import { expect, test } from "vitest";
import { checks } from "./checks/index.js";
import { convert, sessionsIn } from "./convert.js";
import { sourceOf } from "./files.js";
import { runConformance } from "./run.js";
import { sampleFixture } from "./sample/fixture.js";
import { sample } from "./sample/index.js";

const { list, read, fidelity } = sample.sessions;

const renamed = (ref: SessionRef): SessionRef => ({
  ...ref,
  harness: "diary",
  children: ref.children.map(renamed),
});

const diary = defineReader({
  ...{ id: "diary", name: "Diary", verified: [], readOnly: "it is no program's own" },
  probe: (candidate) => sample.probe(candidate),
  locate: () => [],
  open: async (path, source, environment) => ({
    ...(await sample.open(path, source, environment)),
    harness: "diary",
  }),
  sessions: {
    async *list(store, context) {
      for await (const ref of list(store, context)) yield renamed(ref);
    },
    read,
    fidelity: fidelity.read,
  },
});

runConformance(diary, { fixtures: [sampleFixture()] });

test("a fault in what it reads is found", async () => {
  const deaf = {
    ...diary,
    sessions: {
      ...diary.sessions,
      async *read(...given: Parameters<typeof read>) {
        for await (const event of read(...given)) if (event.type !== "tool.completed") yield event;
      },
    },
  };
  const subject = {
    converter: deaf,
    fixture: sampleFixture(),
    foreign: [],
    targets: [sample],
    leaves: {},
    ids: [],
  };
  expect(await checks.read(subject)).not.toEqual([]);
});

test("nothing is written to it", async () => {
  const { root, files } = sampleFixture();
  const source = sourceOf(files);
  const [ref] = await sessionsIn(sample, root, source);
  if (!ref) throw new Error("the sample has a session");
  await expect(convert({ from: sample, ref, source, to: diary })).rejects.toThrow(
    "sessions are read from Diary and not written to it: it is no program's own",
  );
  await expect(diary.sessions.write({} as never, {} as never)).rejects.toMatchObject({
    name: "RefusedError",
  });
});

test("its levels of writing are not asked for", () => {
  expect(Object.keys(diary.sessions.fidelity.write as FidelityTable)).toEqual(Object.keys(sessionAxes));
});
