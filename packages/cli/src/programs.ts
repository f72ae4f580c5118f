/** The real programs on this machine. */
import { delimiter, join } from "node:path";
import type { Converter, Environment } from "@asp-convert/core";
import { source } from "./toolkit.js";

/** What it is called, as on the PATH. */
export function programNameOf({ id, sessions: { resume } }: Converter): string {
  return resume.program?.name ?? resume.command("", undefined)[0] ?? id;
}

/** Where it is; undefined: not on the PATH. */
export async function installedAt(
  converter: Converter,
  { env, platform }: Environment,
): Promise<string | undefined> {
  const name = programNameOf(converter);
  const names = platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    for (const file of names) {
      const path = join(folder, file);
      const info = folder === "" ? undefined : await source.stat(path).catch(() => undefined);
      if (info?.kind === "file" && (platform === "win32" || (info.mode & 0o111) !== 0)) return path;
    }
  }
  return undefined;
}
