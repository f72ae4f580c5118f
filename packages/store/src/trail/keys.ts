/** What an event says, as a number: two events that say the same to a model have the same. */
import { hash } from "node:crypto";
import type { SessionEvent } from "@asp-convert/core";

/** undefined: it says nothing to a model (a title, a setting, a record of the program's own). */
export function keyOf(event: SessionEvent): number | undefined {
  const said = saidBy(event);
  if (said === undefined) return undefined;
  // 52 bits: whole in a number.
  return Number.parseInt(hash("sha1", JSON.stringify(said)).slice(0, 13), 16);
}

function saidBy(event: SessionEvent): unknown {
  switch (event.type) {
    case "message.completed": {
      const { role, blocks, kind, injected } = event.payload;
      return ["message", role, kind, injected, blocks];
    }
    case "tool.completed":
      return ["result", event.payload.result, event.payload.isError];
    case "status.changed": {
      const { status, turns } = event.payload;
      return status === "compacted" || status === "rewound" ? [status, turns] : undefined;
    }
    default:
      return undefined;
  }
}

/** Of the first thing that a person said. */
export function openingOf(event: SessionEvent): string | undefined {
  if (event.type !== "message.completed" || event.branch !== undefined) return undefined;
  const { role, injected, blocks, kind } = event.payload;
  if (role !== "user" || injected !== undefined || kind !== undefined) return undefined;
  const text = blocks
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("\n")
    .trim();
  return text === "" ? undefined : hash("sha256", text);
}

/** The events of a session as they were told at one time: those of the main line in order, those of branches. */
export interface Told {
  main: readonly number[];
  branches: ReadonlyMap<number, number>;
  title: string | undefined;
}

export async function told(events: AsyncIterable<SessionEvent>): Promise<Told> {
  const main: number[] = [];
  const branches = new Map<number, number>();
  let title: string | undefined;
  for await (const event of events) {
    if (event.type === "session.bound" || event.type === "session.started")
      title = event.payload.title ?? title;
    const key = keyOf(event);
    if (key === undefined) continue;
    if (event.branch === undefined) main.push(key);
    else branches.set(key, (branches.get(key) ?? 0) + 1);
  }
  return { main, branches, title };
}

/** How many events at the beginning of two main lines say the same. */
export function commonLength(a: readonly number[], b: readonly number[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
