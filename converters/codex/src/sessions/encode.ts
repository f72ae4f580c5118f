/**
 * Portable blocks as response items, each as JSON text. Only shapes that Codex itself writes: it drops a whole
 * record for one part that it does not know.
 */
import {
  type Block,
  type ImageBlock,
  isBlank,
  keptJson,
  type LossLedger,
  legalId,
  type ToolCallBlock,
  wellFormed,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import type { CodexCall, CodexImage, CodexThinking } from "./items.js";

/** What a writer must know to encode a block. */
export interface Encoding {
  /** Absent: what is lost was told already. */
  ledger?: LossLedger | undefined;
  /** The session came from Codex: what only Codex understands goes back as it was. */
  native: boolean;
  /** Ordinal of the record at hand, for the account. */
  record: number | undefined;
}

/** JSON of a text that every vendor takes. */
export function text(value: string, { ledger, record }: Encoding): string {
  const known = keptJson(value);
  if (known !== undefined) return known;
  const clean = wellFormed(value);
  if (clean !== value) ledger?.note({ axis: "messages", level: "partial", reason: "invalid-text" }, record);
  return JSON.stringify(clean);
}

/** Codex decodes these; anything else it replaces by a text of its own. By the first characters of the base64. */
const PICTURES: readonly (readonly [prefix: string, mime: string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/** A data URL; undefined: Codex would not send this picture. */
export function imageUrl(image: ImageBlock, { ledger, record, native }: Encoding): string | undefined {
  const data = image.data ?? "";
  const known = PICTURES.find(([prefix]) => data.startsWith(prefix));
  if (!known && !(native && image.data !== undefined)) {
    if (native && image.uri !== undefined) return image.uri;
    ledger?.note({ axis: "images", level: "dropped", reason: "not-supported" }, record);
    return undefined;
  }
  const mime = known?.[1] ?? image.mimeType ?? "image/png";
  if (mime === "image/gif") ledger?.note({ axis: "images", level: "partial", reason: "re-encoded" }, record);
  ledger?.keep("images");
  return `data:${(native && image.mimeType) || mime};base64,${data}`;
}

/** Parts of a user's or developer's message, or of a tool's output. */
export function inputParts(blocks: readonly Block[], encoding: Encoding, keepEmpty: boolean): string[] {
  const { ledger, native, record } = encoding;
  const parts: string[] = [];
  let pictures = 0;
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        if (!keepEmpty && isBlank(block.text) && !native) {
          ledger?.note({ axis: "messages", level: "dropped", reason: "empty" }, record);
        } else parts.push(`{"type":"input_text","text":${text(block.text, encoding)}}`);
        break;
      case "image": {
        const url = imageUrl(block, encoding);
        if (url === undefined) break;
        const { detail } = block as CodexImage;
        const label = native ? block.alt : undefined;
        if (label !== undefined)
          parts.push(
            `{"type":"input_text","text":${JSON.stringify(`<image name=[Image #${++pictures}] path="${label}">`)}}`,
          );
        parts.push(
          `{"type":"input_image","image_url":${JSON.stringify(url)}${detail === undefined ? "" : `,"detail":${JSON.stringify(detail)}`}}`,
        );
        if (label !== undefined) parts.push(`{"type":"input_text","text":"</image>"}`);
        break;
      }
      case "unknown": {
        const item = native ? fields(block.value) : undefined;
        if (item && block.nativeType.startsWith("codex.")) parts.push(JSON.stringify(item));
        else
          ledger?.note(
            { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" },
            record,
          );
        break;
      }
      case "reference":
        ledger?.note({ axis: "documents", level: "dropped", reason: "not-supported" }, record);
        break;
      case "error":
        parts.push(`{"type":"input_text","text":${text(block.message, encoding)}}`);
        break;
      default:
        ledger?.note({ axis: "messages", level: "dropped", reason: "not-supported" }, record);
    }
  }
  return parts;
}

export interface EncodedCall {
  id: string;
  name: string;
  namespace?: string;
  item: string;
}

const NAME = /^[A-Za-z0-9_-]+$/;
const LONGEST_NAME = 64;

/** The id a call and its result have here. */
export function callId(id: string, { ledger, record }: Encoding): string {
  const legal = legalId(id);
  if (legal !== id) ledger?.note({ axis: "ids", level: "partial", reason: "id-not-legal" }, record);
  return legal;
}

export function encodeCall(block: ToolCallBlock, encoding: Encoding): EncodedCall {
  const { ledger, record } = encoding;
  const { item: kind, text: exact } = block as CodexCall;
  const id = callId(block.toolCallId, encoding);
  let { name, namespace } = block;
  if (namespace === undefined) {
    // The program keeps a server's name apart from its tool's.
    const flat = /^(mcp__.+?)__(.+)$/s.exec(name);
    if (flat) [, namespace, name] = flat as unknown as [string, string, string];
  }
  const legalName = legalId(name, NAME, LONGEST_NAME);
  if (legalName !== name) ledger?.note({ axis: "ids", level: "partial", reason: "id-not-legal" }, record);
  name = legalName;
  if (namespace !== undefined) namespace = legalId(namespace, NAME, LONGEST_NAME);
  const space = namespace === undefined ? "" : `,"namespace":${JSON.stringify(namespace)}`;
  const named = { id, name, ...(namespace !== undefined && { namespace }) };
  if (kind === "local_shell_call") {
    return {
      ...named,
      item: `{"type":"local_shell_call","call_id":${JSON.stringify(id)},"status":"completed","action":${JSON.stringify(block.arguments)}}`,
    };
  }
  if (block.freeform && kind !== "function_call" && typeof block.arguments === "string") {
    return {
      ...named,
      item: `{"type":"custom_tool_call","status":"completed","call_id":${JSON.stringify(id)},"name":${JSON.stringify(name)}${space},"input":${text(block.arguments, encoding)}}`,
    };
  }
  const args =
    exact ??
    (block.freeform && typeof block.arguments === "string"
      ? block.arguments
      : JSON.stringify(block.arguments ?? {}));
  return {
    ...named,
    item: `{"type":"function_call","name":${JSON.stringify(name)}${space},"arguments":${text(args, encoding)},"call_id":${JSON.stringify(id)}}`,
  };
}

/** What a tool gave back, as JSON: one text as such, anything else as parts. */
export function encodeOutput(result: readonly Block[], encoding: Encoding): string {
  const [only] = result;
  if (result.length === 1 && only?.type === "text") return text(only.text, encoding);
  const parts = inputParts(result, encoding, true);
  return parts.length === 0 ? '""' : `[${parts.join(",")}]`;
}

/** A reasoning item of Codex's own: summary, full text, and the part that only its vendor reads. */
export function encodeReasoning(thoughts: readonly CodexThinking[], encrypted: string | undefined): string {
  const summary: unknown[] = [];
  const content: unknown[] = [];
  for (const { text: thought, raw } of thoughts) {
    if (raw) content.push({ type: "reasoning_text", text: thought });
    else summary.push({ type: "summary_text", text: thought });
  }
  return JSON.stringify({
    type: "reasoning",
    summary,
    content: content.length > 0 ? content : null,
    encrypted_content: encrypted ?? null,
  });
}
