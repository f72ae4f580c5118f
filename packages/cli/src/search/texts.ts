/** What was said in a session, in pieces to search in: messages of person and agent, without what was put in for them. */
import type { Converter, SessionEvent, SessionRef, Store } from "@asp-convert/core";
import { LossLedger } from "@asp-convert/core";
import { breathing } from "../breath.js";
import type { Terminal } from "../terminal.js";
import { source } from "../toolkit.js";

/** Characters. Few and large pieces keep the index small; a snippet is cut from one. */
const PIECE = 8192;
/** A long text's pieces overlap, so that what stands across a border is found. */
const OVERLAP = 128;

/** @throws what reading the session throws; what was given until then holds. */
export async function* textsOf(
  converter: Converter,
  store: Store,
  ref: SessionRef,
  { environment, signal }: Pick<Terminal, "environment" | "signal">,
): AsyncGenerator<string> {
  const files = (await converter.sessions.view?.(store, source)) ?? source;
  const context = { source: files, environment, ledger: new LossLedger(ref.id), signal };
  let held = "";
  const breath = breathing(signal);
  for await (const event of converter.sessions.read(ref, context)) {
    const pause = breath();
    if (pause) await pause;
    const text = saidIn(event);
    if (text === "") continue;
    held = held === "" ? text : `${held}\n${text}`;
    if (held.length < PIECE) continue;
    let from = 0;
    for (; held.length - from > PIECE + OVERLAP; from += PIECE)
      yield held.slice(from, from + PIECE + OVERLAP);
    yield held.slice(from);
    held = "";
  }
  if (held !== "") yield held;
  for (const child of ref.children) yield* textsOf(converter, store, child, { environment, signal });
}

/** The text of a message as a person saw it; empty for everything else. */
export function saidIn(event: SessionEvent): string {
  if (event.type !== "message.completed") return "";
  const { role, injected, display, blocks } = event.payload;
  if (injected !== undefined || (role !== "user" && role !== "assistant")) return "";
  return (display ?? blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n")).trim();
}
