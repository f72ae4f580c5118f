/** Paths that a person gave as patterns because the shell did not expand them. */
import type { Terminal } from "./terminal.js";
import { absolute, source } from "./toolkit.js";

/** Each path as it is if it is there (a folder may be called `a[1]`), else what it matches, sorted. */
export async function expandGlobs(paths: readonly string[], terminal: Terminal): Promise<string[]> {
  const expanded: string[] = [];
  for (const path of paths) {
    const whole = absolute(path, terminal);
    if (!/[*?[{]/.test(path) || (await source.stat(whole))) {
      expanded.push(path);
      continue;
    }
    const { default: glob } = await import("fast-glob");
    const pattern = terminal.environment.platform === "win32" ? whole.replaceAll("\\", "/") : whole;
    const found = await glob(pattern, {
      onlyFiles: false,
      dot: true,
      followSymbolicLinks: false,
      suppressErrors: true,
    });
    // Nothing matched: the path itself goes on, and is reported missing as it was written.
    expanded.push(...(found.length > 0 ? found.sort() : [path]));
  }
  return expanded;
}
