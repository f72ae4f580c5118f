/** Is a path a store of Kimi Code, a folder of its sessions, or one journal? And what store does it belong to? */
import { type Candidate, type Environment, pathOf, type Source, type Store } from "@asp-convert/core";
import { fields, parsed, string } from "@asp-convert/core/values";
import { AGENTS, isProjectFolder, MARKS, SESSIONS, STATE, STATE_FILE } from "./layout.js";

const HEAD = 8192;

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfHead(head);
  if (entries.includes(SESSIONS)) {
    const inside = await source.readDir(`${path}/${SESSIONS}`);
    if (inside.some((entry) => entry.kind !== "file" && isProjectFolder(entry.name))) return 95;
  }
  if (entries.includes(STATE) && (await source.stat(`${path}/${STATE}/${SESSIONS}`))) return 85;
  if (/[/\\]\.kimi-code$/.test(path) && MARKS.some((mark) => entries.includes(mark))) return 80;
  if (/[/\\]sessions$/.test(path) && entries.some(isProjectFolder)) return 90;
  if (
    isProjectFolder(path.split(/[/\\]/).at(-1) ?? "") &&
    entries.some((name) => name.startsWith("session_"))
  )
    return 90;
  if (entries.includes(AGENTS) && entries.includes(STATE_FILE))
    return (await source.stat(`${path}/${AGENTS}/main`)) ? 90 : 0;
  return MARKS.filter((mark) => entries.includes(mark)).length > 2 ? 50 : 0;
}

/** A journal says first which protocol it is in; without that, its records are known by what they are called. */
function scoreOfHead(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const line = text.split("\n", 1)[0]?.trim() ?? "";
  const first = fields(parsed(line));
  if (first?.type === "metadata" && string(first.protocol_version) !== undefined && "created_at" in first)
    return 95;
  const type = string(first?.type) ?? /^\{"type":"([a-z_.]+)"/.exec(line)?.[1] ?? "";
  return /^context\.(?:append_message|append_loop_event|apply_compaction)$|^profile\.bind$/.test(type)
    ? 90
    : 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const harness = "kimi";
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (paths.basename(path) === STATE || names.includes(SESSIONS)) return { harness, root: path };
    const inside = paths.join(path, STATE);
    if (names.includes(STATE) && (await source.stat(paths.join(inside, SESSIONS))))
      return { harness, root: inside };
  }
  for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at))
    if (paths.basename(at) === SESSIONS) return { harness, root: above, focus: path };
  return { harness, root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
}
