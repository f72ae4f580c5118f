/** Whether two conversations of one id are the same one, further on, or different ones. */
import { createHash } from "node:crypto";
import type { SessionEvent } from "@asp-convert/core";

/** A hash for each thing that was said or given, in its order. */
export async function talkOf(events: AsyncIterable<SessionEvent>): Promise<string[]> {
  const talk: string[] = [];
  for await (const event of events) {
    const said = saidIn(event);
    if (said !== undefined) talk.push(createHash("sha256").update(JSON.stringify(said)).digest("base64"));
  }
  return talk;
}

function saidIn(event: SessionEvent): unknown {
  if (event.branch !== undefined) return undefined;
  if (event.type === "tool.completed") return texts(event.payload.result);
  if (event.type !== "message.completed") return undefined;
  const { role, blocks, injected } = event.payload;
  return injected === undefined && (role === "user" || role === "assistant")
    ? [role, ...texts(blocks)]
    : undefined;
}

function texts(blocks: readonly { type: string; text?: string | undefined; name?: string }[]): unknown[] {
  return blocks.flatMap(({ type, text, name }) =>
    type === "text" ? [text] : type === "tool-call" ? [name] : [],
  );
}

/** All of `part` is the beginning of `whole`. */
export function isBeginning(part: readonly string[], whole: readonly string[]): boolean {
  return part.length <= whole.length && part.every((hash, i) => hash === whole[i]);
}
