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
  const head = ["axis", ...rows.map(({ harness, direction }) => `${harness} ${direction}`)];
  const body = known
    .filter((axis) => rows.some(({ levels }) => levels[axis] !== undefined))
    .map((axis) => [axisName(axis), ...rows.map(({ levels }) => CELLS[levels[axis] ?? "absent"])]);
  return { head, body };
}

/** @param known all axes, in the order to show them. */
export function matrixLines(rows: readonly MatrixRow[], known: readonly Axis[]): string[] {
  const { head, body } = cells(rows, known);
  return table(
    head.map((name) => ({ head: name })),
    body,
  );
}

export function matrixMarkdown(rows: readonly MatrixRow[], known: readonly Axis[]): string {
  const { head, body } = cells(rows, known);
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
