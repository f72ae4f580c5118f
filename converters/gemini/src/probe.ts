/** Is a path a store of Gemini CLI, a folder of its sessions, or one session? And what store does it belong to? */
import {
  type Candidate,
  type Environment,
  pathOf,
  readHead,
  type Source,
  type Store,
} from "@asp-convert/core";
import { fields, parsed, string } from "@asp-convert/core/values";
import { CHATS, isCheckpoint, isSessionFile, MARKS, REGISTRY, STATE, TMP } from "./layout.js";

const HEAD = 4096;

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfFile(path, head);
  if (entries.includes(STATE)) {
    const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
    return scoreOfState(inside) > 0 ? 90 : 0;
  }
  const state = scoreOfState(entries);
  if (state > 0) return /[/\\]\.gemini$/.test(path) ? Math.max(state, 80) : state;
  if (entries.includes(CHATS) && (entries.includes(".project_root") || entries.includes("logs.json")))
    return 90;
  const file = entries.find(isSessionFile);
  if (file === undefined) return 0;
  return scoreOfFile(file, await readHead(source, `${path}/${file}`, HEAD)) > 0 ? 90 : 0;
}

function scoreOfState(names: readonly string[]): number {
  if (names.includes(TMP) && names.includes(REGISTRY)) return 95;
  return MARKS.filter((mark) => names.includes(mark)).length > 2 ? 60 : 0;
}

/** The first record says whose it is; a document begins with the same keys, a checkpoint with its turns. */
function scoreOfFile(path: string, bytes: Uint8Array): number {
  const text = Buffer.from(bytes.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const first = fields(parsed(text.split("\n", 1)[0]?.trim()));
  if (string(first?.sessionId) !== undefined && string(first?.projectHash) !== undefined) return 95;
  const name = /[^/\\]*$/.exec(path)?.[0] ?? "";
  if (/^\s*\{\s*"sessionId"\s*:\s*"[^"]*"\s*,\s*"projectHash"\s*:/.test(text)) return 95;
  if (isCheckpoint(name) && /^\s*(?:\{\s*"history"\s*:\s*)?\[\s*\{\s*"(?:role|parts)"/.test(text)) return 90;
  return isSessionFile(name) && /^\s*\{"(?:id|\$set|\$rewindTo)"/.test(text) ? 60 : 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const harness = "gemini";
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (
      paths.basename(path) === STATE ||
      names.includes(STATE) ||
      names.includes(REGISTRY) ||
      names.includes(TMP)
    )
      return { harness, root: path };
  }
  // <root>/tmp/<slug>/chats/<session>, and what lies below.
  for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at)) {
    const isTmp = paths.basename(at) === TMP && at !== path;
    if (isTmp && (paths.basename(above) === STATE || (await source.stat(paths.join(above, REGISTRY)))))
      return { harness, root: above, focus: path };
  }
  return { harness, root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
}
