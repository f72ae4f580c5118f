/**
 * Parts of a message, as Google's API and the programs around it write them, as portable blocks: text, thoughts,
 * calls, results and bytes.
 */
import type { Block, Usage } from "@asp-convert/core";
import { type Fields, fields, list, name, number, string } from "@asp-convert/core/values";

/** What Google binds a part to its reasoning with; it stands behind the block that it belongs to. */
export const SIGNATURE = "gemini.thought_signature";

/** Content is a text, one part, or a list of either. */
export function partsIn(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  if (Array.isArray(content))
    return content.map((part) => (typeof part === "string" ? { text: part } : part));
  return fields(content) ? [content] : [];
}

export function isResponse(part: unknown): boolean {
  return fields(fields(part)?.functionResponse) !== undefined;
}

/**
 * A part of what a person or a model said. Results are no blocks: see `resultsIn`.
 * @param callId names a call that has no id of its own.
 */
export function blocksOf(part: unknown, callId: () => string): Block[] {
  const given = fields(part) ?? {};
  return [block(given, part, callId), ...signature(given)];
}

function block(part: Fields, value: unknown, callId: () => string): Block {
  const call = fields(part.functionCall);
  if (call)
    return {
      type: "tool-call",
      toolCallId: name(call.id) ?? callId(),
      name: string(call.name) ?? "",
      arguments: call.args ?? {},
    };
  const text = string(part.text);
  if (text !== undefined) return part.thought === true ? { type: "thinking", text } : { type: "text", text };
  return bytes(part) ?? { type: "unknown", nativeType: "gemini.part", value };
}

function signature({ thoughtSignature }: Fields): Block[] {
  return thoughtSignature === undefined || thoughtSignature === null
    ? []
    : [{ type: "unknown", nativeType: SIGNATURE, value: thoughtSignature }];
}

/** Bytes inside, or a file somewhere: a picture, or a document. */
function bytes(part: Fields): Block | undefined {
  const inside = fields(part.inlineData);
  const outside = fields(part.fileData);
  const data = string(inside?.data);
  const uri = string(outside?.fileUri);
  if (data === undefined && uri === undefined) return undefined;
  const mimeType = string(inside?.mimeType) ?? string(outside?.mimeType);
  const title = name(inside?.displayName) ?? name(outside?.displayName);
  if (mimeType?.startsWith("image/"))
    return {
      type: "image",
      mimeType,
      ...(data === undefined ? { uri: uri ?? "" } : { data }),
      ...(title !== undefined && { alt: title }),
    };
  return {
    type: "reference",
    uri: uri ?? title ?? "document",
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...(title !== undefined && { title }),
    ...(data !== undefined && { data }),
  };
}

export interface Answered {
  /** undefined: the part does not say which call it answers. */
  id: string | undefined;
  name: string;
  result: Block[];
  isError: boolean;
}

export interface Taken {
  results: Answered[];
  /** Parts that belong to no result. */
  rest: unknown[];
}

/** Results among parts: each with the bytes that stand behind it, which the program puts beside a result. */
export function resultsIn(parts: readonly unknown[]): Taken {
  const results: Answered[] = [];
  const rest: unknown[] = [];
  for (const part of parts) {
    const response = fields(fields(part)?.functionResponse);
    const last = results.at(-1);
    const beside = last && fields(part) ? bytes(fields(part) ?? {}) : undefined;
    if (response) results.push(answered(response));
    else if (last && beside) last.result.push(beside);
    else rest.push(part);
  }
  return { results, rest };
}

function answered(response: Fields): Answered {
  const said = fields(response.response);
  const { text, isError } = said ? textOf(said) : { text: undefined, isError: false };
  const result: Block[] = text === undefined ? [] : [{ type: "text", text }];
  for (const part of list(response.parts)) {
    const block = fields(part) && bytes(fields(part) ?? {});
    result.push(block ?? { type: "unknown", nativeType: "gemini.part", value: part });
  }
  return { id: name(response.id), name: string(response.name) ?? "", result, isError };
}

/** `output` or `error` alone are texts; anything else is the value that the model saw. */
function textOf(response: Fields): { text: string | undefined; isError: boolean } {
  const keys = Object.keys(response);
  const [only] = keys;
  if (keys.length === 0) return { text: undefined, isError: false };
  const value = keys.length === 1 && only !== undefined ? response[only] : undefined;
  if (typeof value === "string" && (only === "output" || only === "error"))
    return { text: value, isError: only === "error" };
  return { text: JSON.stringify(response), isError: "error" in response };
}

/** Counts by the source's own names of them, in this order: those that it has. */
export function usageOf(value: unknown, names: Readonly<Record<string, keyof Usage>>): Usage | undefined {
  const given = fields(value);
  if (!given) return undefined;
  const entries = Object.entries(names).flatMap(([native, own]) => {
    const count = number(given[native]);
    return count === undefined ? [] : [[own, count] as const];
  });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Usage);
}
