/** Is a path a Claude Code store, a project's folder, or one transcript? And what store does it belong to? */
import type { Candidate, Environment, Source, Store } from "@asp-convert/core";
import { pathOf, readHead } from "@asp-convert/core";
import { isSessionId } from "./layout.js";

const HARNESS = "claude";
const MARKS = [
  "settings.json",
  "history.jsonl",
  "todos",
  "statsig",
  "shell-snapshots",
  "file-history",
  ".claude.json",
  "plugins",
  "CLAUDE.md",
];

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return probeFile(path, head);
  const base = path.split(/[/\\]/).at(-1) ?? "";
  if (entries.includes("projects")) {
    const marks = MARKS.filter((mark) => entries.includes(mark)).length;
    if (await holdsTranscript(`${path}/projects`, source, 2)) return 95;
    if (marks > 0) return base === ".claude" ? 90 : 60;
    if (base === ".claude") return 70;
    // Set up, and nobody has talked in it yet.
    return entries.length === 1 && (await holdsProjectFolders(`${path}/projects`, source)) ? 40 : 0;
  }
  if (entries.some((name) => name.endsWith(".jsonl")))
    return (await holdsTranscript(path, source, 1)) ? 90 : 0;
  if (base === "projects" && (await holdsTranscript(path, source, 2))) return 90;
  // Set up, but nobody has talked in it yet. A home folder has this file too, beside `.claude`.
  if (entries.includes(".claude.json") && !entries.includes(".claude")) return 60;
  return base === ".claude" ? 45 : 0;
}

/** Folders named after paths, or none yet. */
async function holdsProjectFolders(folder: string, source: Source): Promise<boolean> {
  const entries = await source.readDir(folder);
  return entries.every(({ name, kind }) => kind !== "file" && /^-|^[A-Za-z]--/.test(name));
}

/** Looks at a few transcripts at most: in the folder itself (1) or in its folders (2). */
async function holdsTranscript(folder: string, source: Source, depth: 1 | 2): Promise<boolean> {
  const names = await source.readDir(folder);
  if (depth === 2) {
    for (const { name, kind } of names.slice(0, 20)) {
      if (
        (kind === "directory" || kind === "link") &&
        (await holdsTranscript(`${folder}/${name}`, source, 1))
      )
        return true;
    }
    return false;
  }
  for (const { name } of names.filter((entry) => entry.name.endsWith(".jsonl")).slice(0, 3)) {
    if (probeFile(name, await readHead(source, `${folder}/${name}`, 64 * 1024)) >= 50) return true;
  }
  return false;
}

const OWN_TYPES =
  /"type":\s*"(?:queue-operation|last-prompt|file-history-snapshot|permission-mode|custom-title|ai-title|api-request-shape|atis-latch|worktree-state|summary)"/;

function probeFile(path: string, head: Uint8Array): number {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  if (!name.endsWith(".jsonl")) return 0;
  const words = Buffer.from(head).toString("latin1");
  // Qwen's records have uuid and parentUuid too, but `message.parts`; Claude's have `message.content`.
  const chained =
    /"parentUuid":\s*(?:null|")/.test(words) &&
    /"(?:isSidechain|userType)":/.test(words) &&
    !/"parts":\s*\[/.test(words);
  if (chained) return 97;
  if (OWN_TYPES.test(words) && /"(?:sessionId|leafUuid|messageId)":/.test(words)) return 92;
  if (/"parentUuid":\s*(?:null|")/.test(words) && /"message":\s*\{[^}]*"content":/.test(words)) return 80;
  return isSessionId(name.slice(0, -".jsonl".length)) ? 20 : 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (names.includes("projects")) return { harness: HARNESS, root: path };
    if (paths.basename(path) === "projects") return { harness: HARNESS, root: paths.dirname(path) };
  }
  // projects/<folder>, projects/<folder>/<id>.jsonl, projects/<folder>/<id>/subagents/agent-<id>.jsonl
  for (let at = path; ; ) {
    const above = paths.dirname(at);
    if (above === at) break;
    if (paths.basename(above) === "projects")
      return { harness: HARNESS, root: paths.dirname(above), focus: path };
    at = above;
  }
  if (info?.kind === "file") return { harness: HARNESS, root: paths.dirname(path), focus: path };
  const transcripts = (await source.readDir(path)).some(({ name }) => name.endsWith(".jsonl"));
  return transcripts ? { harness: HARNESS, root: path, focus: path } : { harness: HARNESS, root: path };
}
