/** What a person reads after a conversion: kept, degraded, dropped, written, how to resume, how to undo. */
import type { Axis, Comparison, Loss, Report, SessionReport } from "@asp-convert/core";
import { axes, reasons } from "@asp-convert/core";
import { count, duration, plural } from "./format.js";
import { type Standpoint, shortPath } from "./paths.js";
import { commandLine } from "./shell.js";
import { stateLines } from "./state.js";
import type { Style } from "./style.js";
import { oneLine } from "./text.js";
import { padEnd, width } from "./width.js";
import { labelled, NO_BREAK } from "./wrap.js";

export interface ReportView extends Standpoint {
  /** Harness id → its name. */
  nameOf: (harness: string) => string;
  style: Style;
  /** Columns to wrap at. */
  columns: number;
  platform: NodeJS.Platform;
  /** How this program was called: `asp-convert`, `npx asp-convert`. */
  program: string;
  /** Leave out what was degraded and dropped (`--loss ignore`). */
  hideLosses?: boolean;
  elapsedMs?: number;
  /** Working directories named in resume lines that are not on this machine. */
  absent?: ReadonlySet<string>;
  /** The person named the working directory (`--cwd`). */
  rehomed?: boolean;
  /** Sessions of the source, by id, that are archived there. */
  archived?: ReadonlySet<string>;
}

const LABEL = 8;

export function reportLines(report: Report, view: ReportView): string[] {
  const { style } = view;
  const lines = [headLine(report, view)];
  const add = (label: string, items: readonly string[], separator?: string, paint = style.dim) => {
    if (items.length === 0) return;
    const [first = "", ...rest] = labelled(label, items, LABEL, view.columns, separator);
    lines.push(first.replace(label, paint(label)), ...rest);
  };
  add("kept", keptItems(report), ", ", style.green);
  add("restored", restoredItems(report, view));
  if (!view.hideLosses) {
    // Those of the other kinds are told item by item.
    const losses = report.losses.filter(({ kind }) => kind === "sessions");
    add("degraded", degradedItems(losses), "; ", style.yellow);
    add("dropped", lossItems(losses, ["dropped"]), "; ", style.red);
    add("missing", lossItems(losses, ["not-in-source"]));
  }
  lines.push(...stateLines(report, view));
  add("redacted", redactedItems(report), "; ", style.yellow);
  // Never broken over lines: these are to be pasted.
  const paste = (label: string, text: string) =>
    lines.push(`  ${style.dim(padEnd(label, LABEL))}  ${style.bold(text)}`);
  writtenItems(report, view).forEach((item, index) => {
    const label = padEnd(index > 0 ? "" : report.dryRun ? "would be" : "written", LABEL);
    lines.push(`  ${style.dim(label)}  ${item}`);
  });
  const top = report.sessions.filter(({ parent, resume }) => parent === undefined && resume);
  const [first] = top;
  if (first && !report.dryRun) {
    paste("resume", resumeLine(first, view));
    // By its own bytes it goes where it was.
    if (first.how === "replayed" && view.archived?.has(first.id)) {
      add("note", [
        `it is archived: ${view.nameOf(report.to.harness)} resumes it once it is out of the archive`,
      ]);
    }
    const cwd = first.resume?.cwd;
    if (cwd !== undefined && view.absent?.has(cwd)) {
      const way = view.rehomed ? "make it before you resume" : "--cwd DIR gives the session a folder that is";
      add("note", [`${oneLine(cwd)} is not on this machine; ${way}`]);
    }
    if (top.length > 1) {
      add("more", [
        `${plural(top.length - 1, "other session")}: ${view.program} list ${shortPath(report.to.path, view)}`,
      ]);
    }
  }
  if (report.receipt !== undefined && !report.dryRun) paste("undo", `${view.program} undo ${report.receipt}`);
  return lines;
}

function headLine(report: Report, view: ReportView): string {
  const own = report.sessions.filter(({ parent }) => parent === undefined);
  const children = report.sessions.length - own.length;
  const sum = (field: "messages" | "toolCalls") =>
    report.sessions.reduce((total, session) => total + session[field], 0);
  const inSessions = [
    plural(own.length, "session") + (children > 0 ? ` (and ${plural(children, "subagent")})` : ""),
    plural(sum("messages"), "message"),
    plural(sum("toolCalls"), "tool call"),
  ];
  const { items } = report;
  const what = [
    ...(own.length > 0 || items.length === 0 ? inSessions : []),
    ...(items.length > 0 ? [`${plural(items.length, "thing")} of other kinds`] : []),
  ].join(", ");
  const route = `${view.nameOf(report.from.harness)} → ${view.nameOf(report.to.harness)}`;
  const text = `${view.style.bold(route)}   ${what}`;
  if (view.elapsedMs === undefined) return text;
  const time = duration(view.elapsedMs);
  const gap = Math.max(3, view.columns - width(`${route}   ${what}`) - width(time));
  return `${text}${" ".repeat(gap)}${view.style.dim(time)}`;
}

/** What people ask about first; the rest is counted, and `compare` names it. */
const FIRST: readonly Axis[] = [
  "messages",
  "tool-calls",
  "tool-results",
  "thinking",
  "images",
  "documents",
  "title",
  "times",
  "cwd",
  "compaction",
  "subagents",
];

/** Axes of which something arrived as it was, in their own order. */
function keptItems(report: Report): string[] {
  const kept = (Object.keys(axes) as Axis[]).filter((axis) => (report.axes[axis]?.kept ?? 0) > 0);
  const first = kept.filter((axis) => FIRST.includes(axis));
  const others = kept.length - first.length;
  return [...first.map(axisName), ...(others > 0 ? [`${others} more`] : [])];
}

export function axisName(axis: string): string {
  return axis.replaceAll("-", " ");
}

/** A session that came home: the target's own bytes of it, which stand before what was said elsewhere. */
function restoredItems({ sessions, to }: Report, { nameOf }: ReportView): string[] {
  return sessions.flatMap(({ returned }) =>
    returned
      ? [
          `the ${count(returned.bytes)} bytes of ${nameOf(to.harness)}'s own session ${returned.id}, as they were`,
        ]
      : [],
  );
}

/** `images: 2 (over a limit of the target)`: what people ask about first, then by number. */
export function lossItems(losses: readonly Loss[], levels: readonly Loss["level"][]): string[] {
  return losses
    .filter(({ level }) => levels.includes(level))
    .sort((a, b) => rank(a.axis) - rank(b.axis) || b.count - a.count)
    .map((loss) => `${axisName(loss.axis)}: ${count(loss.count)} (${reasonOf(loss)})`);
}

/** Over the wire it may be a word of a later version. */
function reasonOf({ reason }: Pick<Loss, "reason">): string {
  return Object.hasOwn(reasons, reason) ? reasons[reason] : oneLine(reason);
}

/** What is kept as evidence only is mostly the program's own records: one item for all of it, unless it is one thing. */
export function degradedItems(losses: readonly Loss[]): string[] {
  const items = lossItems(losses, ["partial"]);
  const evidence = losses.filter(({ level }) => level === "evidence-only");
  const [only] = evidence;
  if (only && evidence.length === 1) {
    return [...items, `${axisName(only.axis)}: ${count(only.count)} as evidence only (${reasonOf(only)})`];
  }
  const sums = new Map<Axis, number>();
  for (const { axis, count } of evidence) sums.set(axis, (sums.get(axis) ?? 0) + count);
  const named = [...sums]
    .sort(([a, m], [b, n]) => rank(a) - rank(b) || n - m)
    .map(([axis, sum]) => `${axisName(axis)} ${count(sum)}`.replaceAll(" ", NO_BREAK));
  return named.length === 0 ? items : [...items, `as evidence only: ${named.join(", ")}`];
}

function rank(axis: Axis): number {
  const at = FIRST.indexOf(axis);
  return at === -1 ? FIRST.length : at;
}

/** With `--share`: what became a marker. */
function redactedItems({ redacted }: Report): string[] {
  if (!redacted) return [];
  const kinds = Object.entries(redacted).map(([kind, n]) => `${axisName(kind)}: ${count(n)}`);
  return kinds.length > 0
    ? kinds
    : ["nothing that looks like a secret was found; look yourself before you share it"];
}

function writtenItems(report: Report, view: ReportView): string[] {
  const files = report.sessions.flatMap((session) => (session.outcome === "unchanged" ? [] : session.files));
  const items: string[] = [];
  const own = report.sessions.filter(({ parent }) => parent === undefined);
  const transcript =
    files.length === 1 ? files[0] : files.find((file) => file === report.to.path || file.endsWith(".jsonl"));
  if (transcript !== undefined && own.length === 1) {
    items.push(shortPath(transcript, view) + (files.length > 1 ? ` (+${files.length - 1})` : ""));
  } else if (files.length > 0)
    items.push(`${plural(files.length, "file")} in ${shortPath(report.to.path, view)}`);
  const by = (outcome: SessionReport["outcome"]) =>
    report.sessions.filter((session) => session.outcome === outcome).length;
  if (by("unchanged") > 0) {
    items.push(`${plural(by("unchanged"), "session")} there already with the same content: nothing to do`);
  }
  if (by("copied") > 0) {
    items.push(`${plural(by("copied"), "session")} under a new id: another one has its own already`);
  }
  if (
    files.length === 0 &&
    report.items.some(({ outcome }) => outcome === "written" || outcome === "changed")
  ) {
    items.push(shortPath(report.to.path, view));
  }
  if (report.dryRun) items.push("nothing was written (--dry-run)");
  return items.map(oneLine);
}

/** A line that can be pasted into a shell, wherever the person is. */
export function resumeLine(session: SessionReport, view: ReportView): string {
  const { cwd, env, first, command } = session.resume ?? { command: [] };
  const elsewhere = cwd !== undefined && cwd !== view.cwd && !view.absent?.has(cwd);
  return commandLine(
    {
      cwd: elsewhere ? cwd : undefined,
      variables: fromHere(env ?? {}, elsewhere, view),
      ...(first && { first }),
      command,
    },
    view.home,
    view.platform,
  );
}

/** A relative path is shorter, but holds only as long as the line does not change folder first. */
function fromHere(env: Record<string, string>, elsewhere: boolean, view: ReportView): Record<string, string> {
  if (elsewhere) return env;
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      const short = shortPath(value, { cwd: view.cwd, home: undefined });
      return [name, short];
    }),
  );
}

/** Before any write: per axis what would be kept, degraded, dropped. */
export function comparisonRows(comparison: Comparison): string[][] {
  const lossesOf = (axis: string) => comparison.losses.filter((loss) => loss.axis === axis);
  return (Object.keys(axes) as Axis[]).flatMap((axis) => {
    const tally = comparison.axes[axis];
    const losses = lossesOf(axis);
    if (!tally && losses.length === 0) return [];
    const cell = (n: number | undefined) => (n ? count(n) : "");
    const why = losses
      .map(({ reason, level, places }) => {
        const at = places[0]?.record ?? places[0]?.item;
        const where =
          at === undefined ? "" : `, e.g. ${typeof at === "number" ? `record ${at}` : oneLine(at)}`;
        return `${level === "not-in-source" ? "not in the source: " : ""}${reasons[reason]}${where}`;
      })
      .join("; ");
    return [[axisName(axis), cell(tally?.kept), cell(tally?.degraded), cell(tally?.dropped), why]];
  });
}
