/** Where sample keeps things: `$SAMPLE_HOME/sessions/<id>.jsonl`, those of subagents in `sessions/<id>/`. */
import { posix } from "node:path";

export const VARIABLE = "SAMPLE_HOME";

export const sessionsDir = (root: string) => posix.join(root, "sessions");
export const transcript = (root: string, id: string) => posix.join(root, "sessions", `${id}.jsonl`);
export const childTranscript = (root: string, parent: string, id: string) =>
  posix.join(root, "sessions", parent, `${id}.jsonl`);

/** The store's root for any path in it. */
export function rootOf(path: string): string {
  const at = path.indexOf("/sessions/");
  return at === -1 ? path : path.slice(0, at);
}
