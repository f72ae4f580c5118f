/**
 * A session's own bytes in another store of Factory Droid. Under its own id every byte stays; as a copy, or for another
 * working directory, only what the head says of id and folder changes.
 */
import {
  below,
  blocksOf,
  lineBatches,
  pathOf,
  piecesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { SESSIONS, slugFor, stateFolder } from "../layout.js";

interface Changes {
  id: string;
  cwd: string | undefined;
}

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const { environment, root, source } = target;
  const path = pathOf(environment);
  const cwd = target.cwd ?? ref.cwd;
  const isMoved = target.copy > 0 || (target.cwd !== undefined && target.cwd !== ref.cwd);
  const id = isMoved ? uuidFrom(`droid copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`) : ref.id;
  const state = await stateFolder(root, source, environment);
  const actions: SessionPlan["actions"][number][] = [];
  for (const { path: from, role } of ref.files) {
    const end = path.basename(from).slice(ref.id.length);
    const folder = isMoved ? slugFor(cwd ?? "") : path.basename(path.dirname(from));
    const to = below(state, `${SESSIONS}/${folder}/${id}${end}`, environment);
    const changes = isMoved && role === "transcript" ? { id, cwd: target.cwd } : undefined;
    const info = await files.stat(from);
    actions.push({
      do: "create",
      path: to,
      content: () => bytes(from, files, changes),
      mtimeMs: () => info?.mtimeMs,
    });
  }
  return { id, ...(cwd !== undefined && { cwd }), actions, children: [] };
}

async function* bytes(path: string, files: Source, changes: Changes | undefined): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    let end = 0;
    if (changes)
      for (const batch of lineBatches(file)) {
        const head = batch
          .flatMap((line) => piecesOf(line))
          .find((piece) => piece.ok && fields(piece.value)?.type === "session_start");
        if (!head?.ok) continue;
        const { id, cwd } = changes;
        const changed = { ...fields(head.value), id, ...(cwd !== undefined && { cwd }) };
        yield Buffer.concat([file.read(0, head.offset), Buffer.from(JSON.stringify(changed))]);
        end = head.offset + head.length;
        break;
      }
    yield* blocksOf(file, end);
  } finally {
    file.close();
  }
}
