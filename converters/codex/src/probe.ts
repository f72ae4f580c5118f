/** Is a path a Codex store, a folder of rollouts, or one rollout? And what store does it belong to? */
import { type Candidate, type Environment, pathOf, type Source, type Store } from "@asp-convert/core";
import { fields, parsed } from "@asp-convert/core/values";
import { ARCHIVED, MARKS, NAME_INDEX, parseRolloutName, SESSIONS } from "./layout.js";
import { glanceOf } from "./sessions/glance.js";

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  const base = path.split(/[/\\]/).at(-1) ?? "";
  if (kind === "file") return probeFile(base, head);
  if (entries.some((name) => parseRolloutName(name))) return 90;
  if (entries.includes(ARCHIVED)) return 95;
  const marks = MARKS.filter((mark) => entries.includes(mark)).length;
  if (entries.includes(SESSIONS)) {
    if (marks > 1 && (entries.includes("config.toml") || entries.includes(NAME_INDEX))) return 92;
    if (await holdsDays(`${path}/${SESSIONS}`, source)) return 90;
  }
  if (await holdsDays(path, source)) return base === SESSIONS ? 90 : 70;
  if (entries.includes("config.toml") && marks > 1) return 60;
  // Set up, and nobody has talked in it yet.
  if (entries.length === marks && (await isFresh(`${path}/${SESSIONS}`, source))) return 40;
  return base === ".codex" ? 45 : 0;
}

function probeFile(base: string, head: Uint8Array): number {
  const name = parseRolloutName(base);
  if (name?.compressed) return 95;
  const [first = ""] = Buffer.from(head)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split("\n", 1);
  const value = parsed(first);
  const seen = fields(value) ? glanceOf(value) : undefined;
  if (seen?.type === "session_meta") return 98;
  if (/^\s*\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"session_meta"/.test(first)) return 98;
  if (seen?.type === "header" && fields(value)?.instructions !== undefined) return 85;
  if (seen && ["response_item", "event_msg", "turn_context"].includes(seen.type)) return 90;
  return name ? 60 : 0;
}

/** `2026/11/30/rollout-…`: looks down one path only. */
async function holdsDays(folder: string, source: Source): Promise<boolean> {
  let at = folder;
  for (const part of [/^\d{4}$/, /^\d\d$/, /^\d\d$/]) {
    const next = (await source.readDir(at)).findLast(
      ({ name, kind }) => kind === "directory" && part.test(name),
    );
    if (!next) return false;
    at = `${at}/${next.name}`;
  }
  return (await source.readDir(at)).some(({ name }) => parseRolloutName(name));
}

/** Folders of years, or none yet. */
async function isFresh(sessions: string, source: Source): Promise<boolean> {
  if ((await source.stat(sessions))?.kind !== "directory") return false;
  return (await source.readDir(sessions)).every(({ name }) => /^\d{4}$/.test(name));
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (names.includes(SESSIONS) || names.includes(ARCHIVED)) return { harness: "codex", root: path };
  }
  // A day, a file, `sessions` itself: the store is above.
  for (let at = path; ; ) {
    const above = paths.dirname(at);
    const name = paths.basename(at);
    if (name === SESSIONS || name === ARCHIVED) return { harness: "codex", root: above, focus: path };
    if (above === at) break;
    at = above;
  }
  const root = info?.kind === "file" ? paths.dirname(path) : path;
  return { harness: "codex", root, focus: path };
}
