/** Into a store that a running program has open: another connection, in the midst of writing. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { SOURCE_ROOT, sample, sampleFixture, sourceOf } from "@asp-convert/conformance/toolbox";
import { convert, diskSource, type Environment, type Report, type SessionRef, undo } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import opencode from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/opencode/wal-only/home/.local/share/opencode");

let base: string;
let root: string;
let environment: Environment;
/** The program's connection: it stays open all the time, its log never folded into the database. */
let program: DatabaseSync;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "asp-running-")));
  root = join(base, "opencode");
  cpSync(captured, root, { recursive: true });
  environment = { env: { ASP_HOME: join(base, "state") }, home: base, platform: process.platform, cwd: base };
  program = new DatabaseSync(join(root, "opencode.db"));
});
afterEach(() => {
  program.close();
  rmSync(base, { recursive: true, force: true });
});

async function run(): Promise<Report> {
  const { files } = sampleFixture();
  const source = sourceOf(files);
  const store = { harness: "sample", root: SOURCE_ROOT };
  const refs: SessionRef[] = [];
  for await (const ref of sample.sessions.list(store, { source, environment })) refs.push(ref);
  return convert({
    ...{ from: sample, store, refs: refs.slice(0, 1), to: opencode, root, environment, installed: false },
    // The sample lies in memory, the database on the disk.
    source: {
      ...diskSource,
      stat: (path) => (path.startsWith(SOURCE_ROOT) ? source : diskSource).stat(path),
      open: (path) => (path.startsWith(SOURCE_ROOT) ? source : diskSource).open(path),
      readDir: (path) => (path.startsWith(SOURCE_ROOT) ? source : diskSource).readDir(path),
    },
  });
}

/** Another thread, since SQLite waits in this one: writes, and holds on for `ms` before it is done. */
async function writing(ms: number): Promise<Worker> {
  const worker = new Worker(
    `const { DatabaseSync } = require("node:sqlite"); const { parentPort } = require("node:worker_threads");
     const database = new DatabaseSync(${JSON.stringify(join(root, "opencode.db"))});
     database.exec("BEGIN IMMEDIATE; UPDATE session SET title = 'written meanwhile'");
     parentPort.postMessage("locked");
     setTimeout(() => { database.exec("COMMIT"); database.close(); }, ${ms});`,
    { eval: true },
  );
  await new Promise((resolve) => worker.once("message", resolve));
  return worker;
}

const sessions = () => program.prepare("SELECT id, title FROM session ORDER BY time_created").all();
const integrity = () => program.prepare("PRAGMA integrity_check").get();

describe("a store that a program has open", () => {
  test("gets the session while it is open, whole and at once; what is in its log stays", async () => {
    const before = sessions();
    expect(before).toHaveLength(1);
    const report = await run();
    const [first] = report.sessions;
    expect(sessions().map(({ id }) => id)).toEqual(expect.arrayContaining([before[0]?.id, first?.newId]));
    expect(integrity()).toEqual({ integrity_check: "ok" });
    await undo(report.receipt, environment);
    expect(sessions()).toEqual(before);
    expect(integrity()).toEqual({ integrity_check: "ok" });
  });

  test("is waited for while it writes; both are there afterwards", async () => {
    const worker = await writing(700);
    const { sessions: made } = await run();
    await worker.terminate();
    expect(sessions()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: "written meanwhile" }),
        expect.objectContaining({ id: made[0]?.newId }),
      ]),
    );
    expect(integrity()).toEqual({ integrity_check: "ok" });
  });

  test("that never stops writing is not written to: refused with the reason, and nothing is left", {
    timeout: 40_000,
  }, async () => {
    const before = sessions();
    const worker = await writing(30_000);
    await expect(run()).rejects.toThrow(/opencode\.db.*is being written by another program.*Close it/s);
    await worker.terminate();
    expect(sessions()).toEqual(before);
  });
});
