/**
 * A session's own bytes in another store of Cline. Its messages stay what they are, every byte; a copy, or one for
 * another working directory, has another name, and a manifest that says so. Where the files lie is told by the manifest
 * of each store anew: the program opens an empty session for one that names a place where nothing is.
 */
import {
  type Action,
  blocksOf,
  type CreateAction,
  type OpenFile,
  pathOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
} from "@asp-convert/core";
import { type Fields, isoTime } from "@asp-convert/core/values";
import {
  childId,
  compactionFile,
  manifestFile,
  messagesFile,
  sessionIdFor,
  sessionsFolder,
  stemOf,
} from "../layout.js";
import { objectIn } from "./files.js";
import { type IndexRow, indexRows } from "./index-rows.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const path = pathOf(target.environment);
  const isMoved = target.copy > 0 || (target.cwd !== undefined && target.cwd !== ref.cwd);
  const seed = `cline copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`;
  const id = isMoved ? sessionIdFor(new Date(isoTime(ref.createdAt) ?? 0).toISOString(), seed) : ref.id;
  const cwd = target.cwd ?? ref.cwd;
  const folder = path.join(
    path.resolve(target.environment.cwd, sessionsFolder(target.root, target.environment)),
    id,
  );
  const at = (name: string) => path.join(folder, name);
  const messages = at(messagesFile(id));
  const move: Move = { files, folder, id, isMoved, target };
  const rows: IndexRow[] = [];
  const actions: Action[] = [await copied(ref, messages, move)];
  for (const { path: from, role } of ref.files) {
    if (role !== "companion") continue;
    if (from.endsWith(".compaction.json")) {
      actions.push({ do: "create", path: at(compactionFile(id)), content: () => bytes(from, files) });
      continue;
    }
    const manifest = await objectIn(from, { source: files });
    const changed: Fields = {
      ...manifest,
      ...(isMoved && { session_id: id }),
      ...(isMoved && cwd !== undefined && { cwd, workspace_root: cwd }),
      ...("messages_path" in manifest && { messages_path: messages }),
      ...("compaction_path" in manifest && { compaction_path: at(compactionFile(id)) }),
    };
    actions.push({
      do: "create",
      path: at(manifestFile(id)),
      content: isSame(changed, manifest) ? () => bytes(from, files) : `${JSON.stringify(changed, null, 2)}\n`,
      mode: 0o644,
    });
    rows.push({ manifest: () => changed, messages });
  }
  const children: SessionPlan[] = [];
  for (const child of ref.children) children.push(await planChild(child, move));
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [...actions, ...(rows.length > 0 ? await indexRows(rows, target) : [])],
    children,
  };
}

interface Move {
  files: Source;
  folder: string;
  id: string;
  isMoved: boolean;
  target: Target;
}

async function planChild(ref: SessionRef, move: Move): Promise<SessionPlan> {
  const path = pathOf(move.target.environment);
  const base = path.basename(ref.path);
  return {
    id: childId(move.id, stemOf(base) ?? ref.id),
    actions: [await copied(ref, path.join(move.folder, base), move)],
    children: [],
  };
}

/** Messages. In a copy the head names the new session. */
async function copied(ref: SessionRef, to: string, { files, id, isMoved }: Move): Promise<CreateAction> {
  const info = await files.stat(ref.path);
  const old = ref.parent?.relation === "subagent" ? ref.parent.id : ref.id;
  return {
    do: "create",
    path: to,
    content: () => bytes(ref.path, files, isMoved ? (text) => text.replaceAll(old, id) : undefined),
    mtimeMs: () => info?.mtimeMs,
  };
}

const HEAD = 64 * 1024;

async function* bytes(
  path: string,
  files: Source,
  change?: (head: string) => string,
): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    const end = change ? headEnd(file) : 0;
    if (change) yield Buffer.from(change(Buffer.from(file.read(0, end)).toString("latin1")), "latin1");
    yield* blocksOf(file, end);
  } finally {
    file.close();
  }
}

/** What stands before the messages: nothing, where the file is the list alone. */
function headEnd(file: OpenFile): number {
  const text = Buffer.from(file.read(0, HEAD)).toString("latin1");
  return Math.max(0, text.search(/"messages"\s*:/));
}

function isSame(a: Fields, b: Fields): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
