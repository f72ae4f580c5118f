/** Burrow's rows, as they are read. Whatever does not fit is left unread, and told of. */
export const VERSION = "2.3.0";

export interface Head {
  table: "session";
  id: string;
  cwd: string;
  title?: string;
  created: string;
  version: string;
}

export type Part = { text: string } | { tool: { id: string; name: string; input: unknown } };

interface EntryOf<K extends string, D> {
  table: "entry";
  session_id: string;
  seq: number;
  at: string;
  kind: K;
  data: D;
}
export type Message = EntryOf<"user" | "assistant", { id: string; parts: Part[]; model?: string }>;
export type Result = EntryOf<"result", { call: string; text: string; failed: boolean }>;
export type Entry = Message | Result;
export type NativeRecord = Head | Entry;

export function asRecord(value: unknown): NativeRecord | undefined {
  if (!isObject(value)) return undefined;
  if (value.table === "session") {
    const fits = areTexts(value.id, value.cwd, value.version, value.title ?? "") && isTime(value.created);
    return fits ? (value as unknown as Head) : undefined;
  }
  const { data } = value;
  if (value.table !== "entry" || !isObject(data) || !isTime(value.at) || typeof value.seq !== "number")
    return undefined;
  switch (value.kind) {
    case "user":
    case "assistant": {
      const fits =
        areTexts(data.id, data.model ?? "") && Array.isArray(data.parts) && data.parts.every(isPart);
      return fits ? (value as unknown as Message) : undefined;
    }
    case "result":
      return areTexts(data.call, data.text) && typeof data.failed === "boolean"
        ? (value as unknown as Result)
        : undefined;
    default:
      return undefined;
  }
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { tool } = part;
  return isObject(tool) ? areTexts(tool.id, tool.name) && "input" in tool : areTexts(part.text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function isTime(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}
