/**
 * A session's own bytes in another store of Copilot CLI. Under its own id every byte stays; as a copy, or for another
 * folder, its first event and the file beside the events say so, and nothing else changes.
 */
import {
  type Action,
  below,
  blocksOf,
  lineBatches,
  type OpenFile,
  piecesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { EVENTS, SESSIONS, sessionFolder, WORKSPACE } from "../layout.js";
import { movedWorkspace, workspaceText } from "./workspace.js";

interface Changes {
  id: string;
  cwd: string | undefined;
}

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const isMoved = target.copy > 0 || (target.cwd !== undefined && target.cwd !== ref.cwd);
  const id = isMoved ? uuidFrom(`copilot copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`) : ref.id;
  const changes = isMoved ? { id, cwd: target.cwd } : undefined;
  const cwd = target.cwd ?? ref.cwd;
  const actions: Action[] = [];
  for (const { path, relative, role } of ref.files) {
    const to = below(target.root, placeOf(relative, id), target.environment);
    const info = await files.stat(path);
    if (changes && relative.endsWith(`/${WORKSPACE}`)) {
      const text = Buffer.from((await files.readFile(path)) ?? []).toString("utf8");
      actions.push({ do: "create", path: to, content: movedWorkspace(text, id, target.cwd) });
    } else {
      const own = role === "transcript" ? changes : undefined;
      actions.push({
        do: "create",
        path: to,
        content: () => bytes(path, files, own),
        mtimeMs: () => info?.mtimeMs,
      });
    }
  }
  // The list names the folder that stands there.
  if (changes?.cwd !== undefined && !ref.files.some(({ relative }) => relative.endsWith(`/${WORKSPACE}`)))
    actions.push(workspaceFor(ref, { ...changes, cwd: changes.cwd }, target));
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions,
    children: ref.children.map((child) => agentIn(child, ref.id, id)),
  };
}

/** A subagent's lines stand among those of its session. */
function agentIn({ id, children }: SessionRef, from: string, to: string): SessionPlan {
  const own = id.startsWith(`${from}.`) ? `${to}${id.slice(from.length)}` : id;
  return { id: own, actions: [], children: children.map((child) => agentIn(child, from, to)) };
}

/** Where a file of a session goes. */
function placeOf(relative: string, id: string): string {
  const [top, , ...rest] = relative.split("/");
  return `${sessionFolder(id)}/${top === SESSIONS && rest.length > 0 ? rest.join("/") : EVENTS}`;
}

function workspaceFor(ref: SessionRef, { id, cwd }: { id: string; cwd: string }, target: Target): Action {
  const created = ref.createdAt ?? "1970-01-01T00:00:00.000Z";
  const content = workspaceText({
    id,
    cwd,
    ...(ref.title !== undefined && { name: ref.title }),
    isNamed: ref.titleFrom === "user",
    created,
    updated: ref.updatedAt ?? created,
  });
  const path = below(target.root, `${sessionFolder(id)}/${WORKSPACE}`, target.environment);
  return { do: "create", path, content };
}

async function* bytes(path: string, files: Source, changes: Changes | undefined): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    const { head, end } = changes ? changedHead(file, changes) : { head: undefined, end: 0 };
    if (head) yield head;
    yield* blocksOf(file, end);
  } finally {
    file.close();
  }
}

/** What the file begins with instead of its bytes up to `end`: nothing, if it does not begin as it should. */
function changedHead(file: OpenFile, { id, cwd }: Changes): { head: Buffer | undefined; end: number } {
  for (const batch of lineBatches(file))
    for (const piece of batch.flatMap((line) => piecesOf(line))) {
      const record = piece.ok ? fields(piece.value) : undefined;
      if (record?.type !== "session.start") continue;
      const data = fields(record.data) ?? {};
      const context = cwd === undefined ? {} : { context: { ...movedContext(fields(data.context)), cwd } };
      const changed = { ...record, data: { ...data, sessionId: id, ...context } };
      const { offset, length } = piece;
      const head = Buffer.concat([file.read(0, offset), Buffer.from(JSON.stringify(changed))]);
      return { head, end: offset + length };
    }
  return { head: undefined, end: 0 };
}

/** Another folder is not in the repository that the old one was the root of. */
function movedContext(context: Readonly<Record<string, unknown>> = {}): object {
  const { gitRoot: _, ...rest } = context;
  return rest;
}
