/** Is a path a store of Copilot CLI, the folder of one of its sessions, or its events? And what store does it belong to? */
import {
  type Candidate,
  type Environment,
  pathOf,
  readHead,
  type Source,
  type Store,
} from "@asp-convert/core";
import { EVENTS, MARKS, SESSIONS, STATE, WORKSPACE } from "./layout.js";

const HEAD = 4096;

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfFile(path, head);
  if (entries.includes(STATE)) {
    const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
    return scoreOfState(inside) > 0 ? 90 : 0;
  }
  const state = scoreOfState(entries);
  if (state > 0) return /[/\\]\.copilot$/.test(path) ? Math.max(state, 80) : state;
  if (entries.includes(EVENTS))
    return entries.includes(WORKSPACE) ||
      scoreOfFile(path, await readHead(source, `${path}/${EVENTS}`, HEAD)) > 0
      ? 90
      : 0;
  return 0;
}

function scoreOfState(names: readonly string[]): number {
  if (names.includes(SESSIONS)) return 95;
  return MARKS.filter((mark) => names.includes(mark)).length > 2 ? 60 : 0;
}

/** The first event says whose it is. Where it is gone, the form of the others does. */
function scoreOfFile(path: string, bytes: Uint8Array): number {
  const text = Buffer.from(bytes.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const line = text.split("\n", 1)[0]?.trim() ?? "";
  if (/^\{"type":"session\.start","data":\{"sessionId":/.test(line)) return 95;
  if (/"type":"session\.start"/.test(line) && /"copilotVersion"|"copilot-agent"/.test(line)) return 95;
  if (/^\{"type":"[a-z_]+\.[a-z_.]+","data":\{/.test(line))
    return /"parentId":(?:null|"[0-9a-f-]{36}")/.test(line) || path.endsWith(EVENTS) ? 70 : 40;
  return 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const harness = "copilot";
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (paths.basename(path) === STATE || names.includes(SESSIONS)) return { harness, root: path };
    if (names.includes(STATE)) return { harness, root: paths.join(path, STATE) };
  }
  // <root>/session-state/<id>, and what lies below.
  for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at))
    if (paths.basename(at) === SESSIONS) return { harness, root: above, ...(at !== path && { focus: path }) };
  return { harness, root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
}
