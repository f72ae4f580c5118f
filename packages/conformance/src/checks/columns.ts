/**
 * A database of a newer version: every table has columns that nobody knew of, and in them what JSON has no word for.
 * The same sessions are listed, say the same, and every byte is still accounted for.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "@asp-convert/core";
import { convert, openStore, readAll, withChildren } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import { type Check, guarded, type Subject } from "../kit.js";
import { differences, talkOf } from "../talk.js";

export const columns: Check = async (subject) => {
  const { fixture } = subject;
  const databases = [...fixture.files].filter(([, bytes]) => isDatabase(bytes)).map(([path]) => path);
  if (databases.length === 0) return [];
  const problems: string[] = [];
  await guarded("with columns of a newer version", problems, async () => {
    const files = new Map(fixture.files);
    for (const path of databases) await widen(path, files);
    const before = await said(subject, fixture.files);
    const after = await said(subject, files);
    for (const [id, talk] of before) {
      const now = after.get(id);
      if (!now) problems.push(`${id}: with columns of a newer version it is no longer listed`);
      else problems.push(...differences(talkOf(talk), talkOf(now)).map((what) => `${id}: ${what}`));
    }
  });
  return problems;
};

/** Each session's events; what is written of it is accounted for, or an error is thrown. */
async function said(
  { converter, fixture: { root }, targets: [to = converter] }: Subject,
  files: Files,
): Promise<Map<string, SessionEvent[]>> {
  const { refs, source } = await openStore(converter, root, sourceOf(files));
  const talks = new Map<string, SessionEvent[]>();
  for (const ref of refs) {
    for (const each of withChildren(ref)) talks.set(each.id, (await readAll(converter, each, source)).events);
    await convert({ from: converter, ref, source, to });
  }
  return talks;
}

const MAGIC = Buffer.from("SQLite format 3\0");
const isDatabase = (bytes: Uint8Array) => MAGIC.equals(bytes.subarray(0, MAGIC.length));

/** On a disk: SQLite knows no other place that has a write-ahead log. */
async function widen(path: string, files: Files): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const folder = mkdtempSync(join(tmpdir(), "asp-columns-"));
  try {
    const copy = join(folder, "database");
    for (const end of ["", "-wal"]) {
      const bytes = files.get(`${path}${end}`);
      if (bytes) writeFileSync(`${copy}${end}`, bytes);
    }
    const database = new DatabaseSync(copy);
    try {
      const tables = database
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .all();
      for (const { name } of tables) {
        const table = `"${String(name).replaceAll('"', '""')}"`;
        try {
          database.exec(`ALTER TABLE ${table} ADD COLUMN asp_bytes BLOB DEFAULT x'00ff'`);
          database.exec(`ALTER TABLE ${table} ADD COLUMN asp_whole INTEGER DEFAULT 9007199254740993`);
        } catch {
          // A virtual table, or one of its own: it has no columns to add.
        }
      }
      database.exec("PRAGMA journal_mode = DELETE");
    } finally {
      database.close();
    }
    files.set(path, readFileSync(copy));
    files.delete(`${path}-wal`);
    files.delete(`${path}-shm`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
