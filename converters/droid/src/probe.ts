/** Is a path a store of Factory Droid, a folder of its sessions, or one session? And what store does it belong to? */
import {
  type Candidate,
  type Environment,
  pathOf,
  readHead,
  type Source,
  type Store,
} from "@asp-convert/core";
import { fields, parsed } from "@asp-convert/core/values";
import { isSessionFile, MARKS, SESSIONS, STATE } from "./layout.js";

const HEAD = 4096;

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfFile(head);
  if (entries.includes(STATE)) {
    const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
    return inside.includes(SESSIONS) && scoreOfState(inside) > 0 ? 90 : 0;
  }
  const state = scoreOfState(entries);
  if (/[/\\]\.factory$/.test(path)) return Math.max(state, entries.length > 0 ? 80 : 0);
  if (state > 0) return state;
  const file = entries.find(isSessionFile);
  return file !== undefined && scoreOfFile(await readHead(source, `${path}/${file}`, HEAD)) > 0 ? 90 : 0;
}

/** `host.json` and `droids` are its own names; the others are many a program's. */
function scoreOfState(names: readonly string[]): number {
  const own = names.includes("host.json") || names.includes("droids");
  return own && MARKS.filter((mark) => names.includes(mark)).length > 1 ? 91 : 0;
}

function scoreOfFile(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const first = fields(parsed(text.split("\n", 1)[0]?.trim()));
  if (first?.type === "session_start") return 95;
  return /^\s*\{"type":"session_start","id":"/.test(text) ? 95 : 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const harness = "droid";
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (paths.basename(path) === STATE || names.includes(STATE) || names.includes(SESSIONS))
      return { harness, root: path };
  }
  // <state>/sessions/<slug>/<session>
  for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at))
    if (paths.basename(at) === SESSIONS && at !== path) return { harness, root: above, focus: path };
  return { harness, root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
}
