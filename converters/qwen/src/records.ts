/**
 * The records of a Qwen Code session that a writer writes, as 0.24 has them: what its tests hold it to. What a reader may
 * meet has no bounds: it looks into each record, and keeps what it does not know.
 */
import { z } from "zod";

const Bytes = z.strictObject({
  inlineData: z.strictObject({ mimeType: z.string(), data: z.base64() }),
});

const Part = z.union([
  z.strictObject({
    text: z.string(),
    thought: z.boolean().optional(),
    thoughtSignature: z.unknown().optional(),
  }),
  Bytes,
  z.strictObject({
    functionCall: z.strictObject({
      id: z.string(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
    }),
    thoughtSignature: z.unknown().optional(),
  }),
]);

const Response = z.strictObject({
  functionResponse: z.strictObject({
    id: z.string(),
    name: z.string(),
    response: z.union([z.strictObject({ output: z.string() }), z.strictObject({ error: z.string() })]),
    parts: z.array(Bytes).min(1).optional(),
  }),
});

const said = z.strictObject({ role: z.literal("user"), parts: z.array(Part).min(1) });
const answered = z.strictObject({ role: z.literal("model"), parts: z.array(Part).min(1) });
const result = z.strictObject({ role: z.literal("user"), parts: z.tuple([Response]) });
const asp = z.looseObject({}).optional();

const own = {
  uuid: z.uuid(),
  parentUuid: z.uuid().nullable(),
  sessionId: z.uuidv4(),
  timestamp: z.iso.datetime(),
  cwd: z.string(),
  version: z.string(),
  gitBranch: z.string().optional(),
  /** A subagent's. */
  isSidechain: z.literal(true).optional(),
  agentId: z.string().optional(),
  agentName: z.string().optional(),
  asp,
};
const system = { ...own, type: z.literal("system"), provenance: z.literal("system") };

/** Every record a writer may write. */
export const Written = z.union([
  z.strictObject({
    ...own,
    type: z.literal("user"),
    provenance: z.enum(["real_user", "system"]),
    message: said,
  }),
  z.strictObject({
    ...own,
    type: z.literal("assistant"),
    model: z.string().optional(),
    usageMetadata: z
      .record(
        z.enum([
          "promptTokenCount",
          "candidatesTokenCount",
          "thoughtsTokenCount",
          "totalTokenCount",
          "cachedContentTokenCount",
        ]),
        z.number(),
      )
      .optional(),
    message: answered,
  }),
  z.strictObject({
    ...own,
    type: z.literal("tool_result"),
    message: result,
    toolCallResult: z.looseObject({ callId: z.string(), status: z.enum(["success", "error"]) }),
  }),
  z.strictObject({
    ...system,
    subtype: z.literal("custom_title"),
    systemPayload: z.strictObject({ customTitle: z.string(), titleSource: z.enum(["manual", "auto"]) }),
  }),
  z.strictObject({
    ...system,
    subtype: z.literal("chat_compression"),
    systemPayload: z.strictObject({
      info: z.strictObject({
        originalTokenCount: z.number(),
        newTokenCount: z.number(),
        compressionStatus: z.literal(1),
        triggerReason: z.enum(["manual", "auto"]),
      }),
      compressedHistory: z.array(z.union([said.extend({ asp }), answered.extend({ asp }), result])),
    }),
  }),
  // Ours: the last record is where the talk ends.
  z.strictObject({ ...system, subtype: z.literal("asp_leaf"), systemPayload: z.strictObject({}) }),
]);

export type Written = z.infer<typeof Written>;
