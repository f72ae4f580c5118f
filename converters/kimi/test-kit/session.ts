/** Kimi Code journals written by hand, and what becomes of them. */
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
import kimi from "../src/index.js";
import { sessionFolder } from "../src/layout.js";

export const ROOT = "/home/dev/.kimi-code";
export const CWD = "/home/dev/demo";
export const ID = "session_aaaaaaaa-0000-4000-8000-000000000000";
export const FOLDER = `${ROOT}/${sessionFolder(CWD, ID)}`;
export const WIRE = `${FOLDER}/agents/main/wire.jsonl`;

type Fields = Readonly<Record<string, unknown>>;
export type Line = Fields | string;

let clock = 1_796_000_000_000;
const record = (type: string, more: Fields): Fields => ({ type, agentId: "main", ...more, time: clock++ });

export const metadata: Fields = { type: "metadata", protocol_version: "1.5", created_at: clock };

export const user = (
  text: string,
  origin: Fields | undefined = { kind: "user" },
  more: Fields = {},
): Fields =>
  record("context.append_message", {
    message: {
      role: "user",
      content: [{ type: "text", text }],
      toolCalls: [],
      ...(origin && { origin }),
      ...more,
    },
  });

export const reminder = (text: string): Fields =>
  user(`<system-reminder>\n${text}\n</system-reminder>`, { kind: "injection", variant: "date_change" });

export const loop = (event: Fields): Fields => record("context.append_loop_event", { event });
export const begin = (uuid: string): Fields => loop({ type: "step.begin", uuid, turnId: "0", step: 1 });
export const part = (stepUuid: string, value: Fields): Fields =>
  loop({ type: "content.part", uuid: `${stepUuid}-p`, stepUuid, part: value });
export const says = (stepUuid: string, text: string): Fields => part(stepUuid, { type: "text", text });
export const calls = (stepUuid: string, toolCallId: string, name = "Read"): Fields =>
  loop({ type: "tool.call", uuid: `${toolCallId}-u`, stepUuid, toolCallId, name, args: { path: "a" } });
export const answers = (toolCallId: string, result: Fields): Fields =>
  loop({ type: "tool.result", parentUuid: `${toolCallId}-u`, toolCallId, result });
export const end = (uuid: string, finishReason = "end_turn"): Fields =>
  loop({ type: "step.end", uuid, turnId: "0", step: 1, finishReason });
/** An answer in words. */
export const answer = (uuid: string, text: string): Fields[] => [begin(uuid), says(uuid, text), end(uuid)];
export const whole = (message: Fields): Fields => record("context.append_message", { message });
export const undo = (count: number): Fields => record("context.undo", { count });
export const other = (type: string, more: Fields = {}): Fields => record(type, more);

export const fileOf = (lines: readonly Line[]): Buffer =>
  Buffer.from(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));

export const store = (lines: readonly Line[], state: Fields = {}): Files =>
  new Map([
    [WIRE, fileOf(lines)],
    [`${FOLDER}/state.json`, Buffer.from(JSON.stringify({ id: ID, version: 2, cwd: CWD, ...state }))],
  ]);

export const listed = (files: Files, root = ROOT): Promise<SessionRef[]> =>
  sessionsIn(kimi, root, sourceOf(files));

/** Its events, every record and byte accounted for; and what was said to be lost. */
export async function read(
  files: Files,
): Promise<{ events: SessionEvent[]; losses: string[]; ref: SessionRef }> {
  const [ref, more] = await listed(files);
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  const reading = await readAll(kimi, ref, sourceOf(files));
  expect(accounted(reading, ref.files, files)).toEqual([]);
  return { events: reading.events, ref, losses: lossesOf(reading.ledger.losses) };
}

/** What is told, shortly: roles with texts, calls, results, and changes of state. */
export async function told(...lines: readonly Line[]): Promise<string[]> {
  return (await read(store([metadata, ...lines]))).events.flatMap(shortly);
}

export function shortly(event: SessionEvent): string[] {
  const aside = event.branch === undefined ? "" : "[aside] ";
  switch (event.type) {
    case "message.completed": {
      const { role, blocks, injected, audience, kind } = event.payload;
      const marks = [injected, kind, audience?.join()].filter(Boolean).join(" ");
      return [`${aside}${role}${marks && ` (${marks})`}: ${blocks.map(said).join(" | ")}`];
    }
    case "tool.completed": {
      const { toolCallId, result, isError } = event.payload;
      return [`${aside}result ${toolCallId}${isError ? " failed" : ""}: ${result.map(said).join(" | ")}`];
    }
    case "status.changed":
      return [
        `${aside}${event.payload.status}`,
        ...(event.payload.context ?? []).flatMap((kept) => shortly(kept).map((line) => `  ${line}`)),
      ];
    default:
      return [];
  }
}

function said(block: { type: string; [key: string]: unknown }): string {
  if (block.type === "text") return String(block.text);
  if (block.type === "tool-call") return `${String(block.name)}#${String(block.toolCallId)}`;
  return `<${block.type}${"text" in block ? ` ${String(block.text)}` : ""}>`;
}

export function lossesOf(
  losses: readonly { axis: string; level: string; reason: string; count: number }[],
): string[] {
  return losses.map(({ axis, level, reason, count }) => `${axis} ${level} ${reason} ${count}`);
}

/** A session of another harness, from events: its records in a store of Kimi Code, and its files. */
export async function written(
  events: readonly SessionEvent[],
  about: Partial<SessionRef> = {},
): Promise<{ lines: Fields[]; state: Fields; losses: string[]; files: Files }> {
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
  const conversion = await convert({ from, ref, source: sourceOf(new Map()), to: kimi, root: ROOT });
  const fileNamed = (end: string): string =>
    Buffer.from([...conversion.files].find(([path]) => path.endsWith(end))?.[1] ?? []).toString("utf8");
  const wire = fileNamed("agents/main/wire.jsonl");
  expect(wire.endsWith("\n")).toBe(true);
  return {
    lines: wire
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Fields),
    state: JSON.parse(fileNamed("state.json")) as Fields,
    losses: lossesOf(conversion.losses),
    files: conversion.files,
  };
}
