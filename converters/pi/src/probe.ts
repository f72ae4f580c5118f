/** Is a path a store of Pi or its kin, a folder of their sessions, or one session? And what store does it belong to? */
import {
  type Candidate,
  type Environment,
  pathOf,
  readHead,
  type Source,
  type Store,
} from "@asp-convert/core";
import { fields, number, parsed, string } from "@asp-convert/core/values";
import { family, type Member, type MemberId } from "./family.js";
import { isProjectFolder, isSessionFile, MARKS, SESSIONS } from "./layout.js";

/** Sure that it is of the family, but of another one in it. */
const KIN = 20;
const HEAD = 4096;

export function probeFor(member: Member): (candidate: Candidate) => Promise<number> {
  return async (candidate) => {
    const score = await scoreOf(candidate);
    if (score === 0) return 0;
    return (await whose(candidate)) === member.id ? score : Math.min(score, KIN);
  };
}

/** How sure it is that it is one of the family. */
async function scoreOf({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return scoreOfHead(head);
  const [agent] = await openClawSessions(path, entries, source);
  if (agent !== undefined) return 95;
  if (entries.includes(SESSIONS)) {
    const below = await source.readDir(`${path}/${SESSIONS}`);
    if (below.some(({ name }) => isProjectFolder(name))) return 95;
    if (below.some(({ name }) => name.startsWith("-")) && /[/\\]\.omp[/\\]agent$/.test(path)) return 95;
  }
  if (entries.some(isProjectFolder)) return 90;
  const file = entries.find(isSessionFile);
  if (file !== undefined && scoreOfHead(await readHead(source, `${path}/${file}`, HEAD)) > 0) return 90;
  const agentFolder = entries.includes("agent") && /[/\\]\.(pi|omp)$/.test(path);
  return agentFolder ? 80 : MARKS.filter((mark) => entries.includes(mark)).length > 2 ? 40 : 0;
}

/** The header is the first record, but for the title that Oh My Pi has before it; it says that it is a session's. */
function scoreOfHead(head: Uint8Array): number {
  const [first, second] = linesOf(head);
  const header = first?.type === "title" ? second : first;
  if (header?.type !== "session" || string(header.id) === undefined) return 0;
  if (number(header.version) !== undefined && string(header.cwd) !== undefined) return 95;
  return string(header.cwd) !== undefined ? 90 : 60;
}

function linesOf(head: Uint8Array) {
  const text = Buffer.from(head.subarray(0, HEAD))
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  return text.split("\n", 2).map((line) => fields(parsed(line.trim())));
}

/** What the kin have and Pi has not: a folder of their own, a map of sessions beside them, records of their own. */
async function whose({ path, kind, head, entries, source }: Candidate): Promise<MemberId> {
  if (/[/\\]\.openclaw(?:[/\\]|$)/.test(path)) return "openclaw";
  if (/[/\\]\.omp(?:[/\\]|$)/.test(path)) return "oh-my-pi";
  if (kind === "directory") {
    if ((await openClawSessions(path, entries, source)).length > 0) return "openclaw";
    if (entries.includes(MAP) && entries.some(isSessionFile)) return "openclaw";
    const file = entries.find(isSessionFile);
    return (file !== undefined && marked(await readHead(source, `${path}/${file}`, HEAD))) || "pi";
  }
  const folder = path.replace(/[/\\][^/\\]*$/, "");
  return marked(head) ?? ((await source.stat(`${folder}/${MAP}`)) ? "openclaw" : "pi");
}

/** By records that only one of the kin has. Inside of a text the quotes would be escaped. */
function marked(head: Uint8Array): MemberId | undefined {
  if (linesOf(head)[0]?.type === "title") return "oh-my-pi";
  const text = Buffer.from(head.subarray(0, HEAD)).toString("utf8");
  if (/(?<!\\)"customType":"openclaw:/.test(text)) return "openclaw";
  return /(?<!\\)"type":"(?:reset_boundary|ttsr_injection)"/.test(text) ? "oh-my-pi" : undefined;
}

const MAP = "sessions.json";

/** The session folders of the agents in a state folder of OpenClaw's. */
async function openClawSessions(path: string, entries: readonly string[], source: Source): Promise<string[]> {
  if (!entries.includes("agents")) return [];
  const found: string[] = [];
  for (const { name, kind } of await source.readDir(`${path}/agents`)) {
    const folder = `${path}/agents/${name}/${SESSIONS}`;
    if (kind !== "file" && (await source.stat(`${folder}/${MAP}`))) found.push(folder);
  }
  return found;
}

export type Opener = (path: string, source: Source, environment: Environment) => Promise<Store>;

/** The store that a path is, or lies in. */
export function openFor({ id: harness }: Member): Opener {
  return async (path, source, environment) => {
    const paths = pathOf(environment);
    const info = await source.stat(path);
    if (info?.kind === "directory") {
      const names = (await source.readDir(path)).map(({ name }) => name);
      if (names.includes(SESSIONS) && harness !== "openclaw") return { harness, root: path };
      if (names.includes("agents") && harness === "openclaw") return { harness, root: path };
      if (names.includes("agent") && /^\.(pi|omp)$/.test(paths.basename(path)))
        return { harness, root: paths.join(path, "agent") };
    }
    for (let at = path, above = paths.dirname(at); above !== at; at = above, above = paths.dirname(at)) {
      if (paths.basename(at) !== SESSIONS) continue;
      // OpenClaw: <state>/agents/<agent>/sessions.
      const agents = paths.dirname(above);
      const root =
        harness === family.openclaw.id && paths.basename(agents) === "agents" ? paths.dirname(agents) : above;
      return { harness, root, focus: path };
    }
    return { harness, root: info?.kind === "file" ? paths.dirname(path) : path, focus: path };
  };
}
