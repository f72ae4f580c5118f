/** A session's own row. */
import type { SessionRef, SqlValue } from "@asp-convert/core";
import { defined, type Fields, fields, msOf, name } from "../json.js";
import { isDefaultTitle } from "../native.js";
import type { Program } from "../program.js";
import type { ModelName } from "./info.js";
import type { Place } from "./place.js";

export interface SessionFacts {
  id: string;
  /** The session above it. */
  parent: string | undefined;
  title: string;
  /** False: it holds what was said before a compaction of `parent`'s. */
  main: boolean;
  program: Program;
  ref: SessionRef;
  place: Place;
  /** ms since 1970. */
  created: number;
  /** ms since 1970, of the last message. */
  lastTime: number;
  agent: string;
  /** Chosen to go on with: what the session says, else what the person has configured. */
  model: ModelName | undefined;
  /** Of a session of this family: what its own row held. */
  own: Fields | undefined;
  totals: Readonly<Record<string, SqlValue>>;
  /** Source's message id → ours. */
  ids: ReadonlyMap<string, string>;
}

export function sessionRow(facts: SessionFacts): Record<string, SqlValue> {
  const { id, parent, title, main, program, ref, place, created, agent, model, own } = facts;
  const updated = Math.max(msOf(ref.updatedAt) ?? 0, created, main ? 0 : facts.lastTime);
  const asp = defined({
    from: defined({ harness: ref.harness, id: ref.id, version: ref.harnessVersion }),
    ...(!main && { before: parent }),
    git: ref.git,
  });
  return {
    id,
    project_id: place.project.id,
    ...(parent !== undefined && { parent_id: parent }),
    slug: name(own?.slug) ?? `from-${ref.harness}`,
    directory: place.cwd,
    ...(place.project.path !== undefined && { path: place.project.path }),
    title: isDefaultTitle(title) ? title : title.toWellFormed(),
    version: program.verified[0] ?? "",
    ...(main && own && ownColumns(own, facts.ids)),
    metadata: JSON.stringify({ ...fields(own?.metadata), asp }),
    ...(main && facts.totals),
    agent,
    ...(model && {
      model: JSON.stringify({
        id: model.model,
        providerID: model.provider,
        variant: model.variant ?? "default",
      }),
    }),
    time_created: created,
    time_updated: updated,
    ...(main && ref.archived && { time_archived: updated }),
  };
}

/** Rules in force, an undo that may still be taken back, the sum of its changes. */
function ownColumns(
  { permission, revert, summary }: Fields,
  ids: ReadonlyMap<string, string>,
): Record<string, SqlValue> {
  const undo = fields(revert);
  const message = ids.get(name(undo?.partID) ?? name(undo?.messageID) ?? "");
  const sum = fields(summary);
  const number = (value: unknown) => (typeof value === "number" ? value : null);
  return {
    ...(Array.isArray(permission) && { permission: JSON.stringify(permission) }),
    ...(undo &&
      message !== undefined && {
        revert: JSON.stringify({ ...undo, partID: undefined, messageID: message }),
      }),
    ...(sum && {
      summary_additions: number(sum.additions),
      summary_deletions: number(sum.deletions),
      summary_files: number(sum.files),
    }),
  };
}
