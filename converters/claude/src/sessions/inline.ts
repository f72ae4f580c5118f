/** Subagents whose records stand in their parent's file (old versions): one session per tree of sidechain records. */
import type { SessionRef } from "@asp-convert/core";

const MARK = ":inline:";

export function inlineId(parent: string, rootUuid: string): string {
  return `${parent}${MARK}${rootUuid}`;
}

/** The uuid of the tree's first record, or undefined for a session that has a file of its own. */
export function inlineRoot(ref: Pick<SessionRef, "id" | "parent">): string | undefined {
  const start = `${ref.parent?.id}${MARK}`;
  return ref.parent && ref.id.startsWith(start) ? ref.id.slice(start.length) : undefined;
}
