/** What a path is by the look of it, at once: to see whether thousands are as they were. */
import { readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";

/**
 * Size and time of a file; of a folder the names in it that are folders or have one of these extensions (with their
 * dot); `-` where nothing is, `?` where it may not be looked at.
 */
export function stampOf(path: string, extensions: ReadonlySet<string>): string {
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    if (!info) return "-";
    if (!info.isDirectory()) return `${info.size} ${info.mtimeMs}`;
    const names = readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() || extensions.has(extname(entry.name)) ? entry.name : [],
    );
    return `${names.length} ${names.sort().join("/")}`;
  } catch {
    return "?";
  }
}

/** When it was last changed, ms since 1970; undefined where nothing is or it may not be looked at. */
export function changedAt(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

/** The paths of the folders in a folder; none where it may not be read. */
export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? join(folder, entry.name) : [],
    );
  } catch {
    return [];
  }
}
