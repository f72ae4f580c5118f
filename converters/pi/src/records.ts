/**
 * The records of a Pi session that a writer writes, as 1.6.0 has them: what its tests hold it to. What a reader may
 * meet has no bounds: it looks into each record, and keeps what it does not know.
 */
import { z } from "zod";

const Text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  textSignature: z.string().optional(),
});
const Image = z.strictObject({ type: z.literal("image"), data: z.base64(), mimeType: z.string() });
const Thinking = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  thinkingSignature: z.string().optional(),
  redacted: z.boolean().optional(),
});
const ToolCall = z.strictObject({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  thoughtSignature: z.string().optional(),
  namespace: z.string().optional(),
});
const Usage = z.strictObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  reasoning: z.number().optional(),
  totalTokens: z.number(),
  cost: z.strictObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    total: z.number(),
  }),
});

export const Message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.array(z.union([Text, Image])),
    timestamp: z.number(),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.array(z.union([Text, Thinking, ToolCall])),
    api: z.string(),
    provider: z.string(),
    model: z.string(),
    usage: Usage,
    stopReason: z.enum(["stop", "length", "toolUse", "deferred", "error", "aborted"]),
    errorMessage: z.string().optional(),
    timestamp: z.number(),
  }),
  z.strictObject({
    role: z.literal("toolResult"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.array(z.union([Text, Image])),
    isError: z.boolean(),
    details: z.unknown().optional(),
    usage: z.unknown().optional(),
    nestedCalls: z.unknown().optional(),
    timestamp: z.number(),
  }),
]);

const place = { id: z.string(), parentId: z.string().nullable(), timestamp: z.iso.datetime() };

/** Every line a writer may write. */
export const Written = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("session"),
    version: z.literal(3),
    id: z.string(),
    timestamp: z.iso.datetime(),
    cwd: z.string(),
    parentSession: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("message"), ...place, message: Message }),
  z.strictObject({ type: z.literal("model_change"), ...place, provider: z.string(), modelId: z.string() }),
  z.strictObject({ type: z.literal("thinking_level_change"), ...place, thinkingLevel: z.string() }),
  z.strictObject({
    type: z.literal("compaction"),
    ...place,
    summary: z.string(),
    firstKeptEntryId: z.string(),
    tokensBefore: z.number(),
  }),
  z.strictObject({
    type: z.literal("custom_message"),
    ...place,
    customType: z.string(),
    content: z.array(z.union([Text, Image])),
    display: z.boolean(),
    details: z.unknown().optional(),
  }),
  z.strictObject({
    type: z.literal("context_edit"),
    ...place,
    targetId: z.string(),
    replacement: z.strictObject({ content: z.array(z.union([Text, Image, Thinking, ToolCall])) }).nullable(),
  }),
  z.strictObject({ type: z.literal("session_info"), ...place, name: z.string() }),
  z.strictObject({ type: z.literal("custom"), ...place, customType: z.string(), data: z.unknown() }),
]);

export type Message = z.infer<typeof Message>;
export type Written = z.infer<typeof Written>;
