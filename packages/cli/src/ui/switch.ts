/** What a switch did, for a person. */
import type { Proof, Switched } from "@asp-convert/acp";
import type { Terminal } from "../terminal.js";
import { plural } from "./format.js";
import { degradedItems, lossItems } from "./report.js";
import { oneLine } from "./text.js";
import { labelled } from "./wrap.js";

/** The same reason for many things is one line with the first few names. */
const NAMES = 3;
const LABEL = 9;

export function switchLines(
  done: Switched,
  quiet: boolean,
  program: string,
  { out, columns }: Pick<Terminal, "out" | "columns">,
): string[] {
  const sessions = Object.entries(done.sessions);
  const mapping = sessions.map(([old, id]) => `${oneLine(old)} → ${oneLine(id)}${nameOf(done, id)}`);
  if (quiet) return mapping;
  const lines = [out.bold(`${oneLine(done.from)} → ${oneLine(done.to)}`)];
  const add = (label: string, items: readonly string[]) => {
    if (items.length > 0) lines.push(...labelled(label, items, LABEL, Math.min(columns ?? 100, 120)));
  };
  /** Never broken: these are to be copied. */
  const row = (label: string, text: string) => lines.push(`  ${label.padEnd(LABEL)}  ${text}`);
  const losses = done.losses.filter(({ kind }) => kind === "sessions");
  add("taken", done.taken.length > 0 ? [done.taken.join(", ")] : ["nothing"]);
  for (const line of notTaken(done)) add("not taken", [line]);
  add("degraded", degradedItems(losses));
  add("dropped", lossItems(losses, ["dropped"]));
  for (const line of mapping) row("session", line);
  for (const proof of done.proofs) row("there", proofLine(proof));
  const unseen = sessions.length - done.proofs.length;
  if (unseen > 0) row("there", `${unseen} more were not looked at`);
  for (const receipt of done.receipts) row("undo", `${program} undo ${receipt}`);
  return lines;
}

function nameOf({ names }: Switched, id: string): string {
  return names[id] === undefined ? "" : ` (${oneLine(names[id])})`;
}

function notTaken({ notTaken, from, to }: Switched): string[] {
  const groups = new Map<string, string[]>();
  for (const { kind, item, reason, at } of notTaken) {
    const key = `${oneLine(kind)}: ${oneLine(reason)} (${oneLine(at === "from" ? from : to)})`;
    groups.set(key, [...(groups.get(key) ?? []), ...(item === undefined ? [] : [oneLine(item)])]);
  }
  return [...groups].map(([key, items]) => {
    if (items.length === 0) return key;
    const more = items.length > NAMES ? ` and ${items.length - NAMES} more` : "";
    return `${key}: ${items.slice(0, NAMES).join(", ")}${more}`;
  });
}

function proofLine({ sessionId, by, sent, found, missing, problem }: Proof): string {
  const id = oneLine(sessionId);
  if (problem !== undefined) return `${id}: not seen: ${oneLine(problem)}`;
  if (by === "resume") return `${id}: can be resumed (the agent replays nothing)`;
  const of = `${id}: replayed, ${found} of ${plural(sent, "text")} found again`;
  return missing === undefined ? of : `${of}; not "${oneLine(missing).slice(0, 60)}…"`;
}
