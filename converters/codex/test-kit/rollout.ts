/** Rollouts for tests, in few words. */
import { readAll, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import type { SessionEvent, SessionRef, Source } from "@asp-convert/core";
import codex from "../src/index.js";

export const ID = "01a22d00-0000-7000-8000-000000000001";
export const OTHER = "01a22d00-0000-7000-8000-0000000000ff";
export const ROOT = "/store";

export interface Rec {
  timestamp: string;
  ordinal?: number;
  type: string;
  payload: Record<string, unknown>;
}

let clock = 0;
/** Every record is one second later than the one before. */
export function line(type: string, payload: Record<string, unknown>): Rec {
  return { timestamp: new Date(Date.UTC(2026, 10, 30, 10) + clock++ * 1000).toISOString(), type, payload };
}
export function restart(): void {
  clock = 0;
}

export const meta = (more: Record<string, unknown> = {}): Rec =>
  line("session_meta", {
    id: ID,
    timestamp: "2026-11-30T10:00:00.000Z",
    cwd: "/home/dev/demo",
    originator: "codex-tui",
    cli_version: "0.171.0",
    source: "cli",
    ...more,
  });
export const item = (payload: Record<string, unknown>): Rec => line("response_item", payload);
export const user = (text: string, more: Record<string, unknown> = {}): Rec =>
  item({ type: "message", role: "user", content: [{ type: "input_text", text }], ...more });
export const assistant = (text: string, more: Record<string, unknown> = {}): Rec =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }], ...more });
export const call = (id: string, args: unknown = { cmd: "ls" }, more: Record<string, unknown> = {}): Rec =>
  item({
    type: "function_call",
    name: "exec_command",
    arguments: JSON.stringify(args),
    call_id: id,
    ...more,
  });
export const output = (id: string, text: unknown = "a.txt"): Rec =>
  item({ type: "function_call_output", call_id: id, output: text });
export const said = (type: string, fields: Record<string, unknown> = {}): Rec =>
  line("event_msg", { type, ...fields });
export const shown = (shownItem: Record<string, unknown>): Rec =>
  said("item_completed", { thread_id: ID, turn_id: "t", item: shownItem, completed_at_ms: 1 });

export const jsonl = (records: readonly unknown[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join("");
export const numbered = (records: readonly Rec[], first = 0): Rec[] =>
  records.map((each, i) => ({
    timestamp: each.timestamp,
    ordinal: first + i,
    type: each.type,
    payload: each.payload,
  }));
export const pathOf = (id = ID, time = "2026-11-30T10-00-00"): string =>
  `${ROOT}/sessions/2026/11/30/rollout-${time}-${id}.jsonl`;

export interface Opened {
  source: Source;
  refs: SessionRef[];
}

/** @param files absolute path → content; or the records of one session. */
export async function opened(
  files: Record<string, string | Uint8Array> | readonly unknown[],
): Promise<Opened> {
  const all = Array.isArray(files)
    ? { [pathOf()]: jsonl(files) }
    : (files as Record<string, string | Uint8Array>);
  const source = sourceOf(
    new Map(Object.entries(all).map(([path, content]) => [path, Buffer.from(content)])),
  );
  return { source, refs: await sessionsIn(codex, ROOT, source) };
}

export function only({ refs }: Opened, id?: string): SessionRef {
  const found = id === undefined ? refs : refs.filter((ref) => ref.id === id);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} sessions where one was expected`);
  return found[0];
}

/** The events of the one session (or the one named), each record accounted for. */
export async function eventsOf(files: Parameters<typeof opened>[0], id?: string): Promise<SessionEvent[]> {
  const store = await opened(files);
  const { events, ledger } = await readAll(codex, only(store, id), store.source);
  for (const event of events) ledger.mapped(event);
  ledger.settle();
  return events;
}

export function ofType<T extends SessionEvent["type"]>(
  events: readonly SessionEvent[],
  type: T,
): Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

/** Who said what, one line each; what is not for both has a mark. */
export function talk(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    const side = event.branch === undefined ? "" : "~";
    if (event.type === "tool.completed") {
      const text = event.payload.result
        .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
        .join("|");
      return [`${side}${event.payload.isError ? "!" : ""}result ${event.payload.toolCallId} ${text}`];
    }
    if (event.type !== "message.completed") return [];
    const { role, injected, audience, blocks, kind } = event.payload;
    const mark = injected ?? kind ?? (audience ? `for ${audience.join()}` : "");
    const words = blocks.map((block) => {
      if (block.type === "text") return block.text;
      if (block.type === "thinking") return `(${block.text})`;
      if (block.type === "tool-call") return `#${block.toolCallId}`;
      return block.type === "unknown" ? `<${block.nativeType}>` : `[${block.type}]`;
    });
    return [`${side}${role}${mark ? ` (${mark})` : ""}: ${words.join(" ")}`];
  });
}
