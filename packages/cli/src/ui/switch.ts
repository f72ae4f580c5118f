/** What a switch did, for a person. */
import type { Proof, Switched } from "@asp-convert/acp";
import { axes } from "@asp-convert/core";
import type { Terminal } from "../terminal.js";
import { plural } from "./format.js";
import { oneLine } from "./text.js";

/** The same reason for many things is one line with the first few names. */
const NAMES = 3;

export function switchLines(done: Switched, quiet: boolean, { out }: Pick<Terminal, "out">): string[] {
  const sessions = Object.entries(done.sessions);
  const mapping = sessions.map(([old, id]) => `${oneLine(old)} → ${oneLine(id)}${nameOf(done, id)}`);
  if (quiet) return mapping;
  const row = (head: string, text: string) => `  ${out.dim(head.padEnd(9))} ${text}`;
  return [
    out.bold(`${oneLine(done.from)} → ${oneLine(done.to)}`),
    row("taken", done.taken.length > 0 ? done.taken.join(", ") : "nothing"),
    ...notTaken(done).map((line) => row("not taken", line)),
    ...losses(done).map((line) => row("lost", line)),
    ...mapping.map((line) => row("session", line)),
    ...done.proofs.map((proof) => row("there", proofLine(proof))),
    ...(sessions.length > done.proofs.length && done.proofs.length > 0
      ? [row("there", `${sessions.length - done.proofs.length} more were not looked at`)]
      : []),
    ...done.receipts.map((receipt) => row("undo", `asp-convert undo ${receipt}`)),
  ];
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

function losses({ losses }: Switched): string[] {
  const counts = new Map<string, number>();
  for (const { level, axis, count } of losses) {
    const words = axis in axes ? axes[axis as keyof typeof axes] : axis;
    const key = `${level === "partial" ? "changed" : level === "dropped" ? "dropped" : "left behind"}: ${words}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return [...counts].map(([key, count]) => `${key} (${count})`);
}

function proofLine({ sessionId, by, sent, found, missing, problem }: Proof): string {
  const id = oneLine(sessionId);
  if (problem !== undefined) return `${id}: not seen: ${oneLine(problem)}`;
  if (by === "resume") return `${id}: can be resumed (the agent replays nothing)`;
  const of = `${id}: replayed, ${found} of ${plural(sent, "text")} found again`;
  return missing === undefined ? of : `${of}; not "${oneLine(missing).slice(0, 60)}…"`;
}
