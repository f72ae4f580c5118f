/** Is a path a Pi store, a folder of its sessions, or one session? And what store does it belong to? */
import { type Candidate, type Environment, pathOf, type Source, type Store } from "@asp-convert/core";
import { fields, number, parsed, string } from "@asp-convert/core/values";
import { isProjectFolder, isSessionFile, MARKS, SESSIONS } from "./layout.js";

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return probeHead(head);
  if (entries.includes(SESSIONS)) {
    const below = await source.readDir(`${path}/${SESSIONS}`);
    if (below.some(({ name }) => isProjectFolder(name))) return 95;
  }
  if (entries.some(isProjectFolder)) return 90;
  const file = entries.find(isSessionFile);
  if (file !== undefined && (await isSession(`${path}/${file}`, source))) return 90;
  const agent = entries.includes("agent") && /[/\\]\.pi$/.test(path);
  return agent ? 80 : MARKS.filter((mark) => entries.includes(mark)).length > 2 ? 40 : 0;
}

async function isSession(path: string, source: Source): Promise<boolean> {
  const file = await source.open(path);
  try {
    return probeHead(file.read(0, HEAD)) > 0;
  } finally {
    file.close();
  }
}

const HEAD = 4096;

/** The header is the first line, and says that it is a session's. */
function probeHead(head: Uint8Array): number {
  const text = Buffer.from(head.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const header = fields(parsed(text.split("\n", 1)[0] ?? ""));
  if (header?.type !== "session" || string(header.id) === undefined) return 0;
  if (number(header.version) !== undefined && string(header.cwd) !== undefined) return 95;
  return string(header.cwd) !== undefined ? 90 : 60;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const info = await source.stat(path);
  if (info?.kind === "directory") {
    const names = (await source.readDir(path)).map(({ name }) => name);
    if (names.includes(SESSIONS)) return { harness: "pi", root: path };
    if (names.includes("agent") && paths.basename(path) === ".pi")
      return { harness: "pi", root: paths.join(path, "agent") };
  }
  for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at)) {
    if (paths.basename(at) === SESSIONS) return { harness: "pi", root: above, focus: path };
  }
  return { harness: "pi", root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
}
