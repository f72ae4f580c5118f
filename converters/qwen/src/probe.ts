/** Is a path a store of Qwen Code, a folder of its sessions, or one session? And what store does it belong to? */
import {
  type Candidate,
  type Environment,
  pathOf,
  readHead,
  type Source,
  type Store,
} from "@asp-convert/core";
import { fields, parsed, string } from "@asp-convert/core/values";
import { CHATS, isSessionFile, isSubagentFile, MARKS, PROJECTS, STATE } from "./layout.js";

const HEAD = 8192;
/** Projects looked into; a folder of Claude Code's is called the same and has other things in it. */
const LOOKED = 20;

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfHead(head);
  if (entries.includes(PROJECTS)) {
    for (const { name, kind: what } of (await source.readDir(`${path}/${PROJECTS}`)).slice(0, LOOKED))
      if (what !== "file" && (await source.stat(`${path}/${PROJECTS}/${name}/${CHATS}`))) return 95;
  }
  if (/[/\\]\.qwen$/.test(path) && MARKS.some((mark) => entries.includes(mark))) return 80;
  if (entries.includes(CHATS) || entries.some((name) => isSessionFile(name) || isSubagentFile(name))) {
    const folder = entries.includes(CHATS) ? `${path}/${CHATS}` : path;
    const names = (await source.readDir(folder)).map(({ name }) => name);
    const file = names.find((name) => isSessionFile(name) || isSubagentFile(name));
    if (file !== undefined)
      return scoreOfHead(await readHead(source, `${folder}/${file}`, HEAD)) > 0 ? 90 : 0;
  }
  return MARKS.filter((mark) => entries.includes(mark)).length > 2 ? 50 : 0;
}

/** The first record is one of the chain: it names itself, what is before it, and whose message in parts it is. */
function scoreOfHead(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const line = text.split("\n", 1)[0]?.trim() ?? "";
  const first = fields(parsed(line));
  if (!first) return /^\{"uuid":"[^"]*","parentUuid":/.test(line) && line.includes('"parts":[') ? 60 : 0;
  if (string(first.uuid) === undefined || !("parentUuid" in first)) return 0;
  const isParts = Array.isArray(fields(first.message)?.parts);
  return isParts || "systemPayload" in first ? 95 : 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const harness = "qwen";
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (paths.basename(path) === STATE || names.includes(PROJECTS)) return { harness, root: path };
    const inside = paths.join(path, STATE);
    if (names.includes(STATE) && (await source.stat(paths.join(inside, PROJECTS))))
      return { harness, root: inside };
  }
  for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at))
    if (paths.basename(at) === PROJECTS && at !== path) return { harness, root: above, focus: path };
  return { harness, root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
}
