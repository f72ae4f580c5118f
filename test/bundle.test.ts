/** Every captured store into a bundle and out again, on a disk: nothing is lost, nothing is different. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bundle,
  type Converter,
  convert,
  diskSource,
  type Environment,
  listReceipts,
  type Report,
  type SessionRef,
  undo,
  verifyBundle,
} from "@asp-convert/core";
import { Report as ReportSchema } from "@asp-convert/core/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixtureNames, fixturesRoot, type HarnessId, harnesses } from "./harnesses.js";

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

describe.each(Object.keys(harnesses) as HarnessId[])("%s", (id) => {
  const { converter, store } = harnesses[id];
  const others = Object.values(harnesses).filter((harness) => harness.converter !== converter);

  it.each(fixtureNames(id))("%s", { timeout: 60_000 }, async (name) => {
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
    for (const { relative, path } of everyRef(refs).flatMap((ref) => ref.files)) {
      expect(readFileSync(join(home, relative)).equals(readFileSync(path)), relative).toBe(true);
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
      expect(through.losses).toEqual(direct.losses);
      expect(through.axes).toEqual(direct.axes);
    }
    expect(
      (await listReceipts(environment)).every(({ state }) => state === "done" || state === "undone"),
    ).toBe(true);
  });
});
