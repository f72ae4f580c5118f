/**
 * Whether anything changed since a run that did all there was: told from names, sizes and times of all files, so that
 * who has nothing to do need not even list ten thousand sessions.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { putFile, type Source } from "@asp-convert/core";
import type { Input } from "./inputs.js";

const NAME = "report.seen.json";

interface Seen {
  asp: 1;
  /** Of the inputs' files, and of what was done to them. */
  state: string;
  sessions: number;
}

/** @param setup what is done. undefined: there is too much that cannot be looked at. */
export async function stateOf(
  setup: string,
  inputs: readonly Input[],
  source: Source,
): Promise<string | undefined> {
  const sum = createHash("sha256").update(setup);
  try {
    for (const { harness, path } of inputs) {
      sum.update(`\n${harness}\n`);
      await addTree(path, source, (line) => sum.update(line));
      await addTree(`${path}-wal`, source, (line) => sum.update(line));
    }
  } catch {
    return undefined;
  }
  return sum.digest("hex");
}

async function addTree(path: string, source: Source, add: (line: string) => void): Promise<void> {
  const info = await source.stat(path);
  if (!info) return;
  if (info.kind !== "directory") {
    add(`${path}\0${info.size}\0${info.mtimeMs}\n`);
    return;
  }
  for (const { name, kind } of await source.readDir(path)) {
    // What a link leads to is no part of the store, or is found where it is.
    if (kind === "link") add(`${path}/${name}\0link\n`);
    else await addTree(join(path, name), source, add);
  }
}

export async function readSeen(out: string, source: Source): Promise<Seen | undefined> {
  try {
    const bytes = await source.readFile(join(out, NAME));
    const seen = bytes && (JSON.parse(Buffer.from(bytes).toString("utf8")) as Partial<Seen>);
    return seen?.asp === 1 && typeof seen.state === "string" && typeof seen.sessions === "number"
      ? (seen as Seen)
      : undefined;
  } catch {
    return undefined; // Then everything is looked at.
  }
}

export async function writeSeen(out: string, seen: Seen): Promise<void> {
  await putFile(join(out, NAME), Buffer.from(`${JSON.stringify(seen)}\n`), "replace");
}
