/** The rollout files of a store, and which of them make up one session. Only heads of files are read. */
import {
  type EvidenceFile,
  type ListContext,
  type OpenFile,
  openZstd,
  pathOf,
  type Source,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { ARCHIVED, parseRolloutName, type RolloutName, SESSIONS } from "../layout.js";
import { type Header, readHeader } from "./stretches.js";

export interface Rollout {
  path: string;
  /** To the store's root, with `/`. */
  relative: string;
  name: RolloutName;
  archived: boolean;
  /** Bytes on disk. */
  size: number;
  mtimeMs: number;
  id: string;
  header: Header | undefined;
}

/** A session with all files it lies in: its head, what it goes on from, and older copies. */
export interface Thread {
  id: string;
  head: Rollout;
  ancestors: Rollout[];
  /** Of the same id: reverted segments and superseded copies. */
  others: Rollout[];
}

export async function openRollout(
  source: Source,
  rollout: Pick<Rollout, "path" | "name">,
): Promise<OpenFile> {
  const file = await source.open(rollout.path);
  return rollout.name.compressed ? openZstd(file) : file;
}

/** Every rollout of the store; with a focus, those below or at it. */
export async function findRollouts(store: Store, context: ListContext): Promise<Rollout[]> {
  const path = pathOf(context.environment);
  const found: Rollout[] = [];
  for (const folder of [SESSIONS, ARCHIVED]) {
    await walk(path.join(store.root, folder), folder, folder === ARCHIVED, context, found, 0);
  }
  if (store.focus !== undefined && !found.some((rollout) => rollout.path === store.focus)) {
    const info = await context.source.stat(store.focus);
    if (info?.kind === "file")
      await enter(store.focus, path.basename(store.focus), false, context, found, true);
    else if (
      info?.kind === "directory" &&
      found.every((rollout) => !within(rollout.path, store.focus as string))
    ) {
      await walk(store.focus, path.basename(store.focus), false, context, found, 0);
    }
  }
  return found;
}

/** Folders nest year/month/day; links are not followed in circles. */
const DEEPEST = 8;

async function walk(
  folder: string,
  relative: string,
  archived: boolean,
  context: ListContext,
  found: Rollout[],
  depth: number,
): Promise<void> {
  if (depth > DEEPEST) return;
  context.signal?.throwIfAborted();
  const path = pathOf(context.environment);
  const entries = await unlessUnreadable(context, () => context.source.readDir(folder));
  for (const { name, kind } of entries ?? []) {
    const full = path.join(folder, name);
    const below = `${relative}/${name}`;
    if (parseRolloutName(name))
      await unlessUnreadable(context, () => enter(full, below, archived, context, found, false));
    else if (kind === "directory") await walk(full, below, archived, context, found, depth + 1);
  }
}

async function enter(
  path: string,
  relative: string,
  archived: boolean,
  context: ListContext,
  found: Rollout[],
  any: boolean,
): Promise<void> {
  const base = relative.slice(relative.lastIndexOf("/") + 1);
  const name = parseRolloutName(base) ?? (any ? { compressed: base.endsWith(".zst") } : undefined);
  if (!name) return;
  const info = await context.source.stat(path);
  // Zero bytes are no session, whatever the name says; unless someone points at them.
  if (info?.kind === "file" && info.size === 0 && !any) return;
  const file = await openRollout(context.source, { path, name });
  let header: Header | undefined;
  try {
    header = readHeader([file], 0);
  } finally {
    file.close();
  }
  const { size = 0, mtimeMs = 0 } = info ?? {};
  const id = header?.id ?? name.id ?? base.replace(/\.jsonl(\.zst)?$/, "");
  found.push({ path, relative, name, archived, size, mtimeMs, id, header });
}

export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** Rollouts as sessions. */
export function threadsOf(rollouts: readonly Rollout[]): Thread[] {
  const byId = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    const known = byId.get(rollout.id);
    if (known) known.push(rollout);
    else byId.set(rollout.id, [rollout]);
  }
  const threads: Thread[] = [];
  for (const [id, group] of byId) {
    group.sort(newestFirst);
    const [head] = group;
    if (!head) continue;
    const ancestors = ancestorsOf(head, byId);
    const others = group.filter((rollout) => rollout !== head && !ancestors.includes(rollout));
    threads.push({ id, head, ancestors, others });
  }
  return threads;
}

/** Segments come after what they go on from; of plain copies the newer one is used, and one that is not archived. */
function newestFirst(a: Rollout, b: Rollout): number {
  if (a.archived !== b.archived) return a.archived ? 1 : -1;
  const segment = (b.name.segment ?? "").localeCompare(a.name.segment ?? "");
  if (segment !== 0) return segment;
  return (
    (b.name.time ?? "").localeCompare(a.name.time ?? "") ||
    b.mtimeMs - a.mtimeMs ||
    (a.path < b.path ? 1 : -1)
  );
}

function ancestorsOf(head: Rollout, byId: ReadonlyMap<string, Rollout[]>): Rollout[] {
  const chain: Rollout[] = [];
  for (let at = head; at.header?.base; ) {
    const { thread, endOrdinal } = at.header.base;
    const candidates = (byId.get(thread) ?? []).filter(
      (rollout) =>
        rollout !== at &&
        rollout !== head &&
        !chain.includes(rollout) &&
        (rollout.header?.ordinal ?? 0) < endOrdinal,
    );
    // Which of several segments it is, is decided by the bytes when the session is read: all of them go along.
    if (candidates.length === 0) break;
    chain.push(...candidates);
    const next = candidates.reduce((best, each) =>
      (each.header?.ordinal ?? 0) > (best.header?.ordinal ?? 0) ? each : best,
    );
    const older = candidates.find((each) => each.header?.base && each !== next);
    at = next.header?.base ? next : (older ?? next);
  }
  return chain;
}

export function evidenceOf({ head, ancestors, others }: Thread): EvidenceFile[] {
  const file = (rollout: Rollout, role: EvidenceFile["role"]): EvidenceFile => ({
    path: rollout.path,
    relative: rollout.relative,
    role,
    ...(rollout.name.compressed && { encoding: "zstd" }),
  });
  return [
    file(head, "transcript"),
    // An earlier segment of the same thread is the session's own.
    ...ancestors.map((rollout) => file(rollout, rollout.id === head.id ? "companion" : "ancestor")),
    ...others.map((rollout) => file(rollout, "companion")),
  ];
}
