/** Every captured store into a bundle and out again, on a disk: nothing is lost, nothing is different. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAll, talkOf } from "@asp-convert/conformance/toolbox";
import {
  bundle,
  type Converter,
  convert,
  diskSource,
  type Environment,
  listReceipts,
  type Report,
  type SessionRef,
  type Source,
  undo,
  verifyBundle,
} from "@asp-convert/core";
import { Report as ReportSchema } from "@asp-convert/core/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixturesRoot, type HarnessId, harnesses, routeCases } from "./harnesses.js";

let base: string;
let environment: Environment;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "asp-bundles-")));
  environment = { env: { ASP_HOME: join(base, "state") }, home: base, platform: process.platform, cwd: base };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function refsOf(from: Converter, path: string): Promise<SessionRef[]> {
  const store = await from.open(path, diskSource, environment);
  const refs: SessionRef[] = [];
  for await (const ref of from.sessions.list(store, { source: diskSource, environment })) refs.push(ref);
  return refs.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function go(from: Converter, path: string, to: Converter, root: string): Promise<Report> {
  const store = await from.open(path, diskSource, environment);
  const refs = await refsOf(from, path);
  const report = await convert({
    from,
    store,
    refs,
    to,
    root,
    environment,
    source: diskSource,
    installed: false,
  });
  expect(ReportSchema.safeParse(report).error?.issues ?? []).toEqual([]);
  for (const { records } of report.sessions) {
    expect(records.mapped + records.evidence + records.lost).toBe(records.read);
  }
  return report;
}

/** Also what lies on no disk: a database's sessions as the files that their evidence is. */
async function filesOf(converter: Converter, path: string): Promise<Source> {
  const store = await converter.open(path, diskSource, environment);
  return (await converter.sessions.view?.(store, diskSource)) ?? diskSource;
}

/** Sessions whose own program does not look any more where they lie: they come home elsewhere, and say the same. */
const MOVED: Readonly<Record<string, string>> = {
  "opencode/legacy-json": "the JSON tree of 1.1 goes into the database, where the program finds it again",
};

/** Files that say where they lie: all else in them is the same. */
const SAYS_PLACE: Readonly<Record<string, readonly string[]>> = {
  cline: ["messages_path", "compaction_path"],
};

/** A file's bytes; of one that says where it lies, what else it says. */
function saidIn(id: HarnessId, bytes: Uint8Array | undefined): unknown {
  const [mark] = SAYS_PLACE[id] ?? [];
  const text = Buffer.from(bytes ?? []).toString("utf8");
  if (mark === undefined || !text.includes(`"${mark}"`)) return bytes;
  const said = JSON.parse(text) as Record<string, unknown>;
  for (const key of SAYS_PLACE[id] ?? []) delete said[key];
  return said;
}

interface Side {
  refs: readonly SessionRef[];
  source: Source;
}

async function sameTalks(of: Converter, before: Side, after: Side): Promise<void> {
  expect(after.refs.map(({ id }) => id)).toEqual(before.refs.map(({ id }) => id));
  for (const [i, ref] of before.refs.entries()) {
    const [one, two] = [
      await readAll(of, ref, before.source),
      await readAll(of, after.refs[i] as SessionRef, after.source),
    ].map(({ events }) => talkOf(events));
    expect(one?.length).toBeGreaterThan(0);
    expect(two).toEqual(one);
  }
}

const everyRef = (refs: readonly SessionRef[]): SessionRef[] =>
  refs.flatMap((ref) => [ref, ...everyRef(ref.children)]);

function bytesIn(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(root)) return found;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    found[path.slice(root.length)] = readFileSync(path, "latin1");
  }
  return found;
}

/** What the reader lost is told before the first event where it comes out of a bundle, and on the way where it does not. */
function byPlace(losses: Report["losses"]): Report["losses"] {
  const order = ({ record = -1 }: { record?: number | undefined }) => record;
  return losses.map((loss) => ({ ...loss, places: [...loss.places].sort((a, b) => order(a) - order(b)) }));
}

describe.each(Object.keys(harnesses) as HarnessId[])("%s", (id) => {
  const { converter, store } = harnesses[id];
  const others = Object.values(harnesses).filter((harness) => harness.converter !== converter);

  it.each(routeCases(id))("%s", { timeout: 60_000 }, async (name) => {
    const source = join(fixturesRoot, id, name, store);
    const refs = await refsOf(converter, source);
    const folder = join(base, "b.asp");

    const exported = await go(converter, source, bundle, folder);
    expect(exported.sessions).toHaveLength(everyRef(refs).length);
    if (refs.length === 0) return;
    expect((await verifyBundle(folder, diskSource)).problems).toEqual([]);

    // Home again: the very bytes, in their own places, under their own ids; a second time there is nothing to do.
    const home = join(base, "home");
    const back = await go(bundle, folder, converter, home);
    expect(back.sessions.map((each) => [each.id, each.newId, each.how])).toEqual(
      back.sessions.map((each) => [each.id, each.id, "replayed"]),
    );
    const [here, there] = await Promise.all([filesOf(converter, source), filesOf(converter, home)]);
    const moved = `${id}/${name}` in MOVED;
    if (moved)
      await sameTalks(
        converter,
        { refs, source: here },
        { refs: await refsOf(converter, home), source: there },
      );
    for (const { relative, path } of moved ? [] : everyRef(refs).flatMap((ref) => ref.files)) {
      const original = await here.readFile(path);
      expect(saidIn(id, await there.readFile(join(home, relative))), relative).toEqual(saidIn(id, original));
      expect(original?.byteLength, relative).toBeGreaterThan(0);
    }
    const again = await go(bundle, folder, converter, home);
    expect(new Set(again.sessions.map(({ outcome }) => outcome))).toEqual(new Set(["unchanged"]));
    expect(again.receipt).toBeUndefined();
    await undo(back.receipt, environment);
    expect(bytesIn(home)).toEqual({});

    // Elsewhere: what a direct conversion gives, to the byte. In the same place: a file may name another by its path.
    for (const other of others) {
      const there = join(base, "there", other.converter.id);
      const direct = await go(converter, source, other.converter, there);
      const written = bytesIn(there);
      await undo(direct.receipt, environment);
      const through = await go(bundle, folder, other.converter, there);
      expect(bytesIn(there)).toEqual(written);
      expect(byPlace(through.losses)).toEqual(byPlace(direct.losses));
      expect(through.axes).toEqual(direct.axes);
    }
    expect(
      (await listReceipts(environment)).every(({ state }) => state === "done" || state === "undone"),
    ).toBe(true);
  });
});
