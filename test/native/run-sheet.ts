/**
 * The run sheet: which captured session of which program went on in which other one, at which versions. A reporter of
 * the tests in the real programs; what was not run this time stays as it was found last.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export interface Party {
  id: string;
  /** As people write it. */
  name: string;
  /** Of the real program. */
  version: string;
}

/** What a test of a route says of itself. */
export interface Route {
  from: Party;
  to: Party;
  /** What differs from what the source would have sent, and why, where that is declared. */
  declared?: string;
}

declare module "vitest" {
  interface TaskMeta {
    route?: Route;
  }
}

interface Cell {
  from: Party;
  to: Party;
  /** Day of the last run. */
  on: string;
  /** By the name of the captured session: `passed`, `declared: …`, or `failed: …`. */
  cases: Record<string, string>;
}

/** By `<source> → <target>`. */
export type Sheet = Record<string, Cell>;

const DATA = join(import.meta.dirname, "run-sheet.json");
const PAGE = join(import.meta.dirname, "RUN-SHEET.md");

export default class RunSheet implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const before = JSON.parse(readFileSync(DATA, "utf8")) as Sheet;
    const sheet = merged(before, modules.flatMap(resultsIn), new Date().toISOString().slice(0, 10));
    writeFileSync(DATA, `${JSON.stringify(sheet, undefined, 2)}\n`);
    writeFileSync(PAGE, page(sheet));
  }
}

export interface Result {
  route: Route;
  name: string;
  state: "passed" | "failed" | "skipped" | "pending";
  error?: string | undefined;
}

function resultsIn(module: TestModule): Result[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { route } = test.meta();
    const { state, errors } = test.result();
    return route ? [{ route, name: test.name, state, error: errors?.[0]?.message }] : [];
  });
}

export function merged(before: Sheet, results: readonly Result[], on: string): Sheet {
  const sheet = new Map(Object.entries(before));
  const begun = new Set<string>();
  for (const { route, name, state, error } of results) {
    const { from, to, declared } = route;
    const key = `${from.id} → ${to.id}`;
    if (state !== "passed" && state !== "failed") continue;
    const old = sheet.get(key);
    // What was found with another version says nothing of this one.
    const isSame = old?.from.version === from.version && old.to.version === to.version;
    const kept = begun.has(key) || isSame ? old?.cases : undefined;
    begun.add(key);
    const said =
      state === "passed" ? (declared ? `declared: ${declared}` : "passed") : `failed: ${firstLine(error)}`;
    sheet.set(key, { from, to, on, cases: sorted({ ...kept, [name]: said }) });
  }
  return sorted(Object.fromEntries(sheet));
}

function sorted<T>(of: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function firstLine(text = "?"): string {
  const [line = ""] = text.split("\n");
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

export function page(sheet: Sheet): string {
  const cells = Object.values(sheet);
  const targets = new Map(cells.map(({ to }) => [to.id, to]));
  const lines = [
    "# Run sheet",
    "",
    "Written by `npm run test:native:all`. Each captured session of a source is converted and resumed in the real target",
    "program, with one more turn, against a scripted model; it counts as resumed if the model was sent what the source program",
    "would have sent it. Where the two programs cannot send the same, the difference is declared, and nothing else may differ.",
  ];
  for (const { id, name, version } of [...targets.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    lines.push("", `## To ${name} ${version}`, "");
    const rows = [["from", "sessions", "resumed", "of them with a declared difference", "run on"]];
    const failed: string[] = [];
    for (const { from, on, cases } of cells.filter(({ to }) => to.id === id)) {
      const said = Object.entries(cases);
      const bad = said.filter(([, outcome]) => outcome.startsWith("failed"));
      const declared = said.filter(([, outcome]) => outcome.startsWith("declared")).map(([each]) => each);
      rows.push([
        `${from.name} ${from.version}`,
        String(said.length),
        String(said.length - bad.length),
        declared.join(", ") || "–",
        on,
      ]);
      failed.push(
        ...bad.map(([each, outcome]) => `- ${from.name}, \`${each}\`: ${outcome.slice("failed: ".length)}`),
      );
    }
    lines.push(...table(rows));
    if (failed.length > 0) lines.push("", "Not resumed as they were:", "", ...failed);
  }
  return `${lines.join("\n")}\n`;
}

/** Of each route: how many sessions were resumed, of how many. For the README. */
export function routes(sheet: Sheet): string {
  const cells = Object.values(sheet);
  const ids = (side: "from" | "to") => [...new Set(cells.map((cell) => cell[side].id))].sort();
  const cell = (from: string, to: string): string => {
    const outcomes = Object.values(sheet[`${from} → ${to}`]?.cases ?? {});
    const bad = outcomes.filter((outcome) => outcome.startsWith("failed")).length;
    if (outcomes.length === 0) return "";
    return bad === 0 ? String(outcomes.length) : `${outcomes.length - bad} of ${outcomes.length}`;
  };
  const [columns, rows] = [ids("to"), ids("from")];
  return table([
    ["from \\ to", ...columns.map((id) => `\`${id}\``)],
    ...rows.map((from) => [`\`${from}\``, ...columns.map((to) => cell(from, to))]),
  ]).join("\n");
}

/** As the formatter has it: each column as wide as its widest cell. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
