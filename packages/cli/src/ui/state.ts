/** What became of instructions, skills, servers, notes and options, for people: counts, then names with reasons. */
import type { ItemReport, Report } from "@asp-convert/core";
import { reasons, stateKinds } from "@asp-convert/core";
import { count } from "./format.js";
import type { Style } from "./style.js";
import { oneLine } from "./text.js";
import { padEnd } from "./width.js";
import { labelled } from "./wrap.js";

/** As much of a report's view as is needed here. */
export interface StateView {
  style: Style;
  columns: number;
  hideLosses?: boolean;
  home: string | undefined;
}

const LABEL = 12;
/** So many names of a group are shown; `--json` has them all. */
const NAMES = 8;
const WORDS = { written: "written", changed: "changed", present: "there already", left: "left" } as const;

export function stateLines(report: Report, view: StateView): string[] {
  if (report.items.length === 0 && report.notTaken.length === 0) return [];
  const { style } = view;
  const lines: string[] = [];
  for (const kind of stateKinds) {
    const own = report.items.filter((item) => item.kind === kind);
    if (own.length === 0) continue;
    const parts = (Object.keys(WORDS) as ItemReport["outcome"][]).flatMap((outcome) => {
      const n = own.filter((item) => item.outcome === outcome).length;
      return n === 0
        ? []
        : [`${count(n)} ${report.dryRun && outcome === "written" ? "would be written" : WORDS[outcome]}`];
    });
    const scopes = new Map<string, number>();
    for (const { scope } of own) scopes.set(scope, (scopes.get(scope) ?? 0) + 1);
    const where = [...scopes].map(([scope, n]) => `${scope} ${count(n)}`).join(", ");
    lines.push(`  ${style.bold(padEnd(kind, LABEL))}  ${parts.join(", ")}   ${style.dim(where)}`);
  }
  const short = (text: string): string =>
    view.home === undefined || view.home === "" ? text : text.replaceAll(`${view.home}/`, "~/");
  const add = (label: string, texts: readonly string[], paint: (text: string) => string) => {
    for (const [i, text] of texts.entries()) {
      const [first = "", ...rest] = labelled(
        i === 0 ? label : "",
        short(text).split(" "),
        LABEL,
        view.columns,
        " ",
      );
      lines.push(i === 0 ? first.replace(label, paint(label)) : first, ...rest);
    }
  };
  if (!view.hideLosses) add("changed", groups(report.items, "changed"), style.yellow);
  add("left", [...groups(report.items, "left"), ...absent(report)], style.red);
  return lines;
}

/** Items of one kind and reason on one line; a note of one's own stands behind its item. */
function groups(items: readonly ItemReport[], outcome: ItemReport["outcome"]): string[] {
  const byReason = new Map<string, ItemReport[]>();
  for (const item of items) {
    if (item.outcome !== outcome) continue;
    const key = `${item.kind} ${item.reason ?? ""}`;
    byReason.set(key, [...(byReason.get(key) ?? []), item]);
  }
  return [...byReason.values()].map((group) => {
    const [first] = group as [ItemReport, ...ItemReport[]];
    const notes = new Set(group.map(({ note }) => note));
    const common = notes.size === 1 ? first.note : undefined;
    const names = group.slice(0, NAMES).map(({ item, note }) => {
      const own = common === undefined && note !== undefined ? ` [${oneLine(note)}]` : "";
      return oneLine(item) + own;
    });
    const more = group.length > NAMES ? ` and ${count(group.length - NAMES)} more` : "";
    const why = [
      first.reason === undefined ? "" : reasons[first.reason],
      common === undefined ? "" : oneLine(common),
    ].filter((part) => part !== "");
    return `${first.kind}: ${names.join(", ")}${more}${why.length > 0 ? ` (${why.join(": ")})` : ""}`;
  });
}

/** Kinds that one of the two does not have at all. */
function absent({ notTaken }: Report): string[] {
  return notTaken
    .filter(({ item }) => item === undefined)
    .map(({ kind, reason }) => `${kind} (${oneLine(reason)})`);
}

/** An item a row, for `compare`. */
export function itemRows(items: readonly ItemReport[]): string[][] {
  return items.map(({ kind, item, scope, outcome, reason, note }) => {
    const why = [reason === undefined ? "" : reasons[reason], note ?? ""]
      .filter((part) => part !== "")
      .join(": ");
    return [kind, oneLine(item), scope, WORDS[outcome], oneLine(why)];
  });
}
