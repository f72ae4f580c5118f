/** Folders that may be large or hostile, looked through within bounds and without following links. */
import { type Environment, pathOf } from "../io/paths.js";
import type { Source } from "../io/source.js";

const SKIPPED = new Set(["node_modules", "vendor", "target", "dist", "build", "out", "venv", "__pycache__"]);
const MAX_ENTRIES = 20_000;

export interface WalkOptions {
  /** Folders deep below the start. Default 8. */
  depth?: number;
  /** Go into folders whose name begins with a dot, and into those that hold what is built. Default false. */
  everywhere?: boolean;
}

/** Files below a folder that `wanted` names, relative with `/`, in a fixed order. Links are not gone into. */
export async function filesBelow(
  folder: string,
  wanted: (name: string) => boolean,
  source: Source,
  environment: Pick<Environment, "platform">,
  { depth = 8, everywhere = false }: WalkOptions = {},
): Promise<string[]> {
  const paths = pathOf(environment);
  const found: string[] = [];
  let entries = 0;
  await walk(folder, "", 0);
  return found;

  async function walk(at: string, relative: string, level: number): Promise<void> {
    const folders: string[] = [];
    for (const { name, kind } of await source.readDir(at)) {
      if (++entries > MAX_ENTRIES) return;
      if (kind === "directory") {
        if (everywhere || !(name.startsWith(".") || SKIPPED.has(name))) folders.push(name);
      } else if (kind !== "other" && wanted(name)) found.push(relative + name);
    }
    if (level >= depth) return;
    for (const name of folders) await walk(paths.join(at, name), `${relative}${name}/`, level + 1);
  }
}

/** The folder of the main checkout that a path belongs to; undefined outside of git. Worktrees share it. */
export async function gitRoot(
  path: string,
  source: Source,
  environment: Pick<Environment, "platform">,
): Promise<string | undefined> {
  const paths = pathOf(environment);
  for (let at = path; ; at = paths.dirname(at)) {
    const mark = paths.join(at, ".git");
    const info = await source.stat(mark);
    if (info?.kind === "directory") return at;
    if (info?.kind === "file") {
      const text = new TextDecoder().decode(await source.readFile(mark, 4096));
      const main = /^gitdir:\s*(.+?)[\\/]\.git[\\/]worktrees[\\/]/m.exec(text)?.[1];
      return main === undefined ? at : paths.resolve(at, main);
    }
    if (paths.dirname(at) === at) return undefined;
  }
}
