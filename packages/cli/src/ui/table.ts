/** Plain aligned tables: no lines, no boxes, columns two spaces apart. */
import { padEnd, padStart, truncate, width } from "./width.js";

export interface Column {
  head: string;
  align?: "left" | "right";
  /** May be cut, down to this width, when the table is wider than the terminal. */
  shrink?: number;
}

const GAP = "  ";

/** Lines of the table. `columns`: of the terminal; without it nothing is cut. Empty columns are left out. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  limit?: number,
): string[] {
  const used = columns
    .map((column, index) => ({ column, cells: rows.map((row) => row[index] ?? "") }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .map(({ column, cells }) => ({ column, cells, size: Math.max(width(column.head), ...cells.map(width)) }));
  if (used.length === 0) return [];
  let over =
    limit === undefined ? 0 : used.reduce((sum, { size }) => sum + size + GAP.length, -GAP.length) - limit;
  for (const item of [...used].sort((a, b) => b.size - a.size)) {
    if (over <= 0) break;
    if (item.column.shrink === undefined) continue;
    const size = Math.max(item.column.shrink, item.size - over);
    over -= item.size - size;
    item.size = size;
  }
  const line = (cells: readonly string[]) =>
    used
      .map(({ column, size }, index) =>
        (column.align === "right" ? padStart : padEnd)(truncate(cells[index] ?? "", size), size),
      )
      .join(GAP)
      .trimEnd();
  return [
    line(used.map(({ column }) => column.head)),
    ...rows.map((_, row) => line(used.map(({ cells }) => cells[row] ?? ""))),
  ];
}
