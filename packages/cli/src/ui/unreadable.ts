/** What could not be read, for people. */
import type { Unreadable } from "@asp-convert/core";
import { count } from "./format.js";
import { type Standpoint, shortPath } from "./paths.js";
import { oneLine } from "./text.js";

/** So many are named; `--json` has them all. */
const NAMED = 5;

/** A line for each: its path and why. */
export function unreadableLines(found: readonly Unreadable[], standpoint: Standpoint): string[] {
  const lines = found
    .slice(0, NAMED)
    .map(({ path, reason }) => `${oneLine(shortPath(path, standpoint))}: ${oneLine(reason)}`);
  if (found.length > NAMED) lines.push(`and ${count(found.length - NAMED)} more; --json names them all`);
  return lines;
}
