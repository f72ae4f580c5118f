/** What a transaction will do to files that are shared: known only when all new contents were pulled. */
import { lstatSync, readFileSync } from "node:fs";
import type { AppendAction, EditAction } from "../pipeline/plan.js";
import { missingLines } from "./append.js";
import { writeNew } from "./create.js";
import { diskSource } from "./disk.js";
import { editText } from "./edit.js";
import { lstatOf } from "./inside.js";
import type { Step } from "./journal.js";
import { removeFile } from "./place.js";
import type { RowStage } from "./rows.js";
import { hashBytes, hashFile } from "./takeback.js";
import type { Work } from "./work.js";

/** Permission bits of a file that is new. */
export const DEFAULT_MODE = 0o600;

/** Rows gathered for a database. */
export interface Gathered {
  stage: RowStage;
  temp: string;
  isNew: boolean;
}

/** @param gathered by the database's real path. */
export function planRows(gathered: ReadonlyMap<string, Gathered>, work: Work): Step[] {
  const steps: Step[] = [];
  for (const [path, { stage, temp, isNew }] of gathered) {
    const { sets, sha256, bytes } = stage.finish();
    if (sets.length === 0) {
      removeFile(temp);
      continue;
    }
    if (isNew) {
      const { ino, size } = lstatSync(temp, { bigint: true });
      steps.push({
        t: "step",
        do: "create",
        path,
        temp,
        inode: String(ino),
        sha256: hashFile(temp),
        bytes: Number(size),
      });
      continue;
    }
    const saved = `rows-${steps.length}`;
    work.journal.save(saved, Buffer.from(JSON.stringify(sets)));
    steps.push({ t: "step", do: "rows", path, temp, saved, sha256, bytes });
  }
  return steps;
}

/** @param edits by real path, in their order. */
export async function planEdits(
  edits: ReadonlyMap<string, readonly EditAction[]>,
  work: Work,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [path, kept] of edits) {
    const info = lstatOf(path);
    const before = info && readFileSync(path);
    const after = editText(
      path,
      before,
      kept.map(({ edit }) => edit),
    );
    if (before && after.equals(before)) {
      work.journal.note({ t: "same", path });
      continue;
    }
    if (!before) await work.makeRoom(path);
    const mode = info ? Number(info.mode & 0o7777n) : (kept[0]?.mode ?? DEFAULT_MODE);
    const temp = await work.temp(path);
    await writeNew(temp, after, { mode, signal: work.options.signal, as: path });
    const step = {
      t: "step",
      do: "edit",
      path,
      temp,
      sha256: hashBytes(after),
      bytes: after.length,
    } as const;
    if (!before) {
      steps.push(step);
      continue;
    }
    const saved = `before-${steps.length}`;
    work.journal.save(saved, before);
    steps.push({ ...step, before: { sha256: hashBytes(before), saved, mode } });
  }
  return steps;
}

/** @param appends by real path, in their order. */
export async function planAppends(
  appends: ReadonlyMap<string, readonly AppendAction[]>,
  work: Work,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [path, kept] of appends) {
    const info = lstatOf(path);
    const file = info && (await diskSource.open(path));
    let text: string;
    try {
      text = missingLines(file, kept.map(({ lines }) => lines()).join(""));
    } finally {
      file?.close();
    }
    if (text === "") {
      work.journal.note({ t: "same", path });
      continue;
    }
    const bytes = Buffer.from(text);
    const saved = `text-${steps.length}`;
    work.journal.save(saved, bytes);
    steps.push({
      t: "step",
      do: "append",
      path,
      at: info ? Number(info.size) : 0,
      isNew: !info,
      saved,
      mode: kept[0]?.mode ?? DEFAULT_MODE,
      sha256: hashBytes(bytes),
      bytes: bytes.length,
    });
  }
  return steps;
}
