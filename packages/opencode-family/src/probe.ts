/** Whether a path is a store, project or session of a program, and opening it. */
import {
  type Candidate,
  type Environment,
  expandHome,
  pathOf,
  type Source,
  type Store,
  samePath,
} from "@asp-convert/core";
import { configFolder, isDatabaseName, storeRoots, TREE } from "./layout.js";
import type { Program } from "./program.js";

const SQLITE = "SQLite format 3\0";

export async function probe(program: Program, candidate: Candidate): Promise<number> {
  return candidate.kind === "file" ? probeFile(program, candidate) : probeFolder(program, candidate);
}

function probeFile(program: Program, { path, head }: Candidate): number {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (text.startsWith(SQLITE)) {
    if (isDatabaseName(program, name)) return 90;
    // Renamed, or a copy: its tables are in the head, unless all of it is in the log still.
    const family =
      /CREATE TABLE [`"]?part[`"]? ?\(/.test(text) && /CREATE TABLE [`"]?session[`"]? ?\(/.test(text);
    if (!family) return 0;
    if (program.ownTable !== undefined) return text.includes(program.ownTable) ? 85 : 0;
    return 80;
  }
  // Rows, as they are in a bundle; an export.
  if (/^\{"table":"session","id":"[^"]*","project_id":/.test(text)) return isOurs(program, text) ? 90 : 0;
  if (/^\s*\{\s*"id"\s*:\s*"ses_?\w+"/.test(text) && /"projectID"\s*:/.test(text))
    return isOurs(program, text) ? 80 : 0;
  if (!/^\s*\{\s*"info"\s*:\s*\{/.test(text)) return 0;
  if (!/"(?:id|parentID)"\s*:\s*"ses/.test(text)) return 0;
  return isOurs(program, text) ? 90 : 40;
}

/** The agents' names tell the programs apart where nothing else does; `build` and `plan` are in most. */
function isOurs(program: Program, text: string): boolean {
  const other = program.defaultAgent === "build" ? /"agent"\s*:\s*"code"/ : /"agent"\s*:\s*"build"/;
  return !other.test(text);
}

async function probeFolder(program: Program, { path, entries, source }: Candidate): Promise<number> {
  const slash = path.includes("\\") && !path.includes("/") ? "\\" : "/";
  const below = async (...names: string[]) => source.stat([path, ...names].join(slash));
  if (entries.some((name) => isDatabaseName(program, name))) return 95;
  const last = path.split(/[/\\]/).filter(Boolean).at(-1);
  if (entries.includes(TREE) && (await below(TREE, "session"))?.kind === "directory") {
    const tree = (await below(TREE, "message"))?.kind === "directory";
    if (tree) return last === program.command || program.ownTable === undefined ? 85 : 20;
  }
  // The folder of a person's config.
  if (last === program.command && entries.some((name) => program.configFiles.includes(name))) return 70;
  // A project.
  const marks = [...program.configFiles.filter((name) => name !== "config.json"), ...program.projectFolders];
  return entries.some((name) => marks.includes(name)) ? 55 : 0;
}

export async function open(
  program: Program,
  given: string,
  source: Source,
  environment: Environment,
): Promise<Store> {
  const path = pathOf(environment);
  const at = path.resolve(environment.cwd, expandHome(given, environment));
  const store = (root: string, rest: Partial<Store> = {}): Store => ({ harness: program.id, root, ...rest });
  const own = storeRoots(program, environment)[0] as string;
  const info = await source.stat(at);
  if (info?.kind === "file") {
    const folder = path.dirname(at);
    const tree = path.resolve(folder, "..", "..");
    if (path.basename(tree) === TREE && path.basename(path.dirname(folder)) === "session")
      return store(path.dirname(tree), { focus: at });
    // A session's rows lie in a folder of the database's name.
    const root =
      at.endsWith(".jsonl") && isDatabaseName(program, path.basename(folder)) ? path.dirname(folder) : folder;
    return store(root, { focus: at });
  }
  const entries = (await source.readDir(at)).map(({ name }) => name);
  if (entries.some((name) => isDatabaseName(program, name)) || entries.includes(TREE)) return store(at);
  if (samePath(at, configFolder(program, own, environment), environment.platform)) return store(own);
  const marks = [...program.configFiles, ...program.projectFolders];
  if (entries.some((name) => marks.includes(name))) return store(own, { project: at });
  return store(at);
}
