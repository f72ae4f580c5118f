import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample } from "@asp-convert/conformance/toolbox";
import { beforeEach, describe, expect, it } from "vitest";
import { freshFolder, writeSample } from "../../test/store.js";
import { type Converter, RefusedError, type SessionRef } from "../converter/contract.js";
import { AccountError } from "../fidelity/ledger.js";
import { diskSource } from "../io/disk.js";
import type { Environment } from "../io/paths.js";
import { SourceError } from "../io/source.js";
import { compare, convert } from "./convert.js";
import { ForbiddenLossError } from "./errors.js";
import { Comparison, Report } from "./report.js";
import type { ConvertRequest, Progress } from "./request.js";
import { listReceipts, undo } from "./undo.js";

const at = freshFolder();
let base: string;
let store: string;
let out: string;
let environment: Environment;
beforeEach(() => {
  ({ base, environment } = at);
  store = join(base, "source");
  out = join(base, "out");
  writeSample(store);
});

/** The same harness under another name: everything goes over the bridge. */
const other: Converter = { ...sample, id: "other", name: "Other" };

async function request(more: Partial<ConvertRequest> = {}): Promise<ConvertRequest> {
  const opened = await sample.open(store, diskSource, environment);
  const refs: SessionRef[] = [];
  for await (const ref of sample.sessions.list(opened, { source: diskSource, environment })) refs.push(ref);
  return {
    from: sample,
    store: opened,
    refs,
    to: other,
    root: out,
    environment,
    source: diskSource,
    installed: false,
    ...more,
  };
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe("convert into another harness", () => {
  it("writes it, accounts for every record, and says how to resume and how to take it back", async () => {
    const asked = await request({ now: () => new Date("2026-11-30T12:00:00Z") });
    const report = await convert(asked);
    expect(Report.parse(report)).toEqual(report);
    const [main, child] = report.sessions;
    const records = readFileSync(asked.refs[0]?.path ?? "", "utf8")
      .trim()
      .split("\n").length;
    expect(main).toMatchObject({
      id: asked.refs[0]?.id,
      harness: "sample",
      title: "Words counted",
      cwd: "/home/dev/demo",
    });
    expect(main?.records.read).toBe(records);
    expect(main?.records.read).toBe(
      (main?.records.mapped ?? 0) + (main?.records.evidence ?? 0) + (main?.records.lost ?? 0),
    );
    expect(main).toMatchObject({ messages: 5, toolCalls: 2, how: "written", outcome: "created" });
    expect(main?.resume).toEqual({
      cwd: "/home/dev/demo",
      env: { SAMPLE_HOME: out },
      command: ["sample", "resume", main?.newId],
    });
    expect(main?.relation).toMatchObject({
      type: "handoff",
      sourceSessionId: main?.id,
      targetSessionId: main?.newId,
      createdAt: "2026-11-30T12:00:00.000Z",
    });
    expect(child).toMatchObject({ parent: main?.id, messages: 2 });
    expect(child?.resume).toBeUndefined();
    expect(report.from).toEqual({ harness: "sample", versions: ["1.4.0"], path: store });
    expect(report.to).toEqual({ harness: "other", path: out });
    expect(report.kinds).toEqual({ sessions: { read: 2, written: 2 } });
    // Five, two of the subagent, and the summary that the compaction left.
    expect(report.axes.messages).toEqual({ kept: 8, degraded: 0, dropped: 0 });
    expect(filesIn(out)).toEqual(report.sessions.flatMap(({ files }) => files).sort());

    expect((await listReceipts(environment)).map(({ id }) => id)).toEqual([report.receipt]);
    await undo(report.receipt, environment);
    expect(existsSync(out)).toBe(false);
  });

  it("makes the same ids and bytes again, and then there is nothing to do", async () => {
    const first = await convert(await request());
    const bytes = filesIn(out).map((path) => readFileSync(path, "utf8"));
    const second = await convert(await request());
    expect(second.sessions.map(({ newId, outcome }) => [newId, outcome])).toEqual(
      first.sessions.map(({ newId }) => [newId, "unchanged"]),
    );
    expect(second.receipt).toBeUndefined();
    expect(second.kinds.sessions).toEqual({ read: 2, written: 0 });
    expect(filesIn(out).map((path) => readFileSync(path, "utf8"))).toEqual(bytes);
  });

  it("gives a session a new id where its own is taken by something else", async () => {
    const first = await convert(await request());
    const taken = first.sessions[0]?.files[0] ?? "";
    appendFileSync(taken, "{}\n");
    const second = await convert(await request());
    expect(second.sessions[0]).toMatchObject({ outcome: "copied" });
    expect(second.sessions[0]?.newId).not.toBe(first.sessions[0]?.newId);
    expect(readFileSync(taken, "utf8").endsWith("{}\n")).toBe(true);
    expect(filesIn(out)).toHaveLength(4);
    // The dry run foresaw it.
    const third = await convert(await request({ dryRun: true }));
    expect(third.sessions[0]?.newId).toBe(second.sessions[0]?.newId);
    expect(third.sessions[0]?.outcome).toBe("unchanged");
  });

  it("leaves the variable away for the installed store, and follows --cwd", async () => {
    const report = await convert(await request({ installed: true, cwd: "/srv/app" }));
    expect(report.sessions[0]?.resume).toEqual({
      cwd: "/srv/app",
      command: ["sample", "resume", report.sessions[0]?.newId],
    });
  });

  it("tells how far it is", async () => {
    const told: Progress[] = [];
    const report = await convert(await request({ onProgress: (progress) => told.push(progress) }));
    expect(told[0]).toEqual({ session: report.sessions[0]?.id, index: 1, total: 1, events: 0 });
    expect(told.at(-1)?.events).toBeGreaterThan(10);
  });
});

describe("convert into the same harness", () => {
  it("is a replay: byte for byte, under its own id", async () => {
    const asked = await request({ to: sample });
    const report = await convert(asked);
    expect(report.sessions[0]).toMatchObject({
      how: "replayed",
      outcome: "created",
      newId: asked.refs[0]?.id,
      messages: 5,
    });
    expect(report.sessions[0]?.relation).toBeUndefined();
    expect(report.losses).toEqual([]);
    expect(report.sessions[0]?.records).toMatchObject({ evidence: 0, lost: 0 });
    expect(report.axes["tool-calls"]).toEqual({ kept: 2, degraded: 0, dropped: 0 });
    for (const path of filesIn(store).filter((each) => each.endsWith(".jsonl"))) {
      expect(readFileSync(path.replace(store, out))).toEqual(readFileSync(path));
    }
    const again = await convert(await request({ to: sample }));
    expect(again.sessions[0]?.outcome).toBe("unchanged");
    writeFileSync(report.sessions[0]?.files[0] ?? "", "something else");
    const copy = await convert(await request({ to: sample }));
    expect(copy.sessions[0]).toMatchObject({ outcome: "copied", relation: { type: "fork" } });
  });

  it("goes through events when asked to", async () => {
    const report = await convert(await request({ to: sample, via: "events" }));
    expect(report.sessions[0]).toMatchObject({ how: "written", outcome: "created" });
    expect(report.losses.length).toBeGreaterThan(0);
  });
});

describe("what goes wrong leaves nothing behind", () => {
  const untouched = async (from: Promise<unknown>) => {
    const error: unknown = await from.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(join(base, "state/running"))).toEqual([]);
    expect(readdirSync(join(base, "state/locks"))).toEqual([]);
    expect(await listReceipts(environment)).toEqual([]);
    return error;
  };
  /** A converter whose reader does something to its events. */
  const reading = (change: Converter["sessions"]["read"]): Converter => ({
    ...sample,
    sessions: { ...sample.sessions, read: change },
  });

  it("a record that nobody accounts for", async () => {
    const forgetful = reading(async function* (ref, context) {
      context.ledger.record();
      yield* sample.sessions.read(ref, context);
    });
    expect(await untouched(convert(await request({ from: forgetful })))).toBeInstanceOf(AccountError);
  });

  it("a reader that fails in the middle", async () => {
    const broken = reading(async function* (ref, context) {
      let events = 0;
      for await (const event of sample.sessions.read(ref, context)) {
        if (++events === 5) throw new Error("gave up");
        yield event;
      }
    });
    expect(String(await untouched(convert(await request({ from: broken }))))).toMatch(/gave up/);
  });

  it("a session that the target could not resume", async () => {
    const asked = await request();
    const refs = asked.refs.map(({ cwd: _, ...ref }) => ref);
    const error = await untouched(convert({ ...asked, refs }));
    expect(error).toBeInstanceOf(RefusedError);
    expect(String(error)).toMatch(/Other could not resume session .*: the session names none/);
    // With a folder named it can.
    expect((await convert({ ...asked, refs, cwd: "/srv/app" })).sessions[0]?.cwd).toBe("/srv/app");
  });

  it("a loss that is forbidden", async () => {
    const error = await untouched(
      convert(await request({ forbid: ({ axis }) => axis === "opaque-reasoning" })),
    );
    expect(error).toBeInstanceOf(ForbiddenLossError);
    expect((error as ForbiddenLossError).losses.map(({ axis }) => axis)).toEqual(["opaque-reasoning"]);
    expect((error as ForbiddenLossError).report.sessions).toHaveLength(2);
    expect((await convert(await request({ forbid: () => false }))).receipt).toBeDefined();
  });

  it("being told to stop", async () => {
    const stop = new AbortController();
    const stopping = reading(async function* (ref, context) {
      for await (const event of sample.sessions.read(ref, context)) {
        if (event.type === "tool.completed") stop.abort(new Error("Ctrl-C"));
        yield event;
      }
    });
    expect(String(await untouched(convert(await request({ from: stopping, signal: stop.signal }))))).toMatch(
      /Ctrl-C/,
    );
  });

  it("a source that changes while it is read; one that only grows is taken as it was, and said", async () => {
    const asked = await request();
    const path = asked.refs[0]?.path ?? "";
    const whole = readFileSync(path);
    const meddling = (meddle: () => void) =>
      reading(async function* (ref, context) {
        let events = 0;
        for await (const event of sample.sessions.read(ref, context)) {
          if (++events === 3 && ref.id === asked.refs[0]?.id) meddle();
          yield event;
        }
      });
    const error = await untouched(
      convert({ ...asked, from: meddling(() => writeFileSync(path, whole.subarray(0, 90))) }),
    );
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).why).toBe("changed");

    writeFileSync(path, whole);
    const report = await convert({
      ...asked,
      from: meddling(() => appendFileSync(path, '{"kind":"said"}\n')),
    });
    expect(report.losses.find(({ reason }) => reason === "source-grew")).toMatchObject({
      level: "not-in-source",
      count: 1,
      places: [{ session: asked.refs[0]?.id, item: path }],
    });
    expect(report.sessions[0]?.records.read).toBe(whole.toString().trim().split("\n").length);
  });

  it("another run on the same target", async () => {
    let second: unknown;
    const slow = reading(async function* (ref, context) {
      second ??= await convert(await request()).catch((error: unknown) => error);
      yield* sample.sessions.read(ref, context);
    });
    await convert(await request({ from: slow }));
    expect(String(second)).toMatch(/another run is writing there/);
  });
});

describe("compare", () => {
  it("says what would become of each axis, with places, and writes nothing", async () => {
    const compared = await compare(await request());
    expect(Comparison.parse(compared)).toEqual(compared);
    expect(filesIn(out)).toEqual([]);
    expect(existsSync(join(base, "state"))).toBe(false);
    expect(compared.dryRun).toBe(true);
    expect(compared.declared["opaque-reasoning"]).toBe("evidence-only");
    expect(compared.declared.approvals).toBe("not-in-source");
    expect(compared.axes["opaque-reasoning"]?.degraded).toBe(1);
    expect(compared.losses.find(({ axis }) => axis === "opaque-reasoning")?.places[0]).toMatchObject({
      record: 6,
    });

    const { receipt: _, ...done } = await convert(await request());
    const { dryRun: __, declared: ___, ...said } = compared;
    const timeless = (report: Report) => ({
      ...report,
      sessions: report.sessions.map(({ relation: ____, ...rest }) => rest),
    });
    expect(timeless(done)).toEqual(timeless(said));
  });
});
