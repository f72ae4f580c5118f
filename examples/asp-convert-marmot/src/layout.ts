/** Where Marmot keeps things. Nothing else knows a path. */
import { posix } from "node:path";
import type { Environment } from "@asp-convert/core";

/** The variable that names the store's root. */
export const VARIABLE = "MARMOT_DEN";

/** Of the store's root and of a project alike. */
export const INSTRUCTIONS = "MARMOT.md";
export const SERVERS = "servers.json";

/** The variable's own first, then where the program looks by itself. */
export const roots = ({ env, home }: Environment): string[] => [
  ...(env[VARIABLE] ? [env[VARIABLE]] : []),
  posix.join(home, ".marmot"),
];

export const talksDir = (root: string): string => posix.join(root, "talks");
export const transcript = (root: string, id: string): string => posix.join(talksDir(root), `${id}.jsonl`);
export const idOf = (path: string): string => posix.basename(path, ".jsonl");

/** The store's root for any path in it. */
export function rootOf(path: string): string {
  const at = path.lastIndexOf("/talks");
  return at === -1 ? path : path.slice(0, at);
}
