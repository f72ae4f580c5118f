/** The reports of shards made one, as a single run would have left it. */
import { join } from "node:path";
import { type BatchLine, putFile } from "@asp-convert/core";
import { CommandError } from "../errors.js";
import type { Terminal } from "../terminal.js";
import { absolute, source } from "../toolkit.js";
import { REPORT, readLines, sortedLines, textOf } from "./ledger.js";

/** @throws CommandError where two reports say different things of one session */
export async function mergeReports(
  paths: readonly string[],
  out: string,
  terminal: Terminal,
): Promise<{ path: string; lines: number; reports: number }> {
  const merged = new Map<string, BatchLine>();
  for (const given of paths) {
    const path = absolute(given, terminal);
    const file = (await source.stat(path))?.kind === "directory" ? join(path, REPORT) : path;
    await readLines(file, source, (line) => {
      const { harness, id, path: at } = line.from;
      const place = `${harness}\n${id}\n${at}`;
      const other = merged.get(place);
      if (other && other.status === "done" && line.status === "done" && other.key !== line.key)
        throw new CommandError(`${file}: says otherwise of session ${id} than a report before it`, {
          code: "conflict",
          next: "Reports of shards are of one version, one target and one state of the sources.",
        });
      if (!other || other.status === "failed") merged.set(place, line);
    });
  }
  const path = join(out, REPORT);
  await putFile(path, Buffer.from(sortedLines(merged.values()).map(textOf).join("")), "replace");
  return { path, lines: merged.size, reports: paths.length };
}
