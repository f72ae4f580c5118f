/** Droid's content parts → portable blocks. They are Anthropic's, with a few keys more. */
import type { Block } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";

/** undefined: a part that the program drops too. */
export function blockOf(part: Fields): Block | undefined {
  switch (part.type) {
    case "text":
      return { type: "text", text: string(part.text) ?? "" };
    case "thinking": {
      const text = string(part.thinking) ?? "";
      const signature = name(part.signature);
      // Made by an API that signs nothing: there it is the name of a field.
      const isSigned = signature !== undefined && part.signatureProvider !== "generic-chat-completion-api";
      return { type: "thinking", text, ...(isSigned && { signature }) };
    }
    case "redacted_thinking":
      return { type: "unknown", nativeType: "droid.redacted_thinking", value: part };
    case "tool_use": {
      const [toolCallId, full] = [name(part.id), name(part.name)];
      if (toolCallId === undefined || full === undefined) return undefined;
      return { type: "tool-call", toolCallId, ...toolOf(full), arguments: part.input ?? {} };
    }
    case "image": {
      const source = fields(part.source);
      const [data, mimeType] = [name(source?.data), name(source?.media_type)];
      return data === undefined
        ? undefined
        : { type: "image", data, ...(mimeType !== undefined && { mimeType }) };
    }
    default:
      return undefined;
  }
}

/** `lab___look_up_color`: a server, and its tool. */
function toolOf(full: string): { name: string; namespace?: string } {
  const at = full.indexOf("___");
  return at > 0 ? { namespace: full.slice(0, at), name: full.slice(at + 3) } : { name: full };
}

export function resultOf({ content }: Fields): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return list(content).flatMap((part) => blockOf(fields(part) ?? {}) ?? []);
}
