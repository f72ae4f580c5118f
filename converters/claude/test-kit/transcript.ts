/** What the tests of this converter share: small transcripts, and what is read of them. No part of the package. */
import { type Reading, readAll, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import type { SessionEvent, SessionRef } from "@asp-convert/core";
import claude from "../src/index.js";
import type { Json } from "../src/sessions/value.js";

export const ROOT = "/store";
export const ID = "bbbbbbbb-0000-4000-8000-000000000001";
export const CWD = "/home/dev/demo";

export interface Read extends Reading {
  ref: SessionRef;
}

/** Lists and reads a store of one transcript, and of files beside it by their path below the root. */
export async function readText(text: string, beside: Readonly<Record<string, string>> = {}): Promise<Read[]> {
  const files = new Map<string, Uint8Array>([
    [`${ROOT}/projects/-home-dev-demo/${ID}.jsonl`, Buffer.from(text)],
  ]);
  for (const [path, content] of Object.entries(beside)) files.set(`${ROOT}/${path}`, Buffer.from(content));
  const source = sourceOf(files);
  const refs = await sessionsIn(claude, ROOT, source);
  return Promise.all(refs.map(async (ref) => ({ ref, ...(await readAll(claude, ref, source)) })));
}

export async function readOne(text: string, beside: Readonly<Record<string, string>> = {}): Promise<Read> {
  const [only, ...more] = await readText(text, beside);
  if (!only || more.length > 0) throw new Error(`${more.length + (only ? 1 : 0)} sessions instead of one`);
  return only;
}

const COMMON = {
  isSidechain: false,
  userType: "external",
  entrypoint: "cli",
  cwd: CWD,
  sessionId: ID,
  version: "2.1.332",
  gitBranch: "main",
};

/** Records as lines: uuids, parents and times are filled in, one after the other, where they are not given. */
export function lines(...records: readonly Json[]): string {
  let parent: string | null = null;
  let time = Date.parse("2026-11-30T10:00:00.000Z");
  return records
    .map((record, n) => {
      if (!["user", "assistant", "attachment", "system", "progress"].includes(String(record.type)))
        return `${JSON.stringify(record)}\n`;
      time += 1000;
      const uuid = String(record.uuid ?? uuidOf(n + 1));
      const made = {
        parentUuid: parent,
        ...COMMON,
        timestamp: new Date(time).toISOString(),
        ...record,
        uuid,
      };
      parent = uuid;
      return `${JSON.stringify(made)}\n`;
    })
    .join("");
}

export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
export const user = (content: unknown, more: Json = {}): Json => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
export const said = (id: string, ...content: readonly unknown[]): Json => ({
  type: "assistant",
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  },
});
export const call = (id: string, input: Json = { command: "ls" }, name = "Bash"): Json => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const result = (id: string, content: unknown, more: Json = {}): Json =>
  user([{ tool_use_id: id, type: "tool_result", content, ...more }]);

/** What a model would be sent, as `[user|assistant|call|result|image, words]`. */
export function sentOf(events: readonly SessionEvent[]): [string, string][] {
  let sent: [string, string][] = [];
  for (const event of events) {
    if (event.branch !== undefined) continue;
    if (event.type === "status.changed" && event.payload.context) sent = sentOf(event.payload.context);
    else if (event.type === "tool.completed") {
      sent.push([
        "result",
        event.payload.result
          .map((block) => (block.type === "text" ? block.text : ""))
          .join("\n")
          .trim(),
      ]);
    } else if (event.type === "message.completed") {
      const { role, injected, audience, blocks } = event.payload;
      if (injected === "harness" || (audience && !audience.includes("assistant"))) continue;
      for (const block of blocks) {
        if (block.type === "tool-call") sent.push(["call", JSON.stringify(block.arguments)]);
        else if (block.type === "image") sent.push(["image", (block.data ?? block.uri ?? "").slice(-64)]);
        else if (block.type === "text" && block.text.trim() !== "") sent.push([role, block.text.trim()]);
      }
    }
  }
  return sent;
}

/** Events without the bookkeeping around the talk: `type what`. */
export function told(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    const mark = event.branch === undefined ? "" : " (branch)";
    switch (event.type) {
      case "message.completed":
        return [
          `${event.payload.injected ?? event.payload.kind ?? event.payload.role}: ${event.payload.blocks.map((block) => (block.type === "text" ? block.text : block.type)).join(" | ")}${mark}`,
        ];
      case "tool.completed":
        return [
          `result ${event.payload.toolCallId}: ${event.payload.result.map((block) => (block.type === "text" ? block.text : block.type)).join(" | ")}${mark}`,
        ];
      default:
        return [];
    }
  });
}
