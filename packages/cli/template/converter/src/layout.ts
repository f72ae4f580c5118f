/** Where Acme keeps things. Nothing else knows a path. TODO: the real places. */
import { posix } from "node:path";
import type { Environment } from "@asp-convert/core";

/** The variable that names the store's root. */
export const VARIABLE = "ACME_HOME";

/** The variable's own first, then where the program looks by itself. */
export const roots = ({ env, home }: Environment): string[] => [
  ...(env[VARIABLE] ? [env[VARIABLE]] : []),
  posix.join(home, ".acme"),
];

export const sessionsDir = (root: string): string => posix.join(root, "sessions");
export const transcript = (root: string, id: string): string => posix.join(sessionsDir(root), `${id}.jsonl`);
export const idOf = (path: string): string => posix.basename(path, ".jsonl");

/** The store's root for any path in it. */
export function rootOf(path: string): string {
  const at = path.lastIndexOf("/sessions");
  return at === -1 ? path : path.slice(0, at);
}
