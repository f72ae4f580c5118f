/** The messages of a session, from one look over its bytes: where each of them lies, and what stands around them. */
import { documentParts, MAX_LINE, type OpenFile } from "@asp-convert/core";
import { type Fields, fields, isoOf, list, parsed, string } from "@asp-convert/core/values";

export interface Place {
  offset: number;
  length: number;
}

export interface Scan {
  /** Of the document around the list: empty where the file is the list alone. */
  head: Fields;
  messages: readonly Place[];
  /** What is no message: a stretch that is no JSON, or the end of a file that was cut off. */
  others: readonly (Place & { why: "unparsable" | "torn-tail" })[];
}

export function scan(file: OpenFile): Scan {
  const { shell, objects, cut } = documentParts(file, ["messages"]);
  const isNone = shell === undefined && objects.length === 0 && file.size > 0 && cut === undefined;
  return {
    head: fields(shell) ?? {},
    messages: objects,
    others: [
      ...(cut ? [{ why: "torn-tail" as const, ...cut }] : []),
      ...(isNone ? [{ why: "unparsable" as const, offset: 0, length: file.size }] : []),
    ],
  };
}

/** undefined: it is no record of a message, or too large to be held. */
export function messageAt(file: OpenFile, { offset, length }: Place): Fields | undefined {
  if (length > MAX_LINE) return undefined;
  return fields(parsed(Buffer.from(file.read(offset, length)).toString("utf8")));
}

/** Content is a text or a list of blocks. A text of blanks is nothing. */
export function blocksIn(message: Fields): readonly unknown[] {
  const { content } = message;
  if (typeof content === "string") return content.trim() === "" ? [] : [{ type: "text", text: content }];
  return list(content);
}

export function isResult(block: unknown): boolean {
  return fields(block)?.type === "tool_result";
}

/** Something that a person or the model said. */
export function isTalk(message: Fields): boolean {
  const blocks = blocksIn(message);
  return (
    (message.role === "user" || message.role === "assistant") &&
    fields(message.metadata)?.displayOnly !== true &&
    !(blocks.length > 0 && blocks.every(isResult))
  );
}

/** ISO 8601; undefined for what is no time. */
export function timeOf(message: Fields): string | undefined {
  return isoOf(message.ts);
}

export function textsIn(message: Fields): string[] {
  return blocksIn(message).flatMap((block) => {
    const { type, text } = fields(block) ?? {};
    return type === "text" ? (string(text) ?? []) : [];
  });
}
