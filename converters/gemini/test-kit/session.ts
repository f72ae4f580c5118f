/** Gemini CLI sessions written by hand, and what becomes of them. */
import {
  accounted,
  convertEvents,
  type Files,
  lossesOf,
  readAll,
  sessionsIn,
  shortly,
  sourceOf,
} from "@asp-convert/conformance/toolbox";
import type { SessionEvent, SessionRef } from "@asp-convert/core";
import { expect } from "vitest";
import gemini from "../src/index.js";
import { sha256 } from "../src/layout.js";
import { Written } from "../src/records.js";

export const ROOT = "/home/dev";
const TMP = `${ROOT}/.gemini/tmp`;
export const CWD = "/home/dev/demo";
export const PATH = `${TMP}/demo/chats/session-2026-11-30T10-00-aaaaaaaa.jsonl`;

type Record_ = Readonly<Record<string, unknown>>;
export type Line = Record_ | string;

export const head = (more: Record_ = {}): Record_ => ({
  sessionId: "aaaaaaaa-0000-4000-8000-000000000000",
  projectHash: sha256(CWD),
  startTime: "2026-11-30T10:00:00.000Z",
  lastUpdated: "2026-11-30T10:00:00.000Z",
  kind: "main",
  ...more,
});

const message = (id: string, type: string, content: unknown, more: Record_ = {}): Record_ => ({
  id,
  timestamp: "2026-11-30T10:00:01.000Z",
  type,
  content,
  ...more,
});

export const user = (id: string, content: unknown, more: Record_ = {}): Record_ =>
  message(id, "user", typeof content === "string" ? [{ text: content }] : content, more);

export const model = (id: string, content: unknown, more: Record_ = {}): Record_ =>
  message(id, "gemini", content, { thoughts: [], tokens: null, model: "gemini-2.5-pro", ...more });

export const note = (id: string, type: string, content: string): Record_ => message(id, type, content);

export const response = (id: string, output: string, name = "read_file"): Record_ => ({
  functionResponse: { id, name, response: { output } },
});

export const call = (id: string, result?: unknown, more: Record_ = {}): Record_ => ({
  id,
  name: "read_file",
  args: { file_path: "a.js" },
  ...(result !== undefined && { result }),
  status: "success",
  timestamp: "2026-11-30T10:00:02.000Z",
  ...more,
});

export const CONTEXT = user("ctx", "<session_context>\nThis is the Gemini CLI.\n</session_context>");

export const fileOf = (lines: readonly Line[]): Buffer =>
  Buffer.from(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));

export const store = (...lines: readonly Line[]): Files =>
  new Map([
    [PATH, fileOf(lines)],
    [`${TMP}/demo/.project_root`, Buffer.from(CWD)],
    [`${ROOT}/.gemini/projects.json`, Buffer.from(JSON.stringify({ projects: { [CWD]: "demo" } }))],
  ]);

export const listed = (files: Files, root = ROOT): Promise<SessionRef[]> =>
  sessionsIn(gemini, root, sourceOf(files));

/** Its events, every record and byte accounted for; and what was said to be lost. */
export async function read(
  files: Files,
): Promise<{ events: SessionEvent[]; losses: string[]; ref: SessionRef }> {
  const [ref, more] = await listed(files);
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  const reading = await readAll(gemini, ref, sourceOf(files));
  expect(accounted(reading, ref.files, files)).toEqual([]);
  return { events: reading.events, ref, losses: lossesOf(reading.ledger.losses) };
}

/** What is told, shortly: roles with texts, calls, results, and changes of state. */
export async function told(...lines: readonly Line[]): Promise<string[]> {
  return (await read(store(...lines))).events.flatMap(shortly);
}

/** A session of another harness, from events: what its lines are in a store of Gemini CLI, each of a strict shape. */
export async function written(
  events: readonly SessionEvent[],
  about: Partial<SessionRef> = {},
  present: Files = new Map(),
): Promise<{ lines: Written[]; losses: string[]; files: Files }> {
  const conversion = await convertEvents(events, {
    to: gemini,
    root: ROOT,
    present,
    about: { cwd: CWD, ...about },
  });
  const chat = [...conversion.files].find(([path]) => path.endsWith(".jsonl"))?.[1];
  return { lines: linesIn(chat), losses: lossesOf(conversion.losses), files: conversion.files };
}

export function linesIn(bytes: Uint8Array | undefined): Written[] {
  const all = Buffer.from(bytes ?? []).toString("utf8");
  expect(all.endsWith("\n")).toBe(true);
  return all
    .trimEnd()
    .split("\n")
    .map((line) => Written.parse(JSON.parse(line)));
}
