/**
 * Content blocks of a message, after the Agent Session Protocol (schema 1.0).
 * The schemas check; what is kept is always the value that was checked, so keys they do not know survive.
 */
import { z } from "zod";

export const TextBlock = z.object({ type: z.literal("text"), text: z.string() });

/** Readable reasoning. `signature` binds it to the model that made it and goes to no other vendor. */
export const ThinkingBlock = z.object({
  type: z.literal("thinking"),
  text: z.string(),
  signature: z.string().optional(),
});

/**
 * A call of a tool. `arguments` is the JSON value the model gave, or the text itself for a tool that takes
 * free text (`freeform`). `namespace` names the MCP server or tool family when the harness keeps it apart.
 */
export const ToolCallBlock = z.object({
  type: z.literal("tool-call"),
  toolCallId: z.string(),
  name: z.string(),
  arguments: z.unknown(),
  freeform: z.boolean().optional(),
  namespace: z.string().optional(),
});

/** Base64 `data` or a `uri`, never both; `mimeType` as the source says it. */
export const ImageBlock = z.object({
  type: z.literal("image"),
  mimeType: z.string().optional(),
  data: z.string().optional(),
  uri: z.string().optional(),
  alt: z.string().optional(),
});

/** A file or page that is pointed at, or carried along (`data` base64, or `text`) as a PDF document is. */
export const ReferenceBlock = z.object({
  type: z.literal("reference"),
  uri: z.string(),
  title: z.string().optional(),
  mediaType: z.string().optional(),
  data: z.string().optional(),
  text: z.string().optional(),
});

export const ErrorBlock = z.object({
  type: z.literal("error"),
  message: z.string(),
  code: z.string().optional(),
  detail: z.unknown().optional(),
});

/**
 * An opaque payload that must round-trip untouched and cannot be read. `nativeType` names its origin, e.g.
 * `codex.encrypted_reasoning`; `value` is the native value itself. Never wrapped twice, never sent to
 * another vendor.
 */
export const UnknownBlock = z.object({
  type: z.literal("unknown"),
  nativeType: z.string(),
  value: z.unknown(),
});

const ContentBlock = z.discriminatedUnion("type", [
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ImageBlock,
  ReferenceBlock,
  ErrorBlock,
  UnknownBlock,
]);

/** A result kept inside a message. Readers prefer the `tool.completed` event: there the result counts. */
export const ToolResultBlock = z.object({
  type: z.literal("tool-result"),
  toolCallId: z.string(),
  toolResultId: z.string().optional(),
  content: z.array(ContentBlock),
  isError: z.boolean().optional(),
});

export const Block = z.discriminatedUnion("type", [ContentBlock, ToolResultBlock]);

export type TextBlock = z.infer<typeof TextBlock>;
export type ThinkingBlock = z.infer<typeof ThinkingBlock>;
export type ToolCallBlock = z.infer<typeof ToolCallBlock>;
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;
export type ImageBlock = z.infer<typeof ImageBlock>;
export type ReferenceBlock = z.infer<typeof ReferenceBlock>;
export type ErrorBlock = z.infer<typeof ErrorBlock>;
export type UnknownBlock = z.infer<typeof UnknownBlock>;
export type Block = z.infer<typeof Block>;
