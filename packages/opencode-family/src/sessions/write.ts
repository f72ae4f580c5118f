/** Plans a session: its ids, its project, where its rows go: into a database, or into a file. The rows themselves are made when they are pulled. */
import {
  RefusedError,
  type RowsAction,
  type SessionInput,
  type SessionPlan,
  type Target,
} from "@asp-convert/core";
import { madeId } from "../ids.js";
import { msOf } from "../json.js";
import type { Program } from "../program.js";
import { creation } from "../target/database.js";
import { besides, exportFile } from "./file.js";
import { placeOf } from "./place.js";
import { Scribe } from "./scribe.js";

/** Columns that the program changes by itself: it takes a folder's sessions over into its project. */
export const DRIFTS: NonNullable<RowsAction["drifts"]> = {
  project: ["worktree", "vcs", "time_updated", "time_initialized", "sandboxes", "icon_url", "icon_color"],
  session: ["project_id", "workspace_id", "path"],
};

export async function planSession(
  program: Program,
  input: SessionInput,
  target: Target,
  parent?: { id: string },
): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd) {
    throw new RefusedError(
      `${program.name} continues a session in its working directory, and session ${ref.id} names none. Say which: --cwd DIR`,
    );
  }
  const place = await placeOf(program, target, cwd);
  const created = msOf(ref.createdAt) ?? msOf(ref.updatedAt) ?? 0;
  const seed = `${program.id} ${ref.harness} ${ref.id} ${target.copy}`;
  const id = madeId("ses", created, 0, seed);
  const children: SessionPlan[] = [];
  const childOf = new Map<string, string>();
  for (const child of input.children) {
    const plan = await planSession(program, child, target, { id });
    children.push(plan);
    const call = child.ref.parent?.toolCallId;
    if (call !== undefined) childOf.set(call, plan.id);
  }
  const alone = target.file !== undefined;
  const action: RowsAction = {
    do: "rows",
    path: place.database,
    create: creation(),
    drifts: DRIFTS,
    rows: () =>
      new Scribe({ program, input, place, id, seed, created, parent: parent?.id, childOf, alone }).rows(),
  };
  if (target.file === undefined) return { id, cwd, actions: [action], children };
  const path = parent ? besides(target.file, id) : target.file;
  return { id, cwd, actions: [exportFile(action, id, path)], children };
}
