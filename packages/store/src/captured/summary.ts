/**
 * What every captured session's log holds, in short. It is remembered in `index.json`, which is made from the logs
 * alone: where it is missing, spoilt or older than a log, that log is gone through again.
 */
import { putFile } from "@asp-convert/core";
import type { SessionLog } from "../session-log.js";
import type { FileRecord, SessionRecord } from "../trail/records.js";
import type { CapturedLog } from "./log.js";
import type { Model, Revision } from "./model.js";
import type { SeenSession, StateRecord } from "./records.js";

/** A state of a captured session, as a list shows it and an export asks for it. */
export interface CapturedState {
  /** In its own log, from 1. */
  revision: number;
  at: string;
  why: StateRecord["why"];
  session: SessionRecord;
  /** Whose reader its files are for: the harness's own, or `acp` where only an agent's words were kept. */
  adapter: string;
  /** Events of the session itself. */
  events: number;
}

interface Summary {
  /** Of the log, when it was gone through. */
  bytes: number;
  mtimeMs: number;
  states: CapturedState[];
}

interface Index {
  v: 1;
  sessions: Record<string, Summary>;
}

/** By the name of its log. */
export async function summaries(log: SessionLog): Promise<Map<string, readonly CapturedState[]>> {
  const path = `${log.root}/index.json`;
  const before = await readIndex(path, log);
  const now: Index = { v: 1, sessions: {} };
  let changed = false;
  for (const captured of await log.allCaptured()) {
    const info = await log.source.stat(captured.path);
    if (!info) continue;
    const { size: bytes, mtimeMs } = info;
    const known = Object.hasOwn(before.sessions, captured.name) ? before.sessions[captured.name] : undefined;
    const fits = known?.bytes === bytes && known.mtimeMs === mtimeMs;
    changed ||= !fits;
    now.sessions[captured.name] = fits ? known : { bytes, mtimeMs, states: await statesOf(captured) };
  }
  changed ||= Object.keys(before.sessions).length !== Object.keys(now.sessions).length;
  // Whoever may only read the log goes without.
  if (changed) await putFile(path, Buffer.from(JSON.stringify(now)), "replace").catch(() => {});
  return new Map(Object.entries(now.sessions).map(([name, { states }]) => [name, states]));
}

async function readIndex(path: string, { source }: SessionLog): Promise<Index> {
  try {
    const bytes = await source.readFile(path, 1024 * 1024 * 1024);
    const index = bytes && (JSON.parse(Buffer.from(bytes).toString("utf8")) as Partial<Index>);
    if (index?.v === 1 && typeof index.sessions === "object" && index.sessions !== null)
      return index as Index;
  } catch {
    // Spoilt: it is made anew.
  }
  return { v: 1, sessions: {} };
}

/** A damaged log's states are those that can be read; `verify` names the damage. */
async function statesOf(captured: CapturedLog): Promise<CapturedState[]> {
  const model = await captured.refresh(() => {});
  return model.revisions.map((revision) => stateOf(model, revision));
}

export function stateOf(model: Readonly<Model>, revision: Revision): CapturedState {
  const { at, why, session } = revision;
  const of = model.streams.filter((row) => row.of === session.id);
  const native = of.find(({ layer }) => layer === "L1");
  const adapter = session.files.length > 0 ? adapterOf(model, session) : (native ?? of[0])?.adapter;
  return {
    revision: revision.revision,
    at,
    why,
    session: recordOf(model, session),
    adapter: adapter ?? "",
    events: session.streams
      .filter(({ stream }) => model.streams[stream]?.adapter === adapter)
      .reduce((sum, { length }) => sum + length, 0),
  };
}

/** Whose its files are. */
function adapterOf(model: Readonly<Model>, { files, streams }: SeenSession): string | undefined {
  const isTap = files.every(({ file }) => model.files[file]?.relative.startsWith(TAPPED) === true);
  const rows = streams.flatMap(({ stream }) => model.streams[stream] ?? []);
  return rows.find(({ layer }) => (layer === "L1") !== isTap)?.adapter ?? rows[0]?.adapter;
}

/** Where what an agent said while it ran is kept, beside a session's own files. */
export const TAPPED = "acp/";

function recordOf(model: Readonly<Model>, session: SeenSession): SessionRecord {
  const { id, title, cwd, path, children } = session;
  return {
    harness: model.opened?.harness ?? "",
    id,
    ...(model.opened?.store !== undefined && { store: model.opened.store }),
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    path: path ?? "",
    files: session.files.flatMap(({ file, size, sha256, mode, mtimeMs }): FileRecord[] => {
      const named = model.files[file];
      if (!named) return [];
      const { relative, role, encoding } = named;
      return [
        {
          ...{ relative, role, size, sha256 },
          ...(encoding && { encoding }),
          ...(mode !== undefined && { mode }),
          ...(mtimeMs !== undefined && { mtimeMs }),
        },
      ];
    }),
    children: children.map((child) => recordOf(model, child)),
  };
}
