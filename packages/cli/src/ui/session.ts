/** Sessions as lists show them, for people and for programs. */
import type { SessionRef } from "@asp-convert/core";
import { bytes, count, when } from "./format.js";
import { type Standpoint, shortPath } from "./paths.js";
import { table } from "./table.js";
import { oneLine } from "./text.js";
import { truncate } from "./width.js";

/** Titles are often a whole first prompt. */
const LONGEST_TITLE = 60;

const columns = [
  { head: "id" },
  { head: "title", shrink: 16 },
  { head: "cwd", shrink: 12 },
  { head: "last activity" },
  { head: "messages", align: "right" },
  { head: "size", align: "right" },
] as const;

/** A head and a line for each. `limit`: the terminal's columns. */
export function sessionTable(
  refs: readonly SessionRef[],
  standpoint: Standpoint,
  limit?: number,
  nameOf?: (harness: string) => string,
): string[] {
  const rows = refs.map((ref) => [
    oneLine(ref.id),
    truncate(oneLine(ref.title ?? ""), LONGEST_TITLE),
    ref.cwd === undefined ? "" : oneLine(shortPath(ref.cwd, standpoint)),
    when(ref.updatedAt ?? ref.createdAt) + (ref.timesInferred ? "~" : ""),
    ref.messages === undefined ? "" : count(ref.messages),
    bytes(ref.size),
  ]);
  if (!nameOf) return table(columns, rows, limit);
  return table(
    [{ head: "harness" }, ...columns],
    rows.map((row, index) => [nameOf((refs[index] as SessionRef).harness), ...row]),
    limit,
  );
}

/** For `--json`. Texts are as in the source: a program decides itself what it shows. */
export function toJson(ref: SessionRef): Record<string, unknown> {
  const { files, children, ...rest } = ref;
  return { ...rest, files: files.map(({ path }) => path), children: children.map(({ id }) => id) };
}
