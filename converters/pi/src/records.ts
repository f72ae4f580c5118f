/**
 * The records of a Pi session, as seen in 1.6.0. The loose shapes say what a reader may meet (unknown keys and
 * types are kept); the strict ones are all that a writer writes, and are what its tests hold it to.
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
    stopReason: z.enum(["stop", "length", "toolUse", "error", "aborted"]),
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
  }),
  z.strictObject({ type: z.literal("session_info"), ...place, name: z.string() }),
  z.strictObject({ type: z.literal("custom"), ...place, customType: z.string(), data: z.unknown() }),
]);

/** Any entry of any version: `type` is all it must have. */
export const Entry = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  parentId: z.string().nullish(),
  timestamp: z.union([z.string(), z.number()]).optional(),
  message: z.looseObject({ role: z.string() }).optional(),
});

export type Message = z.infer<typeof Message>;
export type Written = z.infer<typeof Written>;
export type Usage = z.infer<typeof Usage>;
