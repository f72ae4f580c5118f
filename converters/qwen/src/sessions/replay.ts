/**
 * A session's own bytes in another store of Qwen Code. Under its own id every byte stays; as a copy, or for another
 * working directory, only the id and the folder change that each record names.
 */
import {
  below,
  blocksOf,
  type Line,
  lineBatches,
  piecesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { fields, parsed } from "@asp-convert/core/values";
import { metaOf, PROJECTS, sessionPath, subagentPath } from "../layout.js";

interface Changes {
  id: string;
  cwd: string | undefined;
}

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const { environment, root } = target;
  const cwd = target.cwd ?? ref.cwd;
  const isMoved = target.copy > 0 || (target.cwd !== undefined && target.cwd !== ref.cwd);
  const seed = `qwen copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`;
  const id = isMoved ? uuidFrom(seed) : ref.id;
  const changes = isMoved ? { id, cwd: target.cwd } : undefined;
  const place = (relative: string, moved: string) =>
    below(root, isMoved || !relative.startsWith(`${PROJECTS}/`) ? moved : relative, environment);
  const actions: SessionPlan["actions"][number][] = [];
  for (const file of ref.files)
    actions.push(
      await copy(
        file.path,
        place(file.relative, sessionPath(cwd ?? "", id, environment).replace(/\.jsonl$/, endOf(file.path))),
        files,
        file.role === "transcript" ? changes : undefined,
      ),
    );
  const children: SessionPlan[] = [];
  for (const child of ref.children) {
    const agent = child.id.slice(ref.id.length + 1);
    const moved = subagentPath(cwd ?? "", id, agent, environment);
    const own: SessionPlan["actions"][number][] = [];
    for (const { path, relative, role } of child.files) {
      const to = place(relative, role === "transcript" ? moved : metaOf(moved));
      own.push(
        role === "transcript" || !changes
          ? await copy(path, to, files, changes)
          : await meta(path, to, files, id),
      );
    }
    children.push({ id: `${id}.${agent}`, ...(cwd !== undefined && { cwd }), actions: own, children: [] });
  }
  return { id, ...(cwd !== undefined && { cwd }), actions, children };
}

function endOf(path: string): string {
  return /\.(?:jsonl|worktree\.json|pr\.json|ledger\.jsonl)$/.exec(path)?.[0] ?? ".jsonl";
}

async function copy(
  from: string,
  path: string,
  files: Source,
  changes: Changes | undefined,
): Promise<SessionPlan["actions"][number]> {
  const info = await files.stat(from);
  return { do: "create", path, content: () => bytes(from, files, changes), mtimeMs: () => info?.mtimeMs };
}

/** Whose a subagent's session is. */
async function meta(
  from: string,
  path: string,
  files: Source,
  id: string,
): Promise<SessionPlan["actions"][number]> {
  const text = Buffer.from((await files.readFile(from)) ?? []).toString("utf8");
  const value = fields(parsed(text));
  const content = value ? `${JSON.stringify({ ...value, parentSessionId: id }, undefined, 2)}\n` : text;
  return { do: "create", path, content };
}

async function* bytes(path: string, files: Source, changes: Changes | undefined): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    if (!changes) {
      yield* blocksOf(file, 0);
      return;
    }
    let end = 0;
    for (const batch of lineBatches(file)) {
      const parts: Uint8Array[] = [];
      for (const line of batch) {
        for (const { offset, length, text } of changesOf(line, changes)) {
          parts.push(file.read(end, offset - end), Buffer.from(text));
          end = offset + length;
        }
      }
      yield Buffer.concat(parts);
    }
    yield* blocksOf(file, end);
  } finally {
    file.close();
  }
}

function changesOf(line: Line, { id, cwd }: Changes): { offset: number; length: number; text: string }[] {
  return piecesOf(line).flatMap((piece) => {
    const record = piece.ok ? fields(piece.value) : undefined;
    if (!record || !("sessionId" in record)) return [];
    const changed = { ...record, sessionId: id, ...(cwd !== undefined && "cwd" in record && { cwd }) };
    return [{ offset: piece.offset, length: piece.length, text: JSON.stringify(changed) }];
  });
}
