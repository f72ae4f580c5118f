/** Rows into SQLite databases: all or none, beside a program that has the database open, and out again. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { diskSource } from "../io/disk.js";
import { memorySource } from "../io/memory.js";
import type { Environment } from "../io/paths.js";
import { databaseWith } from "../io/rows-scratch.js";
import { beginTransaction } from "../io/transaction.js";
import { apply } from "./apply.js";
import { dryRun } from "./dry-run.js";
import type { Action, RowChange, RowsAction } from "./plan.js";
import { ConflictError } from "./stage.js";
import { undo } from "./undo.js";

const CREATE = [
  "CREATE TABLE project (id TEXT PRIMARY KEY, made INTEGER)",
  "CREATE TABLE session (id TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, title TEXT, touched INTEGER DEFAULT 0)",
  "CREATE TABLE message (id TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, data TEXT)",
];

let base: string;
let root: string;
let path: string;
let environment: Environment;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "asp-rows-test-")));
  root = join(base, "store");
  path = join(root, "a.db");
  environment = { env: { ASP_HOME: join(base, "state") }, home: base, platform: process.platform, cwd: base };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function rows(session: string, count = 2, more: readonly RowChange[] = []): RowsAction {
  return {
    do: "rows",
    path,
    create: CREATE,
    drifts: { session: ["touched"] },
    async *rows() {
      yield { table: "project", row: { id: "p", made: 1 }, shared: true };
      // Before the row it belongs to: the whole is looked at in the end.
      for (let i = 0; i < count; i++)
        yield { table: "message", row: { id: `${session}-${i}`, session, data: `text ${i}` } };
      yield { table: "session", row: { id: session, project: "p", title: `of ${session}` } };
      yield* more;
    },
  };
}

const run = (...actions: Action[]) => apply(actions, { environment, roots: [root], what: "test" });

/** The program's own database, with a session of its own. */
function program(): DatabaseSync {
  rmSync(root, { recursive: true, force: true });
  spawnSync("mkdir", ["-p", root]);
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; ${CREATE.join(";")};
    INSERT INTO project VALUES ('p', 7); INSERT INTO session VALUES ('own', 'p', 'own', 0);
    INSERT INTO message VALUES ('own-0', 'own', 'hello')`);
  return database;
}

function content(): Record<string, unknown[]> {
  const database = new DatabaseSync(path);
  try {
    const all = (table: string) =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY id`)
        .all()
        .map((row) => Object.values(row).join(" "));
    return { project: all("project"), session: all("session"), message: all("message") };
  } finally {
    database.close();
  }
}

const OWN = { project: ["p 7"], session: ["own p own 0"], message: ["own-0 own hello"] };

describe("where there is no database", () => {
  test("one is made, for all plans of the run; undo removes it", async () => {
    const receipt = await run(rows("s1"), rows("s2", 1));
    expect(content()).toEqual({
      project: ["p 1"],
      session: ["s1 p of s1 0", "s2 p of s2 0"],
      message: ["s1-0 s1 text 0", "s1-1 s1 text 1", "s2-0 s2 text 0"],
    });
    expect(receipt.entries.map(({ do: how, path: where }) => [how, where])).toEqual([["create", path]]);
    expect(readdirSync(root)).toEqual(["a.db"]);
    await undo(receipt.id, environment);
    expect(existsSync(root)).toBe(false);
  });
});

describe("beside a program that has it open", () => {
  test("rows come in at once, and go again by undo; nothing else changes", async () => {
    const database = program();
    const receipt = await run(rows("s1"));
    expect(database.prepare("SELECT title FROM session WHERE id = 's1'").get()).toEqual({ title: "of s1" });
    expect(receipt.entries[0]?.do).toBe("rows");
    expect(readdirSync(root).filter((name) => name.startsWith(".asp"))).toEqual([]);
    // The program noting something for itself is no reason to refuse.
    database.exec("UPDATE session SET touched = 5");
    await undo(receipt.id, environment);
    expect(database.prepare("SELECT count(*) AS n FROM message").get()).toEqual({ n: 1 });
    database.exec("UPDATE session SET touched = 0");
    database.close();
    expect(content()).toEqual(OWN);
  });

  test("what was continued since is not taken back", async () => {
    const database = program();
    const receipt = await run(rows("s1"));
    database.exec("INSERT INTO message VALUES ('new', 's1', 'said later')");
    await expect(undo(receipt.id, environment)).rejects.toThrow(/changed since/);
    expect(database.prepare("SELECT count(*) AS n FROM message").get()).toEqual({ n: 4 });
    database.exec("DELETE FROM message WHERE id = 'new'; UPDATE session SET title = 'mine' WHERE id = 's1'");
    await expect(undo(receipt.id, environment)).rejects.toThrow(/changed since/);
    database.close();
  });

  test("a writer in the middle of a transaction is waited for", async () => {
    program().close();
    const worker = new Worker(
      `const { DatabaseSync } = require("node:sqlite"); const { parentPort } = require("node:worker_threads");
       const database = new DatabaseSync(${JSON.stringify(path)});
       database.exec("BEGIN IMMEDIATE; INSERT INTO message VALUES ('theirs', 'own', 'meanwhile')");
       parentPort.postMessage("locked");
       setTimeout(() => { database.exec("COMMIT"); database.close(); }, 400);`,
      { eval: true },
    );
    await new Promise((resolve) => worker.once("message", resolve));
    await run(rows("s1", 1));
    await worker.terminate();
    expect(content().message).toEqual(["own-0 own hello", "s1-0 s1 text 0", "theirs own meanwhile"]);
  });
});

describe("rows that are there", () => {
  test("the very same: nothing to do; others: a conflict, and nothing of the plan stays", async () => {
    program().close();
    await run(rows("s1"));
    const before = content();
    const transaction = await beginTransaction({ environment, roots: [root], what: "test" });
    expect(await transaction.stage([rows("s1")])).toBe("unchanged");
    await expect(transaction.stage([rows("s3", 1), rows("s1", 3)])).rejects.toThrow(ConflictError);
    expect(await transaction.stage([rows("s2", 1)])).toBe("created");
    await transaction.commit();
    expect(content().session).toEqual([...(before.session ?? []), "s2 p of s2 0"]);
  });

  test("a dry run says the same, and touches nothing", async () => {
    const database = program();
    const files = () => readdirSync(root).sort();
    const before = files();
    const stager = dryRun(diskSource);
    expect(await stager.stage([rows("s1")])).toBe("created");
    await expect(stager.stage([rows("s1", 5)])).rejects.toThrow(ConflictError);
    await expect(stager.stage([rows("own")])).rejects.toThrow(ConflictError);
    await stager.commit();
    expect(files()).toEqual(before);
    database.close();
    expect(content()).toEqual(OWN);
  });
});

test("second thoughts: other values for rows, or none of them", async () => {
  await run(
    rows("s1", 3, [
      { table: "message", where: { session: "s1" }, set: { data: "changed" } },
      { table: "message", drop: { id: "s1-1" } },
    ]),
  );
  expect(content().message).toEqual(["s1-0 s1 changed", "s1-2 s1 changed"]);
});

describe("all or none", () => {
  test("a row that refers to nothing keeps all out", async () => {
    program().close();
    const orphan = rows("s1", 1, [{ table: "session", drop: { id: "s1" } }]);
    await expect(run(orphan)).rejects.toThrow(/lacks what they belong to/);
    expect(content()).toEqual(OWN);
    expect(readdirSync(root)).toEqual(["a.db"]);
  });

  test("a column or table that the database does not have is an error with its name", async () => {
    program().close();
    const odd = (change: RowChange) => run(rows("s1", 1, [change]));
    await expect(odd({ table: "session", row: { id: "x", colour: "red" } })).rejects.toThrow(
      /no column colour/,
    );
    await expect(odd({ table: "sessions", row: { id: "x" } })).rejects.toThrow(/no table sessions/);
    expect(content()).toEqual(OWN);
  });

  test("a run that fails after the rows went in takes them out again", async () => {
    program().close();
    const failing = apply([rows("s1")], {
      environment,
      roots: [root],
      what: "test",
      signal: undefined,
    });
    await failing;
    const transaction = await beginTransaction({
      environment,
      roots: [root],
      what: "test",
      onStep(what) {
        if (what === "done") throw new Error("power cut");
      },
    });
    await transaction.stage([rows("s2")]);
    await expect(transaction.commit()).rejects.toThrow(/power cut/);
    expect(content().session).toContain("s2 p of s2 0");
    await transaction.rollback();
    expect(content().session).toEqual(["own p own 0", "s1 p of s1 0"]);
  });
});

test("a database in memory with rows of several actions is made whole", async () => {
  const first = await databaseWith(memorySource({}), "/x/a.db", [rows("s1", 1)]);
  const second = await databaseWith(memorySource({ "/x/a.db": first }), "/x/a.db", [
    rows("s2", 1),
    rows("s3", 0),
  ]);
  const database = await memorySource({ "/x/a.db": second }).openDatabase("/x/a.db");
  expect(database.all("SELECT id FROM session").map(({ id }) => id)).toEqual(["s1", "s2", "s3"]);
  expect(database.all("SELECT id FROM message").length).toBe(2);
  database.close();
});
