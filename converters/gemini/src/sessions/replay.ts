/**
 * A session's own bytes in another store of Gemini CLI. Under its own id every byte stays; as a copy, or for another
 * working directory, only the records that say whose session it is and where are changed in it.
 */
import {
  blocksOf,
  lineBatches,
  type OpenFile,
  pathOf,
  piecesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { type Fields, fields, isoTime } from "@asp-convert/core/values";
import { CHATS, checkpointFile, isCheckpoint, sessionFile, sha256, TMP, tagOf } from "../layout.js";
import { type ProjectPlace, placeFor } from "./place.js";
import { isDocument } from "./scan.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const isMoved = target.copy > 0 || !isIn(ref, target.cwd);
  const cwd = target.cwd ?? ref.cwd;
  const slug = slugOf(ref);
  const path = pathOf(target.environment);
  const place: ProjectPlace =
    cwd === undefined
      ? { folder: path.join(target.root, ".gemini", TMP, slug ?? "project"), actions: [] }
      : await placeFor(cwd, target, slug);
  const made = await plan(ref, { files, target, place, cwd, isMoved, above: undefined });
  return { ...made, actions: [...made.actions, ...place.actions] };
}

/** Is all of it in this folder already? */
function isIn(ref: SessionRef, cwd: string | undefined): boolean {
  return cwd === undefined || (ref.cwd === cwd && ref.children.every((child) => isIn(child, cwd)));
}

/** `demo` of `tmp/demo/chats/…`. */
function slugOf({ files }: SessionRef): string | undefined {
  return /(?:^|\/)tmp\/([^/]+)\//.exec(files[0]?.relative ?? "")?.[1];
}

interface Move {
  files: Source;
  target: Target;
  place: ProjectPlace;
  cwd: string | undefined;
  isMoved: boolean;
  /** The new id of the session that this one is a subagent's of. */
  above: string | undefined;
}

async function plan(ref: SessionRef, move: Move): Promise<SessionPlan> {
  const { files, target, place, cwd, isMoved, above } = move;
  const path = pathOf(target.environment);
  const [transcript, ...companions] = ref.files;
  if (!transcript) throw new Error(`session ${ref.id} names no file`);
  const base = path.basename(transcript.path);
  const seed = `gemini copy ${above ?? ""} ${ref.id} ${target.copy} ${target.cwd ?? ""}`;
  const uuid = uuidFrom(seed);
  const isTag = isCheckpoint(base);
  const copied = isTag
    ? checkpointFile(`${tagOf(base)}-${uuid.slice(0, 8)}`).slice(0, -".json".length)
    : uuid;
  const id = isMoved ? copied : ref.id;
  const within = insideOf(transcript.relative) ?? [CHATS, base].join("/");
  const created = new Date(isoTime(ref.createdAt) ?? 0).toISOString();
  const relative = !isMoved
    ? within
    : isTag
      ? `${id}.json`
      : above !== undefined
        ? `${CHATS}/${above}/${id}${path.extname(base)}`
        : `${CHATS}/${sessionFile(created, id).replace(/\.jsonl$/, path.extname(base))}`;
  const changes = isMoved && !isTag ? { id, ...(cwd !== undefined && { cwd }) } : undefined;
  const info = await files.stat(transcript.path);
  const children: SessionPlan[] = [];
  for (const child of ref.children) children.push(await plan(child, { ...move, above: id }));
  const agents = new Map(isMoved ? ref.children.map((child, i) => [child.id, children[i]?.id ?? ""]) : []);
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [
      {
        do: "create",
        path: path.join(place.folder, ...relative.split("/")),
        content: () => bytes(transcript.path, files, changes && { ...changes, agents }),
        mtimeMs: () => info?.mtimeMs,
      },
      ...companions.flatMap(({ path: from, relative: at, role }) =>
        role === "companion"
          ? [
              {
                do: "create" as const,
                path: path.join(place.folder, ...(insideOf(at) ?? at).replaceAll(ref.id, id).split("/")),
                content: () => bytes(from, files, undefined),
              },
            ]
          : [],
      ),
    ],
    children,
  };
}

/** What stands below the folder of the project. */
function insideOf(relative: string): string | undefined {
  return /(?:^|\/)tmp\/[^/]+\/(.+)$/.exec(relative)?.[1];
}

interface Changes {
  id: string;
  cwd?: string;
  /** The new ids of subagents' sessions. */
  agents: ReadonlyMap<string, string>;
}

async function* bytes(path: string, files: Source, changes: Changes | undefined): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    let at = 0;
    if (changes) {
      for (const { offset, length, text } of isDocument(file)
        ? inDocument(file, changes)
        : inLines(file, changes)) {
        yield* piece(file, at, offset);
        yield Buffer.from(text);
        at = offset + length;
      }
    }
    yield* blocksOf(file, at);
  } finally {
    file.close();
  }
}

function* piece(file: OpenFile, from: number, to: number): Generator<Uint8Array> {
  const block = 1024 * 1024;
  for (let at = from; at < to; at += block) yield file.read(at, Math.min(block, to - at));
}

interface Change {
  offset: number;
  length: number;
  text: string;
}

function* inLines(file: OpenFile, changes: Changes): Generator<Change> {
  for (const batch of lineBatches(file)) {
    for (const line of batch) {
      if (!line.bytes || !concerns(line.bytes, changes)) continue;
      for (const part of piecesOf(line)) {
        const record = part.ok ? fields(part.value) : undefined;
        const changed = record && changedRecord(record, changes);
        if (changed) yield { offset: part.offset, length: part.length, text: JSON.stringify(changed) };
      }
    }
  }
}

/** Most lines are not even parsed. */
function concerns(bytes: Buffer, { agents }: Changes): boolean {
  return (
    bytes.indexOf('"sessionId"') !== -1 || [...agents.keys()].some((agent) => bytes.indexOf(agent) !== -1)
  );
}

function changedRecord(record: Fields, changes: Changes): Fields | undefined {
  const set = fields(record.$set);
  if (typeof record.id === "string") return withAgents(record, changes);
  if (set && "sessionId" in set) return { ...record, $set: withHead(set, changes) };
  return "sessionId" in record ? withHead(record, changes) : undefined;
}

function withHead(head: Fields, { id, cwd }: Changes): Fields {
  return {
    ...head,
    sessionId: id,
    ...(cwd !== undefined && "projectHash" in head && { projectHash: sha256(cwd), directories: [cwd] }),
  };
}

function withAgents(message: Fields, { agents }: Changes): Fields | undefined {
  if (!Array.isArray(message.toolCalls)) return undefined;
  const toolCalls = message.toolCalls.map((call: unknown) => {
    const own = fields(call);
    const agent = agents.get(String(own?.agentId));
    return own && agent !== undefined ? { ...own, agentId: agent } : call;
  });
  return { ...message, toolCalls };
}

const HEAD = 64 * 1024;

/** In a document the head stands before its messages, as text that is changed where it is. */
function* inDocument(file: OpenFile, { id, cwd }: Changes): Generator<Change> {
  const text = Buffer.from(file.read(0, HEAD)).toString("latin1");
  const end = text.indexOf('"messages"');
  const head = end === -1 ? text : text.slice(0, end);
  const values = { sessionId: id, ...(cwd !== undefined && { projectHash: sha256(cwd) }) };
  const found = Object.entries(values).flatMap(([key, value]) => {
    const match = new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`, "d").exec(head);
    const [from, to] = match?.indices?.[1] ?? [];
    return from === undefined || to === undefined
      ? []
      : [{ offset: from, length: to - from, text: JSON.stringify(value) }];
  });
  yield* found.sort((a, b) => a.offset - b.offset);
}
