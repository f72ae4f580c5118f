import { canonical, ENVIRONMENT, SOURCE_ROOT, sample, sampleFixture } from "@asp-convert/conformance/toolbox";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blobs, someEvents } from "../../test/arbitrary.js";
import type { SessionRef } from "../converter/contract.js";
import { createRegistry } from "../converter/registry.js";
import { LossLedger } from "../fidelity/ledger.js";
import { aspBundle } from "../interchange/asp-bundle.js";
import { memorySource } from "../io/memory.js";
import type { Source } from "../io/source.js";
import { convert } from "../pipeline/convert.js";
import type { SessionEvent } from "../session/event.js";
import { type Envelope, sealer } from "../session/seal.js";
import { AspBundle } from "./asp-bundle.js";
import { readAspBundle, type SingleBundle, writeAspBundle } from "./single.js";

const context = { sessionId: "e".repeat(64), adapter: "sample", blobs };
const asked = (log: readonly Envelope[]): SingleBundle => ({
  native: { harness: "sample", sessionId: "s-1", sourceSha256: "a".repeat(64) },
  log: () => log,
  fidelity: [{ axis: "thinking", level: "preserved", detail: "all of it" }],
  loss: ["nothing"],
  createdAt: "2026-11-30T12:00:00.000Z",
});

async function textOf(log: readonly Envelope[]): Promise<string> {
  let text = "";
  for await (const part of writeAspBundle(asked(log))) text += part;
  return text;
}

/** The sample session's log, as an exporter seals it. */
async function sampleLog(): Promise<{ log: Envelope[]; events: SessionEvent[]; ref: SessionRef }> {
  const source = memorySource(Object.fromEntries(sampleFixture().files));
  const store = await sample.open(SOURCE_ROOT, source, ENVIRONMENT);
  for await (const ref of sample.sessions.list(store, { source, environment: ENVIRONMENT })) {
    const events: SessionEvent[] = [];
    const ledger = new LossLedger(ref.id);
    for await (const event of sample.sessions.read(ref, { source, environment: ENVIRONMENT, ledger }))
      events.push(event);
    return { log: events.map(sealer(context)), events, ref };
  }
  throw new Error("the sample store is empty");
}

describe("asp-bundle version 1", () => {
  it("holds its invariants over any log, and reads back what was written", async () => {
    await fc.assert(
      fc.asyncProperty(someEvents, fc.boolean(), async (events, twice) => {
        const log = events.map(sealer(context));
        const text = await textOf(twice ? [...log, ...log] : log);
        const read = await readAspBundle("/b.json", memorySource({ "/b.json": text }));
        expect(read.evidence.map(canonical)).toEqual(
          log.map((each) => canonical(JSON.parse(JSON.stringify(each)))),
        );
        expect(read.pivot).toMatchObject({ revision: log.length, seq: log.length - 1, nextSeq: log.length });
        expect(AspBundle.safeParse(JSON.parse(text)).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, (bundle: AspBundle) => object, RegExp]>([
    [
      "another revision",
      ({ pivot }) => ({ pivot: { ...pivot, revision: pivot.revision + 1 } }),
      /pivot.revision/,
    ],
    ["another seq", ({ pivot }) => ({ pivot: { ...pivot, seq: pivot.seq - 1 } }), /pivot.seq/],
    ["another nextSeq", ({ pivot }) => ({ pivot: { ...pivot, nextSeq: 0 } }), /pivot.nextSeq/],
    ["another id", ({ pivot }) => ({ pivot: { ...pivot, id: "x" } }), /pivot.id/],
    [
      "an event twice",
      ({ evidence: [a, _, ...rest] }) => ({ evidence: [a, a, ...rest] }),
      /stands in it twice/,
    ],
    ["another version", () => ({ version: 2 }), /version/],
    [
      "an event of no known type",
      ({ evidence: [a, ...rest] }) => ({ evidence: [{ ...a, type: "x.y" }, ...rest] }),
      /evidence\.0/,
    ],
  ])("refuses %s", async (_, change, what) => {
    const made = JSON.parse(await textOf((await sampleLog()).log)) as AspBundle;
    const text = JSON.stringify({ ...made, ...change(made) });
    await expect(readAspBundle("/b.json", memorySource({ "/b.json": text }))).rejects.toThrow(what);
  });

  it("is a store that can be detected, listed and converted, though not replayed", async () => {
    const { log, events, ref } = await sampleLog();
    const source: Source = memorySource({ "/b.json": await textOf(log) });
    const registry = createRegistry([sample, aspBundle]);
    const { converter, store } = await registry.detect("/b.json", { source, environment: ENVIRONMENT });
    expect(converter.id).toBe("asp-bundle");
    const refs: SessionRef[] = [];
    for await (const each of converter.sessions.list(store, { source, environment: ENVIRONMENT }))
      refs.push(each);
    expect(refs).toMatchObject([
      { harness: "sample", id: "s-1", title: "Words counted", cwd: "/home/dev/demo", messages: 5 },
    ]);
    expect(refs[0]?.createdAt).toBe(events.find(({ type }) => type === "message.completed")?.time);
    const report = await convert({
      ...{ from: converter, store, refs, to: sample, root: "/out", environment: ENVIRONMENT, source },
      ...{ installed: true, dryRun: true },
    });
    expect(report.sessions[0]).toMatchObject({
      how: "written",
      messages: 5,
      toolCalls: 2,
      records: { read: log.length },
    });
    expect(report.sessions[0]?.newId).not.toBe(ref.id);
  });
});
