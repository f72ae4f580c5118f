/**
 * The records of a Gemini CLI session that a writer writes, as 0.61 has them: what its tests hold it to. What a reader
 * may meet has no bounds: it looks into each record, and keeps what it does not know.
 */
import { z } from "zod";

const Part = z.union([
  z.strictObject({
    text: z.string(),
    thought: z.boolean().optional(),
    thoughtSignature: z.unknown().optional(),
  }),
  z.strictObject({
    inlineData: z.strictObject({
      mimeType: z.string(),
      data: z.base64(),
    }),
  }),
  z.strictObject({
    functionCall: z.strictObject({
      id: z.string(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
    }),
    thoughtSignature: z.unknown().optional(),
  }),
]);

const Result = z.union([
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string(),
      name: z.string(),
      response: z.union([z.strictObject({ output: z.string() }), z.strictObject({ error: z.string() })]),
    }),
  }),
  Part,
]);

const ToolCall = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** Absent: nothing answered it, and the program is told so by `cancelled`. */
  result: z.array(Result).optional(),
  status: z.enum(["success", "error", "cancelled"]),
  timestamp: z.iso.datetime(),
});

const own = { id: z.uuid(), timestamp: z.iso.datetime(), asp: z.looseObject({}).optional() };

const Message = z.discriminatedUnion("type", [
  z.strictObject({
    ...own,
    type: z.literal("user"),
    content: z.array(Part).min(1),
    displayContent: z.array(Part).optional(),
  }),
  z.strictObject({
    ...own,
    type: z.literal("gemini"),
    content: z.union([z.string(), z.array(Part)]),
    thoughts: z.array(
      z.strictObject({ subject: z.string(), description: z.string(), timestamp: z.iso.datetime() }),
    ),
    tokens: z
      .record(z.enum(["input", "output", "cached", "thoughts", "tool", "total"]), z.number())
      .nullable(),
    model: z.string().optional(),
    toolCalls: z.array(ToolCall).min(1).optional(),
  }),
  z.strictObject({ ...own, type: z.enum(["info", "error"]), content: z.string() }),
]);

/** Every line a writer may write. */
export const Written = z.union([
  z.strictObject({
    sessionId: z.uuid(),
    projectHash: z.hash("sha256"),
    startTime: z.iso.datetime(),
    kind: z.enum(["main", "subagent"]),
    directories: z.array(z.string()).min(1),
    summary: z.string().optional(),
    asp: z.looseObject({}),
  }),
  z.strictObject({
    $set: z.union([z.strictObject({ summary: z.string() }), z.strictObject({ messages: z.array(Message) })]),
  }),
  z.strictObject({ $rewindTo: z.uuid() }),
  Message,
]);

export type Written = z.infer<typeof Written>;
