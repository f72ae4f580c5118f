/**
 * The files of a Cline session that a writer writes, as 3.0.65 has them: what its tests hold it to. What a reader may
 * meet has no bounds: it looks into each message, and keeps what it does not know.
 */
import { z } from "zod";

const Text = z.strictObject({ type: z.literal("text"), text: z.string() });
const Image = z.strictObject({ type: z.literal("image"), data: z.base64(), mediaType: z.string() });
const Media = z.strictObject({
  type: z.literal("media"),
  media: z.strictObject({
    id: z.string().min(1),
    modality: z.enum(["image", "audio", "video", "file"]),
    mediaType: z.string(),
    source: z.strictObject({ type: z.literal("base64"), data: z.base64().min(1) }),
    name: z.string().min(1).optional(),
  }),
});

const Said = z.union([
  Text,
  Image,
  Media,
  z.strictObject({ type: z.literal("file"), path: z.string(), content: z.string() }),
]);

/** Without its `name` every request of the program would fail. */
const Result = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string().min(1),
  name: z.string().min(1),
  content: z.union([
    z.string(),
    z.array(z.union([Text, Image])).min(1),
    z.array(z.unknown()),
    z.record(z.string(), z.unknown()),
  ]),
  is_error: z.literal(true).optional(),
});

const Answered = z.union([
  Said,
  z.strictObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    signature: z.string().optional(),
    details: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal("redacted_thinking"), data: z.unknown() }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
    signature: z.unknown().optional(),
  }),
]);

const beside = {
  id: z.uuid(),
  ts: z.number().int(),
  metadata: z.looseObject({}).optional(),
};

export const Message = z.union([
  z.strictObject({ ...beside, role: z.literal("user"), content: z.array(Result).length(1) }),
  z.strictObject({ ...beside, role: z.literal("user"), content: z.array(Said).min(1) }),
  z.strictObject({
    ...beside,
    role: z.literal("assistant"),
    content: z.array(Answered).min(1),
    modelInfo: z.strictObject({ id: z.string().min(1), provider: z.string().min(1) }).optional(),
    metrics: z.record(z.string(), z.number()).optional(),
  }),
]);

export const Messages = z.strictObject({
  version: z.literal(1),
  agent: z.enum(["lead", "subagent"]),
  sessionId: z.string().min(1),
  taskType: z.literal("subagent_task").optional(),
  origin: z.looseObject({ source: z.literal("cli"), version: z.string() }),
  messages: z.array(Message),
  updated_at: z.iso.datetime(),
});

export const Manifest = z.strictObject({
  version: z.literal(1),
  session_id: z.string().regex(/^\d{13}_[0-9a-z]{5}$/),
  source: z.literal("cli"),
  pid: z.number(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  exit_code: z.literal(0),
  status: z.literal("completed"),
  interactive: z.literal(true),
  provider: z.string().min(1),
  model: z.string().min(1),
  cwd: z.string().min(1),
  workspace_root: z.string().min(1),
  enable_tools: z.literal(true),
  enable_spawn: z.literal(true),
  enable_teams: z.literal(true),
  prompt: z.string().optional(),
  metadata: z.looseObject({ title: z.string().optional(), asp: z.looseObject({}) }),
  messages_path: z.string(),
  compaction_path: z.string().optional(),
});

export const CompactionState = z.strictObject({
  version: z.literal(1),
  updated_at: z.iso.datetime(),
  conversation_id: z.string().min(1),
  source_message_count: z.number().int().positive(),
  source_last_message_key: z.string().regex(/^id:/),
  messages: z.array(Message),
});
