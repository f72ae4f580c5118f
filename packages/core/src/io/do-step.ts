/** Carries one step out: the moment in which the target changes. */
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "./journal.js";
import { placeNew, removeFile, replace } from "./place.js";
import type { RowSet } from "./rows.js";
import { insertRows } from "./rows-commit.js";
import { hashBytes } from "./takeback.js";
import type { Work } from "./work.js";
import { WriteError, writeError } from "./write-error.js";

/** @throws WriteError; then nothing of this step was done, or what was done can be taken back by the journal. */
export async function doStep(step: Step, work: Work): Promise<void> {
  await work.at(`before ${step.do} ${step.path}`);
  try {
    switch (step.do) {
      case "create":
        placeNew(step.temp, step.path, () => work.journal.write({ t: "reserve", path: step.path }));
        await work.at(`placed ${step.path}`);
        removeFile(step.temp);
        break;
      case "link":
        symlinkSync(step.to, step.path);
        break;
      case "rows":
        insertRows(
          step.path,
          step.temp,
          JSON.parse(readFileSync(join(work.journal.folder, step.saved), "utf8")) as RowSet[],
        );
        removeFile(step.temp);
        break;
      case "edit":
        doEdit(step, work);
        break;
      case "append":
        await doAppend(step, work);
        break;
    }
  } catch (error) {
    throw writeError(step.path, error);
  }
  await work.at(`after ${step.do} ${step.path}`);
}

function doEdit(step: Step & { do: "edit" }, work: Work): void {
  if (!step.before) {
    placeNew(step.temp, step.path, () => work.journal.write({ t: "reserve", path: step.path }));
    removeFile(step.temp);
    return;
  }
  if (hashBytes(readFileSync(step.path)) !== step.before.sha256) {
    throw new WriteError(step.path, "changed", "was changed by another program meanwhile. Run it again");
  }
  replace(step.temp, step.path);
}

async function doAppend(step: Step & { do: "append" }, work: Work): Promise<void> {
  const text = readFileSync(join(work.journal.folder, step.saved));
  if (step.isNew) await work.makeRoom(step.path);
  const fd = openSync(step.path, step.isNew ? "ax" : "a", step.mode);
  try {
    const size = Number(lstatSync(step.path, { bigint: true }).size);
    if (size !== step.at)
      throw new WriteError(step.path, "changed", "was changed by another program meanwhile. Run it again");
    for (let at = 0; at < text.length; ) at += writeSync(fd, text, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
