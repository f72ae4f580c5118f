/** Why an answer ended, in the words of the vendors' APIs and of the programs. */

/** It was complete, or it called tools: its blocks say so as well. */
const ORDINARY = new Set(["end_turn", "stop", "tool_use", "toolUse", "tool_calls", "tool-calls"]);

/** A reason that says more than the answer itself shows: cut off at a length, refused, failed, … */
export function isTellingStop(reason: string | undefined): reason is string {
  return reason !== undefined && !ORDINARY.has(reason);
}
