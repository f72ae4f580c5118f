/** Cline sessions written by hand, and what becomes of them. */
import {
  accounted,
  convert,
  type Files,
  readAll,
  sample,
  sessionsIn,
  sourceOf,
} from "@asp-convert/conformance/toolbox";
import type { Converter, SessionEvent, SessionRef } from "@asp-convert/core";
import { expect } from "vitest";
import type { z } from "zod";
import cline from "../src/index.js";
import { CompactionState, Manifest, Messages } from "../src/records.js";

export const ROOT = "/home/dev/.cline";
export const CWD = "/home/dev/demo";
export const ID = "1796067803824_93hq5";
const FOLDER = `${ROOT}/data/sessions/${ID}`;
export const PATH = `${FOLDER}/${ID}.messages.json`;
const T0 = Date.parse("2026-11-30T10:00:00.000Z");

type Record_ = Readonly<Record<string, unknown>>;

let n = 0;
const message = (role: string, content: unknown, more: Record_): Record_ => ({
  id: `m${n++}`,
  role,
  content: typeof content === "string" && role === "user" ? [{ type: "text", text: content }] : content,
  ts: T0 + 1000,
  ...more,
});

export const user = (content: unknown, more: Record_ = {}): Record_ => message("user", content, more);
export const model = (content: unknown, more: Record_ = {}): Record_ => message("assistant", content, more);
export const use = (id: string, name = "read_files", input: Record_ = {}): Record_ => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const answer = (id: string, content: unknown, more: Record_ = {}): Record_ => ({
  type: "tool_result",
  tool_use_id: id,
  name: "read_files",
  content,
  ...more,
});

export const manifest = (more: Record_ = {}): Record_ => ({
  version: 1,
  session_id: ID,
  source: "cli",
  pid: 1,
  started_at: "2026-11-30T10:00:00.000Z",
  status: "completed",
  interactive: true,
  provider: "openai",
  model: "gpt-9",
  cwd: CWD,
  workspace_root: CWD,
  enable_tools: true,
  enable_spawn: true,
  enable_teams: true,
  messages_path: PATH,
  ...more,
});

export interface Stored {
  messages?: readonly Record_[];
  manifest?: Record_;
  compaction?: Record_;
  /** The whole of the messages' file, as it stands. */
  text?: string;
  others?: Readonly<Record<string, unknown>>;
}

export function store({
  messages = [],
  manifest: head = manifest(),
  compaction,
  text,
  others = {},
}: Stored): Files {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2));
  return new Map([
    [
      PATH,
      text === undefined ? json({ version: 1, agent: "lead", sessionId: ID, messages }) : Buffer.from(text),
    ],
    [`${FOLDER}/${ID}.json`, json(head)],
    ...(compaction ? [[`${FOLDER}/${ID}.compaction.json`, json(compaction)] as const] : []),
    ...Object.entries(others).map(([name, value]) => [`${ROOT}/data/sessions/${name}`, json(value)] as const),
  ]);
}

export const listed = (files: Files, root = ROOT): Promise<SessionRef[]> =>
  sessionsIn(cline, root, sourceOf(files));

/** Its events, every record and byte accounted for; and what was said to be lost. */
export async function read(
  files: Files,
): Promise<{ events: SessionEvent[]; losses: string[]; ref: SessionRef }> {
  const [ref, more] = await listed(files);
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  const reading = await readAll(cline, ref, sourceOf(files));
  expect(accounted(reading, ref.files, files)).toEqual([]);
  return { events: reading.events, ref, losses: lossesOf(reading.ledger.losses) };
}

/** What is told, shortly: roles with texts, calls, results, and changes of state. */
export async function told(stored: Stored): Promise<string[]> {
  return (await read(store(stored))).events.flatMap(shortly);
}

function shortly(event: SessionEvent): string[] {
  switch (event.type) {
    case "message.completed": {
      const { role, blocks, injected, audience, kind, display } = event.payload;
      const marks = [injected, kind, audience?.join()].filter(Boolean).join(" ");
      const shown = display === undefined ? "" : ` [${display}]`;
      return [`${role}${marks && ` (${marks})`}: ${blocks.map(said).join(" | ")}${shown}`];
    }
    case "tool.completed": {
      const { toolCallId, result, isError } = event.payload;
      return [`result ${toolCallId}${isError ? " failed" : ""}: ${result.map(said).join(" | ")}`];
    }
    case "status.changed":
      return [
        event.payload.status,
        ...(event.payload.context ?? []).flatMap((kept) =>
          shortly(kept as SessionEvent).map((line) => `  ${line}`),
        ),
      ];
    case "capabilities.changed":
      return [JSON.stringify(event.payload.settings)];
    case "unknown.observed":
      return [`? ${event.payload.nativeType} ${event.payload.reason}`];
    default:
      return [];
  }
}

function said(block: { type: string; [key: string]: unknown }): string {
  if (block.type === "text") return String(block.text);
  if (block.type === "tool-call") return `${String(block.name)}#${String(block.toolCallId)}`;
  return `<${block.type}${"text" in block ? ` ${String(block.text)}` : ""}>`;
}

function lossesOf(
  losses: readonly { axis: string; level: string; reason: string; count: number }[],
): string[] {
  return losses.map(({ axis, level, reason, count }) => `${axis} ${level} ${reason} ${count}`);
}

export interface WrittenSession {
  messages: z.infer<typeof Messages>["messages"];
  manifest: z.infer<typeof Manifest>;
  compaction: z.infer<typeof CompactionState> | undefined;
  losses: string[];
  files: Files;
}

/** A session of another harness, from events: its files in a store of Cline, each of a strict shape. */
export async function written(
  events: readonly SessionEvent[],
  about: Partial<SessionRef> = {},
  present: Files = new Map(),
): Promise<WrittenSession> {
  const ref: SessionRef = {
    harness: "sample",
    id: "foreign",
    path: "/foreign",
    files: [],
    cwd: CWD,
    createdAt: "2026-11-30T10:00:00.000Z",
    size: 0,
    children: [],
    ...about,
  };
  const from: Converter = {
    ...sample,
    id: ref.harness,
    sessions: {
      ...sample.sessions,
      async *read(_, { ledger }) {
        for (const event of events)
          yield { ...event, origin: event.origin.map((place) => ({ ...place, record: ledger.record() })) };
      },
    },
  };
  const source = sourceOf(new Map());
  const { files, losses, plan } = await convert({ from, ref, source, to: cline, root: ROOT, present });
  const json = (end: string): unknown => {
    const bytes = files.get(`${ROOT}/data/sessions/${plan.id}/${plan.id}${end}`);
    return bytes && bytes.length > 0 ? JSON.parse(Buffer.from(bytes).toString("utf8")) : undefined;
  };
  return {
    messages: Messages.parse(json(".messages.json")).messages,
    manifest: Manifest.parse(json(".json")),
    compaction: CompactionState.optional().parse(json(".compaction.json")),
    losses: lossesOf(losses),
    files,
  };
}
