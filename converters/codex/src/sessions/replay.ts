/**
 * A session's own bytes in another store of Codex. Under its own id every byte stays. Under a new one only the id and
 * (if asked for) the working directory change, in the records that hold them as structure; a fork that names bytes
 * of its parent then gets these bytes into its own file, since those of the parent would no longer be where it says.
 */
import {
  type Action,
  below,
  blocksOf,
  bytesOf,
  type OpenFile,
  openZstd,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, parsed } from "@asp-convert/core/values";
import { ARCHIVED, parseRolloutName, renamedRollout, rolloutPath, SESSIONS } from "../layout.js";
import { glance } from "./glance.js";
import { linesOf } from "./places.js";
import { courseOf } from "./stretches.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const verbatim = target.copy === 0 && (target.cwd === undefined || sameForAll(ref, target.cwd));
  return verbatim ? verbatimPlan(ref, files, target) : copyPlan(ref, files, target, new Map());
}

function sameForAll(ref: SessionRef, cwd: string): boolean {
  return ref.cwd === cwd && ref.children.every((child) => sameForAll(child, cwd));
}

export async function verbatimPlan(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const actions: Action[] = [];
  for (const file of ref.files) {
    const info = await files.stat(file.path);
    if (!info) continue;
    const path = below(target.root, inFolder(file.relative, ref), target.environment);
    // The parent of a fork may have grown where it goes to: what the fork needs of it is still there.
    if (file.role === "ancestor" && !(await mayCreate(file.path, path, files, target.source))) continue;
    actions.push({
      do: "create",
      path,
      content: () => bytesOf(file.path, files),
      mtimeMs: () => info.mtimeMs,
    });
  }
  const children: SessionPlan[] = [];
  for (const child of ref.children) children.push(await verbatimPlan(child, files, target));
  return { id: ref.id, ...(ref.cwd !== undefined && { cwd: ref.cwd }), actions, children };
}

/** False: the target holds all bytes of this file already, and more after them. */
async function mayCreate(from: string, to: string, files: Source, there: Source): Promise<boolean> {
  const known = await there.stat(to);
  const info = await files.stat(from);
  if (!known || !info || known.kind !== "file" || known.size <= info.size) return true;
  const a = await files.open(from);
  const b = await there.open(to);
  try {
    let at = 0;
    for (const bytes of blocksOf(a)) {
      if (!Buffer.from(b.read(at, bytes.length)).equals(bytes)) return true;
      at += bytes.length;
    }
    return false;
  } finally {
    a.close();
    b.close();
  }
}

async function copyPlan(
  ref: SessionRef,
  files: Source,
  target: Target,
  ids: Map<string, string>,
): Promise<SessionPlan> {
  const id = timedUuidFrom(timeOf(ref), `codex copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`);
  ids.set(ref.id, id);
  const [transcript] = ref.files;
  const actions: Action[] = [];
  if (transcript) {
    const info = await files.stat(transcript.path);
    const relative = transcript.relative.replace(/\.zst$/, "").replace(/_[0-9a-fA-F-]{36}(?=\.jsonl$)/, "");
    actions.push({
      do: "create",
      path: below(target.root, renamedRollout(inFolder(relative, ref), ref.id, id), target.environment),
      content: () => copied(ref, files, ids, target.cwd),
      mtimeMs: () => info?.mtimeMs,
    });
  }
  const children: SessionPlan[] = [];
  for (const child of ref.children) children.push(await copyPlan(child, files, target, ids));
  const cwd = target.cwd ?? ref.cwd;
  return { id, ...(cwd !== undefined && { cwd }), actions, children };
}

/** A file that was pointed at by itself has no folder, and may have any name: Codex looks for its own below `sessions`. */
export function inFolder(relative: string, ref: SessionRef): string {
  if (relative.startsWith(`${SESSIONS}/`) || relative.startsWith(`${ARCHIVED}/`)) return relative;
  const name = relative.slice(relative.lastIndexOf("/") + 1);
  const day = parseRolloutName(name)?.time?.slice(0, 10).replaceAll("-", "/");
  if (day !== undefined) return `${SESSIONS}/${day}/${name}`;
  return rolloutPath(new Date(timeOf(ref)), ref.id) + (name.endsWith(".zst") ? ".zst" : "");
}

export function timeOf(ref: SessionRef): number {
  return Date.parse(isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? "1970-01-01T00:00:00Z");
}

/** The session's lines as one self-contained file. */
async function* copied(
  ref: SessionRef,
  files: Source,
  ids: ReadonlyMap<string, string>,
  cwd: string | undefined,
): AsyncGenerator<Uint8Array> {
  const open: OpenFile[] = [];
  try {
    for (const { path, encoding } of ref.files) {
      const file = await files.open(path);
      open.push(encoding === "zstd" ? await openZstd(file) : file);
    }
    const { main, headers } = courseOf(ref.files, open);
    const [header] = headers;
    if (header) {
      const { offset, length } = header.place;
      yield edited(Buffer.from((open[0] as OpenFile).read(offset, length)), ref, ids, cwd, main.length > 1);
      yield NEWLINE;
    }
    for (const stretch of main) {
      for (const batch of linesOf(open, stretch)) {
        for (const { bytes, offset, length, ended } of batch) {
          if (stretch.file === 0 && offset === header?.place.offset) continue;
          const line = bytes ?? Buffer.from((open[stretch.file] as OpenFile).read(offset, length));
          yield edited(line, ref, ids, cwd, false);
          if (ended || stretch.file !== 0) yield NEWLINE;
        }
      }
    }
  } finally {
    for (const file of open) file.close();
  }
}

const NEWLINE = Buffer.from("\n");

/** Records that hold ids or folders as structure; all others go as they are. */
function edited(
  line: Buffer,
  ref: SessionRef,
  ids: ReadonlyMap<string, string>,
  cwd: string | undefined,
  joined: boolean,
): Uint8Array {
  const seen = glance(line);
  if (seen?.type === "session_meta" || seen?.type === "header")
    return editedMeta(line, ref, ids, cwd, joined);
  const place = seen?.type === "turn_context" || seen?.sub === "thread_settings_applied";
  if (!place || cwd === undefined || ref.cwd === undefined) return line;
  const from = `"cwd":${JSON.stringify(ref.cwd)}`;
  return Buffer.from(line.toString("utf8").replaceAll(from, `"cwd":${JSON.stringify(cwd)}`));
}

function editedMeta(
  line: Buffer,
  ref: SessionRef,
  ids: ReadonlyMap<string, string>,
  cwd: string | undefined,
  joined: boolean,
): Uint8Array {
  const record = fields(parsed(line.toString("utf8")));
  const meta: Fields | undefined = fields(record?.payload) ?? record;
  if (!record || !meta) return line;
  // A second session_meta is of the session this one came from: that one keeps its id.
  const own = String(meta.id).toLowerCase() === ref.id;
  const renamed = own ? (renameIn(meta, ids) as Record<string, unknown>) : { ...meta };
  if (joined && own) delete renamed.history_base;
  if (cwd !== undefined && typeof renamed.cwd === "string" && renamed.cwd === ref.cwd) {
    renamed.cwd = cwd;
    const roots = renamed.runtime_workspace_roots;
    if (Array.isArray(roots))
      renamed.runtime_workspace_roots = roots.map((root) => (root === ref.cwd ? cwd : root));
  }
  return Buffer.from(
    JSON.stringify(record.payload === undefined ? renamed : { ...record, payload: renamed }),
  );
}

/** Ids of the sessions that are copied together, wherever they stand as a value. */
function renameIn(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return ids.get(value.toLowerCase()) ?? value;
  if (Array.isArray(value)) return value.map((each) => renameIn(each, ids));
  const record = fields(value);
  return record
    ? Object.fromEntries(Object.entries(record).map(([key, each]) => [key, renameIn(each, ids)]))
    : value;
}
