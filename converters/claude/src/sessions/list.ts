/** The sessions of a store: each transcript is indexed, none is parsed beyond its title. */
import type {
  DirEntry,
  EvidenceFile,
  ListContext,
  OpenFile,
  SessionRef,
  Source,
  Store,
} from "@asp-convert/core";
import { pathOf, unlessUnreadable } from "@asp-convert/core";
import { agentOf, isCopy, isSessionId, projectFolder, SUBAGENTS, TITLE_FILE } from "../layout.js";
import { type Chain, chainOf } from "./chain.js";
import { inlineId } from "./inline.js";
import { flag, isTalk, kinds } from "./kinds.js";
import { remember } from "./known.js";
import { preservedAt } from "./read.js";
import { indexRecords, isPrompt, NO_GROUP, type Records } from "./records.js";
import { titleOf } from "./title.js";
import { Transcript } from "./transcript.js";
import { object, text } from "./value.js";

/** Where one session's files are. */
interface Found {
  path: string;
  /** The folder that the transcript lies in. */
  folder: string;
  /** Files `agent-*.jsonl` beside the transcript (old versions) that name it as their session. */
  beside: readonly string[];
}

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const lister = new Lister(store, context);
  for await (const found of lister.find()) {
    context.signal?.throwIfAborted();
    const ref = await unlessUnreadable(context, () => lister.session(found));
    if (ref) yield ref;
  }
}

class Lister {
  readonly #store: Store;
  readonly #source: Source;
  readonly #context: ListContext;
  readonly #path: ReturnType<typeof pathOf>;

  constructor(store: Store, context: ListContext) {
    this.#store = store;
    this.#source = context.source;
    this.#context = context;
    this.#path = pathOf(context.environment);
  }

  async *find(): AsyncGenerator<Found> {
    const { focus, root } = this.#store;
    if (focus !== undefined) {
      const info = await this.#source.stat(focus);
      if (info?.kind === "file") yield { path: focus, folder: this.#path.dirname(focus), beside: [] };
      else yield* this.#inFolder(focus);
      return;
    }
    const projects = this.#path.join(root, "projects");
    for (const entry of await this.#entries(projects)) {
      if (entry.kind === "directory" || entry.kind === "link")
        yield* this.#inFolder(this.#path.join(projects, entry.name));
    }
  }

  async *#inFolder(folder: string): AsyncGenerator<Found> {
    const names = (await this.#entries(folder)).flatMap(({ name }) => (name.endsWith(".jsonl") ? name : []));
    const beside = new Map<string, string[]>();
    for (const name of names) {
      if (agentOf(name) === undefined) continue;
      const path = this.#path.join(folder, name);
      const parent = await unlessUnreadable(this.#context, () => this.#firstSession(path));
      if (parent === undefined) continue;
      const known = beside.get(parent);
      if (known) known.push(path);
      else beside.set(parent, [path]);
    }
    const own = new Set<string>();
    for (const name of names) {
      if (agentOf(name) !== undefined || name === "history.jsonl") continue;
      const id = name.slice(0, -".jsonl".length);
      own.add(id);
      yield { path: this.#path.join(folder, name), folder, beside: beside.get(id) ?? [] };
    }
    // Subagents whose parent's transcript is gone are listed by themselves.
    for (const [parent, paths] of beside)
      if (!own.has(parent)) for (const path of paths) yield { path, folder, beside: [] };
  }

  /** What a folder holds; nothing of one that may not be read. */
  async #entries(folder: string): Promise<DirEntry[]> {
    return (await unlessUnreadable(this.#context, () => this.#source.readDir(folder))) ?? [];
  }

  /** The session that the first record of a file names. */
  async #firstSession(path: string): Promise<string | undefined> {
    const file = await this.#source.open(path);
    try {
      return /"sessionId":"([^"\\]+)"/.exec(Buffer.from(file.read(0, 256 * 1024)).toString("latin1"))?.[1];
    } finally {
      file.close();
    }
  }

  async session({ path, folder, beside }: Found): Promise<SessionRef | undefined> {
    const file = await this.#source.open(path);
    try {
      const records = indexRecords(file, { signal: this.#context.signal });
      const transcript = new Transcript(file, records);
      const alone = agentOf(this.#path.basename(path)) !== undefined;
      const chain = chainOf(records, {
        preserved: (boundary) => preservedAt(transcript, boundary),
        sidechain: alone,
      });
      if (!holdsTalk(records, chain)) return undefined;
      const name = this.#path.basename(path).replace(/\.jsonl$/, "");
      const id = isSessionId(name) || alone ? name : (records.facts.sessionId ?? name);
      const own = this.#path.join(folder, name);
      const sides = await this.#sideFiles(own);
      const files = this.#files(path, id, records, own, sides);
      const side = sides.includes(TITLE_FILE)
        ? await this.#source.readFile(this.#path.join(own, TITLE_FILE), 64 * 1024).catch(() => undefined)
        : undefined;
      const ref = this.#ref(id, file, transcript, chain, files, side && Buffer.from(side).toString("utf8"));
      const children = [...(await this.#children(ref, own, beside)), ...this.#inline(ref, transcript, chain)];
      const size = await this.#sizeOf(file, files);
      const whole: SessionRef = { ...ref, size, children };
      if (chain.sidechains.size === 0) remember(whole, file, records, chain);
      return whole;
    } finally {
      file.close();
    }
  }

  #ref(
    id: string,
    file: OpenFile,
    transcript: Transcript,
    chain: Chain,
    files: EvidenceFile[],
    side: string | undefined,
  ): SessionRef {
    const { records } = transcript;
    const { facts } = records;
    const title = titleOf(transcript, chain, side);
    const span = spanOf(records, chain);
    const cwd = this.#cwd(file.path, facts.cwds);
    return {
      harness: this.#store.harness,
      id,
      path: file.path,
      files,
      ...title,
      ...(cwd !== undefined && { cwd }),
      ...(facts.branch !== undefined && { git: { branch: facts.branch } }),
      createdAt: span ? iso(span[0]) : iso(file.mtimeMs),
      updatedAt: span ? iso(span[1]) : iso(file.mtimeMs),
      ...(!span && { timesInferred: true }),
      size: file.size,
      messages: countMessages(records, chain),
      ...(facts.model !== undefined && { model: facts.model }),
      ...(facts.version !== undefined && { harnessVersion: facts.version }),
      children: [],
    };
  }

  /** Sessions move about; theirs is the directory that the folder is named after, else the first one told of. */
  #cwd(path: string, cwds: ReadonlySet<string>): string | undefined {
    const folder = this.#path.basename(this.#path.dirname(path));
    for (const cwd of cwds) if (projectFolder(cwd) === folder) return cwd;
    return cwds.values().next().value;
  }

  /** Files in the session's own folder, relative to it. */
  async #sideFiles(own: string): Promise<string[]> {
    const names: string[] = [];
    const visit = async (folder: string, prefix: string, depth: number): Promise<void> => {
      for (const { name, kind } of await this.#entries(folder)) {
        if (kind === "file") names.push(prefix + name);
        else if (kind === "directory" && depth < 4)
          await visit(this.#path.join(folder, name), `${prefix}${name}/`, depth + 1);
      }
    };
    await visit(own, "", 0);
    return names;
  }

  #files(path: string, id: string, records: Records, own: string, sides: readonly string[]): EvidenceFile[] {
    const transcript: EvidenceFile = {
      path,
      relative: this.#relative(path, records, id),
      role: "transcript",
    };
    const base = transcript.relative.replace(/\.jsonl$/, "");
    const companions = sides
      .filter((name) => !isChildFile(name))
      .map(
        (name): EvidenceFile => ({
          path: this.#path.join(own, name),
          relative: `${base}/${name}`,
          role: "companion",
        }),
      );
    return [transcript, ...companions];
  }

  /** Below the root where it lies there; else where it would. */
  #relative(path: string, records: Records, id: string): string {
    const below = this.#path
      .relative(this.#path.join(this.#store.root, "projects"), path)
      .replaceAll("\\", "/");
    if (/^[^/]+\/[^/]+\.jsonl$/.test(below) && !below.startsWith("..")) return `projects/${below}`;
    if (/^[^/]+\/[^/]+\/subagents\/[^/]+\.jsonl$/.test(below) && !below.startsWith(".."))
      return `projects/${below}`;
    const cwd = this.#cwd(path, records.facts.cwds);
    return `projects/${cwd === undefined ? this.#path.basename(this.#path.dirname(path)) : projectFolder(cwd)}/${id}.jsonl`;
  }

  /** Subagents with a file of their own. */
  async #children(parent: SessionRef, own: string, beside: readonly string[]): Promise<SessionRef[]> {
    const folder = this.#path.join(own, SUBAGENTS);
    const names = (await this.#entries(folder)).map(({ name }) => name);
    const paths = [
      ...names.filter((name) => agentOf(name) !== undefined).map((name) => this.#path.join(folder, name)),
      ...beside,
    ];
    const children: SessionRef[] = [];
    for (const path of paths) {
      const agent = agentOf(this.#path.basename(path)) as string;
      if (isCopy(agent)) continue;
      const meta = names.includes(`agent-${agent}.meta.json`)
        ? this.#path.join(folder, `agent-${agent}.meta.json`)
        : undefined;
      const child = await unlessUnreadable(this.#context, () => this.#child(parent, path, agent, meta));
      if (child) children.push(child);
    }
    return children;
  }

  async #child(
    parent: SessionRef,
    path: string,
    agent: string,
    meta: string | undefined,
  ): Promise<SessionRef | undefined> {
    const file = await this.#source.open(path);
    try {
      const records = indexRecords(file, { signal: this.#context.signal });
      if (records.count === 0) return undefined;
      const transcript = new Transcript(file, records);
      const chain = chainOf(records, {
        preserved: (boundary) => preservedAt(transcript, boundary),
        sidechain: true,
      });
      const base = (parent.files[0] as EvidenceFile).relative.replace(/\.jsonl$/, "");
      const inFolder = this.#path.basename(this.#path.dirname(path)) === SUBAGENTS;
      const relative = inFolder
        ? `${base}/${SUBAGENTS}/agent-${agent}.jsonl`
        : `${this.#path.posix.dirname(base)}/agent-${agent}.jsonl`;
      const files: EvidenceFile[] = [{ path, relative, role: "transcript" }];
      if (meta !== undefined)
        files.push({ path: meta, relative: relative.replace(/\.jsonl$/, ".meta.json"), role: "companion" });
      const told = meta === undefined ? undefined : await this.#metaOf(meta);
      const ref = this.#ref(`agent-${agent}`, file, transcript, chain, files, undefined);
      const title = text(told?.description);
      const toolCallId = text(told?.toolUseId);
      const child: SessionRef = {
        ...ref,
        size: await this.#sizeOf(file, files),
        ...(title !== undefined && { title, titleFrom: "agent" as const }),
        ...(parent.cwd !== undefined && { cwd: parent.cwd }),
        parent: {
          id: parent.id,
          relation: "subagent",
          ...(toolCallId !== undefined && { toolCallId }),
        },
      };
      remember(child, file, records, chain);
      return child;
    } finally {
      file.close();
    }
  }

  async #sizeOf(transcript: OpenFile, files: readonly EvidenceFile[]): Promise<number> {
    let size = transcript.size;
    for (const { path } of files.slice(1)) size += (await this.#source.stat(path))?.size ?? 0;
    return size;
  }

  async #metaOf(path: string): Promise<ReturnType<typeof object>> {
    try {
      const bytes = await this.#source.readFile(path, 1024 * 1024);
      return bytes && object(JSON.parse(Buffer.from(bytes).toString("utf8")));
    } catch {
      return undefined; // its text is broken or too large: the link to the call is lost, the session is not
    }
  }

  #inline(parent: SessionRef, transcript: Transcript, chain: Chain): SessionRef[] {
    const { records } = transcript;
    return [...chain.sidechains].flatMap(([root, tree]): SessionRef[] => {
      const first = transcript.peek(root);
      const uuid = text(first?.uuid);
      if (uuid === undefined || !tree.some((i) => isTalk(records.kind[i] as number))) return [];
      const content = object(first?.message)?.content;
      const times = tree.map((i) => records.time[i] as number).filter((ms) => !Number.isNaN(ms));
      return [
        {
          harness: parent.harness,
          id: inlineId(parent.id, uuid),
          path: parent.path,
          files: [parent.files[0] as EvidenceFile],
          ...(typeof content === "string" && {
            title: content.replace(/\s+/g, " ").slice(0, 200),
            titleFrom: "prompt" as const,
          }),
          ...(parent.cwd !== undefined && { cwd: parent.cwd }),
          ...(times.length > 0 && {
            createdAt: iso(Math.min(...times.slice(0, 1000))),
            updatedAt: iso(times.at(-1) as number),
          }),
          size: tree.reduce((sum, i) => sum + (records.length[i] as number), 0),
          messages: tree.filter(
            (i) =>
              isTalk(records.kind[i] as number) &&
              !((records.flags[i] as number) & (flag.result | flag.meta)),
          ).length,
          ...(parent.harnessVersion !== undefined && { harnessVersion: parent.harnessVersion }),
          parent: { id: parent.id, relation: "subagent" },
          children: [],
        },
      ];
    });
  }
}

/** Something was said in it; or it was written by us, of a session in which nothing was. */
function holdsTalk(records: Records, chain: Chain): boolean {
  const said = ({ records: own }: { records: readonly number[] }) =>
    own.some((i) => isTalk(records.kind[i] as number));
  return (
    chain.segments.some(said) ||
    chain.branches.length > 0 ||
    chain.sidechains.size > 0 ||
    records.types.includes("asp-provenance")
  );
}

/** `subagents/agent-x.jsonl` and what lies beside it are a child's; copies of the conversation are not. */
function isChildFile(name: string): boolean {
  const agent = /^subagents\/agent-(.+?)(\.meta\.json|\.jsonl)$/.exec(name)?.[1];
  return agent !== undefined && !isCopy(agent);
}

function spanOf(records: Records, chain: Chain): [number, number] | undefined {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { records: said } of chain.segments) {
    for (const i of said) {
      const ms = records.time[i] as number;
      if (!isTalk(records.kind[i] as number) || Number.isNaN(ms)) continue;
      if (ms < first) first = ms;
      if (ms > last) last = ms;
    }
  }
  return first <= last ? [first, last] : undefined;
}

/** What the person typed, and the agent's messages (one per `message.id`) that have words, on the active line. */
function countMessages(records: Records, chain: Chain): number {
  const messages = new Set<number>();
  let count = 0;
  for (const { records: said } of chain.segments) {
    for (const i of said) {
      if (isPrompt(records, i)) count++;
      else if (records.kind[i] === kinds.assistant && isSpoken(records.flags[i] as number)) {
        if (records.group[i] === NO_GROUP) count++;
        else messages.add(records.group[i] as number);
      }
    }
  }
  return count + messages.size;
}

/** Not a thought or a call alone, and no error that only the person is shown. */
function isSpoken(flags: number): boolean {
  return (flags & (flag.text | flag.image)) !== 0 && !(flags & flag.apiError);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
