/** What converters declare to keep: an axis a line, read and write of each harness beside each other. */
import type { Axis, Level, MatrixRow } from "@asp-convert/core";
import { axisName } from "./report.js";
import { table } from "./table.js";

const CELLS: Record<Level | "absent", string> = {
  preserved: "kept",
  partial: "partial",
  "evidence-only": "evidence",
  dropped: "dropped",
  "not-in-source": "–",
  absent: "–",
};

function cells(rows: readonly MatrixRow[], known: readonly Axis[]): { head: string[]; body: string[][] } {
  const head = [
    "axis",
    ...rows.map(
      ({ harness, direction, experimental }) =>
        `${harness}${experimental === undefined ? "" : "*"} ${direction}`,
    ),
  ];
  const body = known
    .filter((axis) => rows.some(({ levels }) => levels[axis] !== undefined))
    .map((axis) => [axisName(axis), ...rows.map(({ levels }) => CELLS[levels[axis] ?? "absent"])]);
  return { head, body };
}

/** @param known all axes, in the order to show them. */
export function matrixLines(rows: readonly MatrixRow[], known: readonly Axis[]): string[] {
  const { head, body } = cells(rows, known);
  const lines = table(
    head.map((name) => ({ head: name })),
    body,
  );
  const notes = notesOf(rows);
  return notes.length > 0 ? [...lines, "", ...notes] : lines;
}

/** What is not proved, of those that have a star; and where a line does not say that there is nothing. */
function notesOf(rows: readonly MatrixRow[]): string[] {
  const each = rows.filter(({ direction }) => direction === "read");
  return [
    ...each.flatMap(({ name, experimental }) =>
      experimental === undefined ? [] : [`* ${name} is experimental: ${experimental}`],
    ),
    ...[...Map.groupBy(each, ({ unread }) => unread?.join(", "))].flatMap(([unread, of]) =>
      unread === undefined
        ? []
        : [`– of ${of.map(({ name }) => name).join(", ")}: there may be ${unread}; not read`],
    ),
  ];
}

export function matrixMarkdown(rows: readonly MatrixRow[], known: readonly Axis[]): string {
  const { head, body } = cells(rows, known);
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  const notes = notesOf(rows);
  const below = notes.length > 0 ? ["", ...notes] : [];
  return [line(head), line(head.map(() => "---")), ...body.map(line), ...below].join("\n");
}
