/**
 * Acme's records: one JSON object a line. TODO: what the real program writes. Whatever does not fit is left unread,
 * and told of; it is never refused, and never half read.
 */
export const VERSION = "0.0.0";

export interface Head {
  type: "session";
  id: string;
  time: string;
  cwd: string;
  version: string;
  /** Our own: where a converted session came from. Acme ignores keys that it does not know. */
  from?: { harness: string; id: string };
}

export interface Message {
  type: "user" | "assistant";
  id: string;
  time: string;
  parts: Part[];
  model?: string;
}

export type Part = { text: string } | { tool: { id: string; name: string; input: unknown } };

export interface Result {
  type: "result";
  call: string;
  time: string;
  text: string;
  failed: boolean;
}

export interface Title {
  type: "title";
  time: string;
  title: string;
}

export type NativeRecord = Head | Message | Result | Title;

/** The value as a record, if it is one in all its parts. */
export function asRecord(value: unknown): NativeRecord | undefined {
  if (!isObject(value) || !isTime(value.time)) return undefined;
  switch (value.type) {
    case "session":
      return areTexts(value.id, value.cwd, value.version) ? (value as unknown as Head) : undefined;
    case "user":
    case "assistant": {
      const fits =
        areTexts(value.id, value.model ?? "") && Array.isArray(value.parts) && value.parts.every(isPart);
      return fits ? (value as unknown as Message) : undefined;
    }
    case "result":
      return areTexts(value.call, value.text) && typeof value.failed === "boolean"
        ? (value as unknown as Result)
        : undefined;
    case "title":
      return areTexts(value.title) ? (value as unknown as Title) : undefined;
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
