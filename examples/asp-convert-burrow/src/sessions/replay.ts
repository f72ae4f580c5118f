/** The same rows in another of Burrow's databases; as a copy, under another id or in another folder. */
import {
  lineBatches,
  piecesOf,
  type RowChange,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { databaseIn } from "../layout.js";
import { isRow, rowOf, TABLES } from "../rows.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const isCopy = target.copy > 0 || target.cwd !== undefined;
  const id = isCopy ? uuidFrom(`burrow copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`) : ref.id;
  const cwd = target.cwd ?? ref.cwd;
  const rows = () => changed(ref, files, id, cwd);
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [{ do: "rows", path: databaseIn(target.root), create: TABLES, rows }],
    children: [],
  };
}

async function* changed(
  { path }: SessionRef,
  files: Source,
  id: string,
  cwd: string | undefined,
): AsyncGenerator<RowChange> {
  const file = await files.open(path);
  try {
    for (const batch of lineBatches(file))
      for (const line of batch)
        for (const piece of piecesOf(line, isRow)) {
          const found = piece.ok ? rowOf(piece.value) : undefined;
          if (!found) continue;
          const { table, row } = found;
          const own = table === "session" ? { id, ...(cwd !== undefined && { cwd }) } : { session_id: id };
          yield { table, row: { ...row, ...own } };
        }
  } finally {
    file.close();
  }
}
