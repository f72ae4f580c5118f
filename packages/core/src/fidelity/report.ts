/** Fidelity for people: what a conversion kept, degraded, dropped; what converters declare. */
import type { Converter } from "../converter/contract.js";
import type { StateKindName } from "../converter/kinds.js";
import type { Comparison, Report } from "../pipeline/report.js";
import { type Axis, type Level, sessionAxes, stateAxes } from "./axes.js";
import type { Loss } from "./ledger.js";
import { reasons } from "./reasons.js";

export interface Summary {
  /** Names of what came along unharmed. */
  kept: string[];
  /** Sentences: `thinking: 88 kept as evidence (signed for another vendor, who alone can verify it)`. */
  degraded: string[];
  dropped: string[];
}

const words = { ...sessionAxes, ...stateAxes } as const;

/** The three lines that a person sees after a conversion. */
export function summarize(report: Report | Comparison): Summary {
  const kept: string[] = [];
  for (const [axis, tally] of Object.entries(report.axes)) {
    if (tally && tally.kept > 0 && tally.degraded === 0 && tally.dropped === 0) kept.push(nameOf(axis));
  }
  return {
    kept,
    degraded: report.losses
      .filter(({ level }) => level === "partial" || level === "evidence-only")
      .map(sentence),
    dropped: report.losses
      .filter(({ level }) => level === "dropped" || level === "not-in-source")
      .map(sentence),
  };
}

/** `tool-calls` → `tool calls` */
function nameOf(axis: string): string {
  return axis.replaceAll("-", " ");
}

const verbs: Record<Loss["level"], string> = {
  partial: "changed",
  "evidence-only": "kept as evidence only",
  dropped: "left out",
  "not-in-source": "not in the source",
};

/** One loss in words: what, how many, what became of it, why. */
export function sentence({ axis, level, reason, count }: Loss): string {
  return `${nameOf(axis)}: ${count} ${verbs[level]} (${reasons[reason]})`;
}

export interface MatrixRow {
  harness: string;
  name: string;
  direction: "read" | "write";
  levels: Partial<Record<Axis, Level | "absent">>;
  /** What of it could not be tried in the real program. */
  experimental?: string;
  /** Kinds that the program may have, and that its converter does not read. */
  unread?: readonly StateKindName[];
}

/** Axes × harnesses × directions, as declared. */
export function matrix(converters: readonly Converter[]): MatrixRow[] {
  return converters.flatMap((converter) =>
    directionsOf(converter).map((direction) => ({
      harness: converter.id,
      name: converter.name,
      direction,
      levels: levelsOf(converter, direction),
      ...(converter.experimental !== undefined && { experimental: converter.experimental }),
      ...unreadOf(converter),
    })),
  );
}

function directionsOf({ readOnly }: Converter): MatrixRow["direction"][] {
  return readOnly === undefined ? ["read", "write"] : ["read"];
}

const kinds = ["instructions", "skills", "tools", "memory", "settings"] as const;

function unreadOf(converter: Converter): Pick<MatrixRow, "unread"> {
  const unread = kinds.filter((kind) => isUnread(converter[kind]));
  return unread.length > 0 ? { unread } : {};
}

function isUnread(state: Converter[StateKindName]): boolean {
  return "absent" in state && state.unread === true;
}

function levelsOf(converter: Converter, direction: "read" | "write"): MatrixRow["levels"] {
  const levels: MatrixRow["levels"] = { ...converter.sessions.fidelity[direction] };
  for (const kind of kinds) {
    const state = converter[kind];
    if (!("absent" in state)) Object.assign(levels, state.fidelity[direction]);
  }
  return levels;
}

/** The fidelity table of one converter for its README: an axis a line, read and write beside each other. */
export function markdownTable(converter: Converter): string {
  const read = levelsOf(converter, "read");
  const write = converter.readOnly === undefined ? levelsOf(converter, "write") : {};
  const rows = (Object.keys(words) as Axis[])
    .filter((axis) => read[axis] !== undefined || write[axis] !== undefined)
    .map((axis) => [`\`${axis}\``, words[axis], read[axis] ?? "–", write[axis] ?? "–"]);
  const left = (unread: boolean) =>
    kinds.flatMap((kind) => {
      const state = converter[kind];
      return "absent" in state && isUnread(state) === unread ? [`- \`${kind}\`: ${state.absent}`] : [];
    });
  const cells = [["axis", "what it is", "read", "write"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[], fill = " ") =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  const table = [line(head), line(["", "", "", ""], "-"), ...body.map((row) => line(row))].join("\n");
  const lists = [
    ["Absent:", left(false)],
    ["There, and not read:", left(true)],
  ] as const;
  const below = lists.flatMap(([title, items]) => (items.length > 0 ? [title, items.join("\n")] : []));
  return `${[table, ...below].join("\n\n")}\n`;
}
