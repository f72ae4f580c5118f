import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databasesOf } from "./database.js";
import { diskSource } from "./disk.js";
import { memorySource } from "./memory.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

/** A database that somebody has open, its last rows in the log only. */
function live(name = "a.db"): DatabaseSync {
  const database = new DatabaseSync(at(name));
  database.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER, s TEXT); INSERT INTO t VALUES (1, 'one')",
  );
  return database;
}

describe("openDatabase", () => {
  test("sees what lies only in the log, and changes nothing beside the file", async () => {
    const writer = live();
    expect(readFileSync(at("a.db")).includes("one")).toBe(false);
    const before = readdirSync(folder).map((name) => [name, readFileSync(at(name)).toString("hex")]);
    const database = await diskSource.openDatabase(at("a.db"));
    expect(database.all("SELECT * FROM t")).toEqual([{ n: 1, s: "one" }]);
    expect(database.columns("t")).toEqual(["n", "s"]);
    expect(database.columns("none")).toEqual([]);
    database.close();
    expect(readdirSync(folder).map((name) => [name, readFileSync(at(name)).toString("hex")])).toEqual(before);
    writer.close();
  });

  test("is the moment it was opened; opened again it is the next one", async () => {
    const writer = live();
    const first = await diskSource.openDatabase(at("a.db"));
    writer.exec("INSERT INTO t VALUES (2, 'two')");
    const second = await diskSource.openDatabase(at("a.db"));
    expect(first.all("SELECT n FROM t")).toEqual([{ n: 1 }]);
    expect([...second.iterate("SELECT n FROM t WHERE n > ?", 0)]).toEqual([{ n: 1 }, { n: 2 }]);
    first.close();
    expect(second.all("SELECT n FROM t").length).toBe(2);
    second.close();
    writer.close();
  });

  test("is copied once for all who ask while it stays as it is", async () => {
    live().close();
    let opened = 0;
    const openDatabase = databasesOf({
      ...diskSource,
      open(path) {
        opened++;
        return diskSource.open(path);
      },
    });
    const all = await Promise.all([openDatabase(at("a.db")), openDatabase(at("a.db"))]);
    for (const database of all) database.close();
    (await openDatabase(at("a.db"))).close();
    expect(opened).toBe(1);
  });

  test("begins anew when a program writes the file while it is copied", async () => {
    const writer = live();
    let disturbed = false;
    const openDatabase = databasesOf({
      ...diskSource,
      async open(path) {
        const file = await diskSource.open(path);
        if (!disturbed && path.endsWith("-wal")) {
          disturbed = true;
          writer.exec("INSERT INTO t VALUES (3, 'three'); PRAGMA wal_checkpoint(TRUNCATE)");
        }
        return file;
      },
    });
    const database = await openDatabase(at("a.db"));
    expect(disturbed).toBe(true);
    expect(database.all("SELECT n FROM t")).toEqual([{ n: 1 }, { n: 3 }]);
    database.close();
    writer.close();
  });

  test("works on files in memory, and cannot write", async () => {
    live().close();
    const source = memorySource({ "/x/a.db": readFileSync(at("a.db")) });
    const database = await source.openDatabase("/x/a.db");
    expect(database.all("SELECT s FROM t")).toEqual([{ s: "one" }]);
    expect(() => database.all("DELETE FROM t RETURNING n")).toThrow(/readonly/);
    database.close();
  });

  test("a number that is not exact stays whole", async () => {
    const writer = live();
    writer.exec("INSERT INTO t VALUES (9007199254740993, x'00ff')");
    const database = await diskSource.openDatabase(at("a.db"));
    expect(database.all("SELECT * FROM t WHERE n > 1")).toEqual([
      { n: 9007199254740993n, s: Uint8Array.from([0, 255]) },
    ]);
    database.close();
    writer.close();
  });

  test.each([
    ["is not there", undefined, /there is no such file/],
    ["is no database", Buffer.from("hello".repeat(1000)), /is no SQLite database/],
  ])("says so where it %s", async (_, bytes, message) => {
    if (bytes) writeFileSync(at("b.db"), bytes);
    await expect(diskSource.openDatabase(at("b.db"))).rejects.toThrow(message);
  });

  test("a damaged one is an error with its path", async () => {
    const writer = live();
    for (let i = 0; i < 500; i++) writer.exec(`INSERT INTO t VALUES (${i}, '${"x".repeat(100)}')`);
    writer.close();
    cpSync(at("a.db"), at("c.db"));
    const bytes = readFileSync(at("c.db"));
    bytes.fill(0xff, 4096, 12288);
    writeFileSync(at("c.db"), bytes);
    await expect(
      diskSource.openDatabase(at("c.db")).then((database) => database.all("SELECT * FROM t")),
    ).rejects.toThrow(/c\.db: is damaged/);
  });
});
