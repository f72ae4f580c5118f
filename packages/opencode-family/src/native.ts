/**
 * Names of what only this family reads: `nativeType` of unknown blocks and events. The same for all its programs, so
 * that what one wrote the other takes up again.
 */
export const NATIVE = {
  /** Event: what of a session's row is in no other event. */
  session: "opencode.session",
  /** Event: what of a message is in no other event (`system`, `tools`, `format`, `summary`). */
  message: "opencode.message",
  /** Event: file snapshots of a step: its `step-start`, `step-finish`, `patch` and `snapshot` parts. */
  snapshots: "opencode.snapshots",
  /** Event: a row of another table. */
  row: "opencode.row",
  /** Block: the `metadata` of the part that the block before it is. */
  metadata: "opencode.metadata",
  /** Block: a whole part that is sent to no model, or that nothing else says. */
  part: "opencode.part",
} as const;

/** The text that the program sends for a compaction's user message. */
export const COMPACTION_PROMPT = "What did we do so far?";
/** For a subtask's. */
export const SUBTASK_PROMPT = "The following tool was executed by the user";
/** In place of a result that was pruned. */
export const CLEARED_RESULT = "[Old tool result content cleared]";
/** For a call that was not answered. */
export const INTERRUPTED_RESULT = "[Tool execution was interrupted]";

/** `New session - 2026-11-30T19:32:45.251Z`: no title yet. */
export function isDefaultTitle(title: string): boolean {
  return /^(New session|Child session) - \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(title);
}
