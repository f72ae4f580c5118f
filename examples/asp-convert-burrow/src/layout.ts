/** Where Burrow keeps things: one database. Nothing else knows a path. */
import { posix } from "node:path";
import type { Environment } from "@asp-convert/core";

export const VARIABLE = "BURROW_HOME";

export const roots = ({ env, home }: Environment): string[] => [
  ...(env[VARIABLE] ? [env[VARIABLE]] : []),
  posix.join(home, ".burrow"),
];

export const DATABASE = "burrow.db";
export const databaseIn = (root: string): string => posix.join(root, DATABASE);

/** A session's rows as a file, which is on no disk (rows.ts). */
export const rowsPath = (root: string, id: string): string =>
  posix.join(databaseIn(root), `${encodeURIComponent(id)}.jsonl`);
export const idOf = (path: string): string => decodeURIComponent(posix.basename(path, ".jsonl"));

export function rootOf(path: string): string {
  const at = path.lastIndexOf(`/${DATABASE}`);
  return at === -1 ? path : path.slice(0, at);
}
