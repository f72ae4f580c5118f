/** Is a path a store of Cline, a folder of its sessions, or one session? And what store does it belong to? */
import {
  type Candidate,
  type Environment,
  pathOf,
  readHead,
  type Source,
  type Store,
} from "@asp-convert/core";
import { DATA, MARKS, SESSIONS, STATE, stemOf } from "./layout.js";

const HEAD = 4096;

export async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfFile(path, head);
  const inside = async (name: string) =>
    entries.includes(name) ? (await source.readDir(`${path}/${name}`)).map((entry) => entry.name) : [];
  const isState = scoreOfData(await inside(DATA));
  if (isState > 0) return /[/\\]\.cline$/.test(path) ? 95 : isState;
  if (scoreOfData(entries) > 0 && /[/\\]data$/.test(path)) return 80;
  const messages = entries.find((name) => stemOf(name) !== undefined);
  if (messages !== undefined)
    return scoreOfFile(messages, await readHead(source, `${path}/${messages}`, HEAD));
  // The folder of all sessions: each has its own folder with a manifest called like it.
  for (const name of entries.slice(0, 5))
    if (/^\d{13,}_/.test(name)) {
      const files = (await source.readDir(`${path}/${name}`)).map((entry) => entry.name);
      if (files.includes(`${name}.messages.json`)) return 90;
    }
  return 0;
}

function scoreOfData(names: readonly string[]): number {
  if (names.includes(SESSIONS) && (names.includes("settings") || names.includes("db"))) return 90;
  return MARKS.filter((mark) => names.includes(mark)).length > 2 ? 60 : 0;
}

/** The head of the document says whose it is; its oldest form is the list of messages alone. */
function scoreOfFile(path: string, bytes: Uint8Array): number {
  const name = /[^/\\]*$/.exec(path)?.[0] ?? "";
  if (stemOf(name) === undefined) return 0;
  const text = Buffer.from(bytes.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  if (/^\s*\{/.test(text) && /"sessionId"\s*:/.test(text) && /"(?:origin|agent|messages)"\s*:/.test(text))
    return 95;
  return /^\s*(?:\{\s*"(?:version|messages)"|\[\s*\{)/.test(text) ? 70 : 0;
}

/** The store that a path is, or lies in. */
export async function open(path: string, source: Source, environment: Environment): Promise<Store> {
  const paths = pathOf(environment);
  const harness = "cline";
  const names = (await source.readDir(path).catch(() => [])).map(({ name }) => name);
  if (paths.basename(path) === STATE || names.includes(DATA)) return { harness, root: path };
  // <root>/data/sessions/<id>/<file>
  for (let at = path, above = paths.dirname(at); ; at = above, above = paths.dirname(at)) {
    const isData = paths.basename(at) === DATA;
    if (isData && (await source.stat(paths.join(at, SESSIONS)))?.kind === "directory")
      return at === path ? { harness, root: above } : { harness, root: above, focus: path };
    if (above === at) break;
  }
  const info = await source.stat(path);
  return info?.kind === "file"
    ? { harness, root: paths.dirname(path), focus: path }
    : { harness, root: path, focus: path };
}
