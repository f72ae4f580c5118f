/** Qwen Code sessions written by hand, and what becomes of them. */
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
import qwen from "../src/index.js";
import { Written } from "../src/records.js";

export const ROOT = "/home/dev/.qwen";
export const CWD = "/home/dev/demo";
export const ID = "aaaaaaaa-0000-4000-8000-000000000000";
export const PATH = `${ROOT}/projects/-home-dev-demo/chats/${ID}.jsonl`;

export type Record_ = Readonly<Record<string, unknown>>;

/** @param parent of the record before it; undefined: it is the first. */
export const record = (id: string, parent: string | undefined, type: string, more: Record_): Record_ => ({
  uuid: id,
  parentUuid: parent ?? null,
  sessionId: ID,
  timestamp: "2026-11-30T10:00:01.000Z",
  type,
  cwd: CWD,
  version: "0.24.4",
  ...more,
});

export const user = (id: string, parent: string | undefined, text: string, more: Record_ = {}): Record_ =>
  record(id, parent, "user", { message: { role: "user", parts: [{ text }] }, ...more });

export const model = (id: string, parent: string, ...parts: readonly Record_[]): Record_ =>
  record(id, parent, "assistant", { model: "qwen3", message: { role: "model", parts } });

export const call = (id: string): Record_ => ({ functionCall: { id, name: "read_file", args: {} } });

export const result = (id: string, parent: string, callId: string, output: string): Record_ =>
  record(id, parent, "tool_result", {
    message: {
      role: "user",
      parts: [{ functionResponse: { id: callId, name: "read_file", response: { output } } }],
    },
    toolCallResult: { callId, status: "success" },
  });

export const system = (id: string, parent: string, subtype: string, systemPayload: object = {}): Record_ =>
  record(id, parent, "system", { subtype, systemPayload });

export const store = (...lines: readonly (Record_ | string)[]): Files => {
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  return new Map([[PATH, Buffer.from(text.join(""))]]);
};

export const listed = (files: Files): Promise<SessionRef[]> => sessionsIn(qwen, ROOT, sourceOf(files));

/** Its events in few words, every record and byte accounted for; and what was said to be lost. */
export async function read(
  ...lines: readonly (Record_ | string)[]
): Promise<{ told: string[]; losses: string[]; ref: SessionRef }> {
  const files = store(...lines);
  const [ref, more] = await listed(files);
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  const reading = await readAll(qwen, ref, sourceOf(files));
  expect(accounted(reading, ref.files, files)).toEqual([]);
  return { told: reading.events.flatMap(shortly), losses: lossesOf(reading.ledger.losses), ref };
}

/** A session of another harness, from events: its records in a store of Qwen Code, each of a strict shape. */
export async function written(
  events: readonly SessionEvent[],
  about: Partial<SessionRef> = {},
): Promise<{ lines: Written[]; losses: string[]; path: string }> {
  const { files, losses } = await convertEvents(events, {
    to: qwen,
    root: ROOT,
    about: { cwd: CWD, ...about },
  });
  const [path, bytes] = [...files].find(([each]) => each.endsWith(".jsonl")) ?? ["", undefined];
  const lines = Buffer.from(bytes ?? [])
    .toString("utf8")
    .trimEnd()
    .split("\n");
  return { lines: lines.map((line) => Written.parse(JSON.parse(line))), losses: lossesOf(losses), path };
}
