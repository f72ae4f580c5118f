/**
 * A session's own bytes in another store of Kimi Code. As a copy only `state.json` changes, which says which session it
 * is; for another working directory that too, and the records of a journal that name the project's folder: the program
 * resumes no session in which these are not the same.
 */
import {
  below,
  blocksOf,
  type Line,
  lineBatches,
  pathOf,
  piecesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { type Fields, fields, parsed } from "@asp-convert/core/values";
import { AGENTS, projectKey, SESSIONS, STATE_FILE, sessionFolder } from "../layout.js";

interface Move {
  id: string;
  cwd: string | undefined;
  /** Absolute. */
  folder: string;
  environment: Target["environment"];
}

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const { environment, root } = target;
  const cwd = target.cwd ?? ref.cwd;
  const isMoved = target.copy > 0 || (target.cwd !== undefined && target.cwd !== ref.cwd);
  const id = isMoved
    ? `session_${uuidFrom(`kimi copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`)}`
    : ref.id;
  const relative = sessionFolder(cwd ?? "", id);
  const move = isMoved
    ? { id, cwd: target.cwd, folder: below(root, relative, environment), environment }
    : undefined;
  const bound = target.cwd === undefined ? undefined : projectKey(target.cwd);
  const plan = async (session: SessionRef): Promise<SessionPlan> => {
    const actions: SessionPlan["actions"][number][] = [];
    for (const file of session.files) {
      const inside = file.relative.split("/").slice(3).join("/");
      const isPlaced = !move && file.relative.startsWith(`${SESSIONS}/`);
      const path = below(root, isPlaced ? file.relative : `${relative}/${inside}`, environment);
      const isState = inside === STATE_FILE;
      const key = isState || file.role !== "transcript" ? undefined : bound;
      actions.push(
        isState && move
          ? await stateFile(file.path, path, files, move)
          : await copy(file.path, path, files, key),
      );
    }
    const children: SessionPlan[] = [];
    for (const child of session.children) children.push(await plan(child));
    const own = session === ref ? id : `${id}.${session.id.slice(ref.id.length + 1)}`;
    return { id: own, ...(cwd !== undefined && { cwd }), actions, children };
  };
  return plan(ref);
}

async function stateFile(
  from: string,
  path: string,
  files: Source,
  move: Move,
): Promise<SessionPlan["actions"][number]> {
  const text = Buffer.from((await files.readFile(from)) ?? []).toString("utf8");
  const value = fields(parsed(text));
  return { do: "create", path, content: value ? JSON.stringify(moved(value, move)) : text };
}

/** @param key of the folder that a journal is to name. */
async function copy(
  from: string,
  path: string,
  files: Source,
  key: string | undefined,
): Promise<SessionPlan["actions"][number]> {
  const info = await files.stat(from);
  return { do: "create", path, content: () => bytes(from, files, key), mtimeMs: () => info?.mtimeMs };
}

async function* bytes(path: string, files: Source, key: string | undefined): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    let end = 0;
    for (const batch of key === undefined ? [] : lineBatches(file)) {
      const parts: Uint8Array[] = [];
      for (const line of batch)
        for (const { offset, length, text } of bindings(line, key ?? "")) {
          parts.push(file.read(end, offset - end), Buffer.from(text));
          end = offset + length;
        }
      yield Buffer.concat(parts);
    }
    yield* blocksOf(file, end);
  } finally {
    file.close();
  }
}

const BINDING = Buffer.from('"runtime.set_binding"');

function bindings(line: Line, key: string): { offset: number; length: number; text: string }[] {
  if (!line.bytes?.includes(BINDING)) return [];
  return piecesOf(line).flatMap((piece) => {
    const record = piece.ok ? fields(piece.value) : undefined;
    if (record?.type !== "runtime.set_binding" || record.workspaceId === key) return [];
    return [
      { offset: piece.offset, length: piece.length, text: JSON.stringify({ ...record, workspaceId: key }) },
    ];
  });
}

function moved(state: Fields, { id, cwd, folder, environment }: Move): object {
  const paths = pathOf(environment);
  const agents = Object.entries(fields(state.agents) ?? {}).map(([agent, value]) => {
    const known = fields(value);
    return [agent, known ? { ...known, homedir: paths.join(folder, AGENTS, agent) } : value] as const;
  });
  return {
    ...state,
    id,
    ...(cwd !== undefined && { cwd }),
    ...("agents" in state && { agents: Object.fromEntries(agents) }),
  };
}
