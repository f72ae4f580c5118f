/** Pi sessions written by hand, and what becomes of them. */
import {
  accounted,
  convert,
  type Files,
  readAll,
  sample,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
} from "@asp-convert/conformance/toolbox";
import type { Converter, SessionEvent, SessionPlan, SessionRef } from "@asp-convert/core";
import { expect } from "vitest";
import pi from "../src/index.js";
import { Written } from "../src/records.js";

export const ROOT = "/store";
export const PATH = `${ROOT}/sessions/--home-dev-demo--/2026-11-30T10-00-00-000Z_s1.jsonl`;
export const START = Date.parse("2026-11-30T10:00:00.000Z");

type Record_ = Readonly<Record<string, unknown>>;

export function header(more: Record_ = {}): Record_ {
  return {
    type: "session",
    version: 3,
    id: "s1",
    timestamp: "2026-11-30T10:00:00.000Z",
    cwd: "/home/dev/demo",
    ...more,
  };
}

/** Entries one below the other, from `ids` that are letters; a `parentId` of their own leads elsewhere. */
export function chain(entries: Readonly<Record<string, Record_>>, from: string | null = null): Record_[] {
  let parent = from;
  return Object.entries(entries).map(([id, { type, ...rest }], i) => {
    const timestamp = new Date(START + (i + 1) * 1000).toISOString();
    const entry = { type, id, parentId: parent, timestamp, ...rest };
    parent = id;
    return entry;
  });
}

export const user = (text: string): Record_ => ({
  type: "message",
  message: { role: "user", content: [{ type: "text", text }] },
});

export const text = (words: string): Record_ => ({ type: "text", text: words });

export const answer = (content: string | Record_[], more: Record_ = {}): Record_ => ({
  type: "message",
  message: {
    role: "assistant",
    content: typeof content === "string" ? [text(content)] : content,
    api: "openai-completions",
    provider: "mock",
    model: "mock-1",
    stopReason: "stop",
    ...more,
  },
});

export const call = (id: string, args: Record_ = { command: "ls" }): Record_ => ({
  type: "toolCall",
  id,
  name: "bash",
  arguments: args,
});

export const result = (toolCallId: string, words: string, more: Record_ = {}): Record_ => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId,
    toolName: "bash",
    content: [text(words)],
    isError: false,
    ...more,
  },
});

export type Line = Record_ | string;

export function fileOf(lines: readonly Line[]): Buffer {
  return Buffer.from(
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
  );
}

export function store(...lines: readonly Line[]): Files {
  return new Map([[PATH, fileOf(lines)]]);
}

export async function listed(files: Files, root = ROOT, converter: Converter = pi): Promise<SessionRef[]> {
  return sessionsIn(converter, root, sourceOf(files));
}

export async function onlyOne(files: Files, root = ROOT): Promise<SessionRef> {
  const [ref, more] = await listed(files, root);
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  return ref;
}

/** Its events, every record and byte accounted for; and what was said to be lost, as `axis level reason`. */
export async function read(
  files: Files,
): Promise<{ events: SessionEvent[]; losses: string[]; ref: SessionRef }> {
  const ref = await onlyOne(files);
  const reading = await readAll(pi, ref, sourceOf(files));
  expect(accounted(reading, ref.files, files)).toEqual([]);
  return { events: reading.events, ref, losses: lossesOf(reading.ledger.losses) };
}

export function lossesOf(
  losses: readonly { axis: string; level: string; reason: string; count: number }[],
): string[] {
  return losses.map(({ axis, level, reason, count }) => `${axis} ${level} ${reason} ${count}`);
}

/** What a session is in a store of Pi, written from its events; each line held against the strict shapes. */
export async function rewritten(
  files: Files,
  change: (ref: SessionRef) => SessionRef = (ref) => ref,
): Promise<{ lines: Written[]; losses: string[]; files: Files; plan: SessionPlan }> {
  const ref = change(await onlyOne(files));
  const conversion = await convert({ from: pi, ref, source: sourceOf(files), to: pi });
  const { plan } = conversion;
  const own = [...conversion.files.entries()].find(([path]) => path.includes(plan.id));
  return { lines: linesIn(own?.[1]), losses: lossesOf(conversion.losses), files: conversion.files, plan };
}

/** A session of another harness, from events: what its lines are in a store of Pi. */
export async function written(
  events: readonly SessionEvent[],
  about: Partial<SessionRef> = {},
  target: { cwd?: string } = {},
): Promise<{ lines: Written[]; losses: string[]; kept: ReadonlyMap<string, number> }> {
  const ref: SessionRef = {
    harness: "sample",
    id: "foreign",
    path: "/foreign",
    files: [],
    cwd: "/home/dev/demo",
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
        for (const event of events) {
          const origin = event.origin.map((place) => ({ ...place, record: ledger.record() }));
          yield { ...event, origin };
        }
      },
    },
  };
  const conversion = await convert({ from, ref, source: sourceOf(new Map()), to: pi, ...target });
  const [bytes] = conversion.files.values();
  return {
    lines: linesIn(bytes),
    losses: lossesOf(conversion.losses),
    kept: conversion.ledgers[0]?.kept ?? new Map(),
  };
}

export function linesIn(bytes: Uint8Array | undefined): Written[] {
  const all = Buffer.from(bytes ?? []).toString("utf8");
  expect(all.endsWith("\n")).toBe(true);
  return all
    .trimEnd()
    .split("\n")
    .map((line) => Written.parse(JSON.parse(line)));
}

/** The chain of the last line, from its root. */
export function talkOfLines(lines: readonly Written[]): Written[] {
  const byId = new Map(lines.flatMap((line) => ("parentId" in line ? [[line.id, line] as const] : [])));
  const talk: Written[] = [];
  for (let at = byId.get((lines.at(-1) as { id: string }).id); at; at = byId.get(at.parentId ?? ""))
    talk.push(at);
  return talk.reverse();
}

export { TARGET_ROOT };
