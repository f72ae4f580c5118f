/** Where a session can go: what is installed comes first. */
import type { Converter } from "@asp-convert/core";
import { installedAt } from "../programs.js";
import type { Terminal } from "../terminal.js";
import { targets } from "../toolkit.js";

export interface TargetChoice {
  converter: Converter;
  /** Of its program; undefined: not on the PATH. */
  at: string | undefined;
}

/** Without the session's own program and without what only wraps. */
export async function targetsFor(harness: string, terminal: Terminal): Promise<TargetChoice[]> {
  const others = targets().filter(({ id, container }) => id !== harness && !container);
  const all = await Promise.all(
    others.map(async (converter) => ({ converter, at: await installedAt(converter, terminal.environment) })),
  );
  return [...all.filter(({ at }) => at !== undefined), ...all.filter(({ at }) => at === undefined)];
}
