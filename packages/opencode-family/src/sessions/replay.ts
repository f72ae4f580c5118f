/**
 * A session's own rows in another store of the same program. Under its own id every row stays as it is. Under a new
 * one the ids change in all rows that hold them, and (if asked for) the working directory. A session of the old JSON
 * tree, or of an export, gets the rows that the program would make of it: so it is found again.
 */
import {
  pathOf,
  RefusedError,
  type RowChange,
  type RowsAction,
  type SessionPlan,
  type SessionRef,
  type Source,
  type SqlValue,
  type Target,
} from "@asp-convert/core";
import { base62, madeId } from "../ids.js";
import { type Fields, fields, list, msOf, name, number, parsed, string } from "../json.js";
import type { Program } from "../program.js";
import { type Row, rowOf, sqlRow } from "../rows/line.js";
import { recordsOf } from "../rows/records.js";
import { creation, fitting } from "../target/database.js";
import { exportForm } from "./info.js";
import { type Place, placeOf } from "./place.js";
import { DRIFTS } from "./write.js";

/** Ids of the source → ids of the copy; the same where nothing is to change. */
type Renaming = (id: string) => string;

interface Copy {
  seed: string;
  /** A new working directory. */
  cwd?: string;
  /** By the session's id in the source. */
  sessions: ReadonlyMap<string, string>;
}

export async function replaySession(
  program: Program,
  ref: SessionRef,
  files: Source,
  target: Target,
): Promise<SessionPlan> {
  const verbatim = target.copy === 0 && (target.cwd === undefined || sameForAll(ref, target.cwd));
  const copy = verbatim ? undefined : copyOf(program, ref, target);
  return plan(program, ref, files, target, copy);
}

function sameForAll(ref: SessionRef, cwd: string): boolean {
  return ref.cwd === cwd && ref.children.every((child) => sameForAll(child, cwd));
}

function copyOf(program: Program, ref: SessionRef, target: Target): Copy {
  const seed = `${program.id} copy ${target.copy} ${target.cwd ?? ""}`;
  const sessions = new Map<string, string>();
  const add = (each: SessionRef): void => {
    sessions.set(each.id, madeId("ses", msOf(each.createdAt) ?? 0, 0, `${seed} ${each.id}`));
    each.children.forEach(add);
  };
  add(ref);
  return { seed, sessions, ...(target.cwd !== undefined && { cwd: target.cwd }) };
}

async function plan(
  program: Program,
  ref: SessionRef,
  files: Source,
  target: Target,
  copy: Copy | undefined,
): Promise<SessionPlan> {
  const cwd = copy?.cwd ?? ref.cwd;
  if (cwd === undefined)
    throw new RefusedError(`session ${ref.id} names no working directory; say which: --cwd DIR`);
  const place = await placeOf(program, target, cwd);
  const action: RowsAction = {
    do: "rows",
    path: place.database,
    create: creation(),
    drifts: DRIFTS,
    rows: () => rows(ref, files, place, copy, pathOf(target.environment).parse(cwd).root),
  };
  const children: SessionPlan[] = [];
  for (const child of ref.children) children.push(await plan(program, child, files, target, copy));
  return { id: copy?.sessions.get(ref.id) ?? ref.id, cwd, actions: [action], children };
}

async function* rows(
  ref: SessionRef,
  files: Source,
  place: Place,
  copy: Copy | undefined,
  top: string,
): AsyncGenerator<RowChange> {
  let position = 0;
  for await (const row of nativeRows(ref, files)) {
    const changed = copy ? renamed(row, copy, place) : row;
    if (row.table === "session") {
      const project = string(changed.columns.project_id) ?? "global";
      yield shared(
        project,
        project === place.project.id ? place.project.worktree : project === "global" ? top : place.cwd,
        place,
        changed,
      );
    }
    const columns = place.columns(row.table);
    if (columns.size === 0) continue;
    const values: Record<string, SqlValue> = sqlRow(changed);
    if (row.table === "todo" && values.position === undefined) values.position = position++;
    yield { table: row.table, row: fitting(values, columns) };
  }
}

function shared(id: string, worktree: string, place: Place, { columns }: Row): RowChange {
  const time = number(columns.time_created) ?? 0;
  const row = {
    id,
    worktree,
    ...(id !== "global" && { vcs: "git" }),
    time_created: time,
    time_updated: time,
    sandboxes: "[]",
  };
  return { table: "project", row: fitting(row, place.columns("project")), shared: true };
}

/** Rows as they stand in a database, whatever form the session has. */
async function* nativeRows(ref: SessionRef, source: Source): AsyncGenerator<Row> {
  const [first] = ref.files;
  const isRows = ref.files.length === 1 && first?.path.endsWith(".jsonl");
  const file = isRows && first ? await source.open(first.path) : undefined;
  let message: { id: string; time: number } | undefined;
  try {
    for await (const { origin, row } of recordsOf(ref, { source })) {
      if (!row)
        throw new RefusedError(
          `session ${ref.id}: byte ${origin.offset} of ${first?.path} is no row; convert it through events instead`,
        );
      if (file) {
        // Parsed once more: the very text of `data` is what is kept.
        const exact = rowOf(Buffer.from(file.read(origin.offset, origin.length)));
        if (exact) yield exact;
        continue;
      }
      if (row.table === "message")
        message = { id: string(row.columns.id) ?? "", time: number(row.columns.time_created) ?? 0 };
      yield* asRows(ref, row, message);
    }
  } finally {
    file?.close();
  }
}

/** A record of the tree or of an export as the program's own import makes rows of it. */
function* asRows(
  ref: SessionRef,
  row: Row,
  message: { id: string; time: number } | undefined,
): Generator<Row> {
  const { table, data = {}, columns } = row;
  if (table === "session") {
    yield { table, columns: sessionColumns(exportForm(row)) };
    return;
  }
  if (table === "todo") {
    const time = msOf(ref.updatedAt) ?? 0;
    for (const [position, todo] of list(data.todos).map(fields).entries()) {
      if (!todo) continue;
      const { content = "", status = "pending", priority = "medium" } = todo;
      yield {
        table,
        columns: {
          session_id: ref.id,
          content,
          status,
          priority,
          position,
          time_created: time,
          time_updated: time,
        },
      };
    }
    return;
  }
  const { id, sessionID: _, messageID, ...rest } = data;
  const time = number(columns.time_created) ?? message?.time ?? 0;
  const times = { time_created: time, time_updated: time };
  const text = JSON.stringify(rest);
  if (table === "message")
    yield { table, columns: { id: string(id) ?? "", session_id: ref.id, ...times }, text };
  else {
    const owner = string(messageID) ?? message?.id ?? "";
    yield { table, columns: { id: string(id) ?? "", message_id: owner, session_id: ref.id, ...times }, text };
  }
}

function sessionColumns(info: Fields): Record<string, unknown> {
  const time = fields(info.time);
  const tokens = fields(info.tokens);
  const cache = fields(tokens?.cache);
  const summary = fields(info.summary);
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  const all: Record<string, unknown> = {
    id: info.id,
    project_id: info.projectID ?? "global",
    parent_id: info.parentID,
    slug: info.slug ?? "",
    directory: info.directory,
    path: info.path,
    title: info.title ?? "",
    version: info.version ?? "",
    summary_additions: summary?.additions,
    summary_deletions: summary?.deletions,
    summary_files: summary?.files,
    summary_diffs: json(summary?.diffs),
    metadata: json(info.metadata),
    cost: info.cost,
    tokens_input: tokens?.input,
    tokens_output: tokens?.output,
    tokens_reasoning: tokens?.reasoning,
    tokens_cache_read: cache?.read,
    tokens_cache_write: cache?.write,
    revert: json(info.revert),
    permission: json(info.permission),
    agent: info.agent,
    model: json(info.model),
    time_created: number(time?.created) ?? 0,
    time_updated: number(time?.updated) ?? number(time?.created) ?? 0,
    time_compacting: time?.compacting,
    time_archived: time?.archived,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

// --- copies ----------------------------------------------------------------------------------------------------

function renamed(row: Row, copy: Copy, place: Place): Row {
  const rename: Renaming = (id) => newId(id, copy);
  const columns: Record<string, unknown> = { ...row.columns };
  for (const key of ["session_id", "parent_id"])
    if (name(columns[key])) columns[key] = copy.sessions.get(columns[key] as string) ?? columns[key];
  if (row.table === "session") {
    columns.id = copy.sessions.get(String(columns.id)) ?? columns.id;
    const revert = fields(parsed(columns.revert));
    if (revert) columns.revert = JSON.stringify(withIds(revert, rename));
    if (copy.cwd !== undefined) {
      columns.directory = copy.cwd;
      columns.project_id = place.project.id;
      if (place.project.path === undefined) delete columns.path;
      else columns.path = place.project.path;
    }
    return { ...row, columns };
  }
  for (const key of ["id", "message_id"])
    if (name(columns[key])) columns[key] = rename(columns[key] as string);
  const data = fields(parsed(row.text));
  if (!data) return { ...row, columns };
  const changed = withIds(data, rename, copy, place);
  const text = JSON.stringify(changed);
  return { ...row, columns, text: text === JSON.stringify(data) ? (row.text as string) : text };
}

/** Ids and folders where the program keeps them as such; texts stay as they are. */
function withIds(data: Fields, rename: Renaming, copy?: Copy, place?: Place): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...data };
  for (const key of ["parentID", "messageID", "partID", "tail_start_id"])
    if (name(changed[key])) changed[key] = rename(changed[key] as string);
  const path = fields(changed.path);
  if (path && copy?.cwd !== undefined && place)
    changed.path = { ...path, cwd: copy.cwd, root: place.project.worktree };
  const state = fields(changed.state);
  if (!state) return changed;
  const metadata = fields(state.metadata);
  const linked: Record<string, unknown> = { ...metadata };
  for (const key of ["sessionId", "parentSessionId"]) {
    const known = copy?.sessions.get(String(linked[key]));
    if (known !== undefined) linked[key] = known;
  }
  const attachments = Array.isArray(state.attachments)
    ? state.attachments.map((file) => {
        const one = fields(file) ?? {};
        const session = copy?.sessions.get(String(one.sessionID));
        return {
          ...one,
          ...(name(one.id) && { id: rename(one.id as string) }),
          ...(name(one.messageID) && { messageID: rename(one.messageID as string) }),
          ...(session !== undefined && { sessionID: session }),
        };
      })
    : undefined;
  changed.state = { ...state, ...(metadata && { metadata: linked }), ...(attachments && { attachments }) };
  return changed;
}

/** The time in an id stays: parts are ordered by their ids alone. */
function newId(id: string, { seed }: Copy): string {
  const made = /^([a-z]+_[0-9a-f]{12})[0-9A-Za-z]{14}$/.exec(id);
  const fresh = base62(`${seed} ${id}`);
  return made ? `${made[1]}${fresh}` : `${id}${fresh.slice(0, 8)}`;
}
