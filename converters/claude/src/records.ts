/**
 * The records of a transcript. `Record` is what the reader may meet: loose, nothing unknown is refused (the hot
 * path looks into the JSON itself, see `sessions/value.ts`). `WrittenRecord` is what the writer writes: strict,
 * only shapes that 2.1.332 wrote in a capture, plus `asp-provenance`. Tests hold both against reality.
 */
import { z } from "zod";

const uuid = z.uuid();
const time = z.iso.datetime({ precision: 3 });
const json = z.record(z.string(), z.unknown());

/** On every record of the chain. */
const Chain = {
  parentUuid: z.string().nullish(),
  uuid: z.string(),
  timestamp: z.string().optional(),
  isSidechain: z.boolean().optional(),
  sessionId: z.string().optional(),
  cwd: z.string().optional(),
  version: z.string().optional(),
  gitBranch: z.string().optional(),
};

const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const UserRecord = z.looseObject({
  ...Chain,
  type: z.literal("user"),
  message: z.looseObject({ content: Content }),
  isMeta: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  toolUseResult: z.unknown().optional(),
});

const AssistantRecord = z.looseObject({
  ...Chain,
  type: z.literal("assistant"),
  message: z.looseObject({ id: z.string().optional(), model: z.string().optional(), content: Content }),
  isApiErrorMessage: z.boolean().optional(),
});

const AttachmentRecord = z.looseObject({
  ...Chain,
  type: z.literal("attachment"),
  attachment: z.looseObject({ type: z.string() }),
  rendered: z.array(z.looseObject({ content: z.string() })).optional(),
  renderedRole: z.enum(["user", "system"]).optional(),
});

const SystemRecord = z.looseObject({ ...Chain, type: z.literal("system"), subtype: z.string() });

/** Of any other type, met outside the chain. */
const SideRecord = z.looseObject({ type: z.string() });

export const Record = z.union([UserRecord, AssistantRecord, AttachmentRecord, SystemRecord, SideRecord]);

// --- written ---------------------------------------------------------------------------------------------------

const frame = {
  parentUuid: uuid.nullable(),
  isSidechain: z.boolean(),
  agentId: z
    .string()
    .regex(/^a[0-9a-f]{16}$/)
    .optional(),
  uuid,
  timestamp: time,
  userType: z.literal("external"),
  entrypoint: z.literal("cli"),
  cwd: z.string().min(1),
  sessionId: uuid,
  version: z.literal("2.1.332"),
  gitBranch: z.string(),
};

const id = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const text = z.strictObject({ type: z.literal("text"), text: z.string().regex(/\S/) });
const image = z.strictObject({
  type: z.literal("image"),
  source: z.union([
    z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
    z.strictObject({ type: z.literal("url"), url: z.url() }),
  ]),
});
const document = z.strictObject({
  type: z.literal("document"),
  source: z.union([
    z.strictObject({ type: z.enum(["base64", "text"]), media_type: z.string(), data: z.string() }),
    z.strictObject({ type: z.literal("url"), url: z.url() }),
  ]),
  title: z.string().optional(),
});
/** Blocks of Claude's own that go back untouched. */
const own = z.looseObject({
  type: z.enum(["tool_reference", "redacted_thinking", "fallback", "server_tool_use"]),
});
const shown = z.union([text, image, document, own]);

const result = z.strictObject({
  tool_use_id: id,
  type: z.literal("tool_result"),
  content: z.union([z.string(), z.array(shown)]),
  is_error: z.literal(true).optional(),
});

const said = z.union([
  text,
  image,
  own,
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal("tool_use"), id, name: z.string().min(1), input: json }),
]);

const WrittenUser = z.strictObject({
  ...frame,
  type: z.literal("user"),
  message: z.strictObject({
    role: z.literal("user"),
    content: z.union([z.string().regex(/\S/), z.array(shown).min(1), z.tuple([result])]),
  }),
  isMeta: z.literal(true).optional(),
  isVisibleInTranscriptOnly: z.literal(true).optional(),
  isCompactSummary: z.literal(true).optional(),
  permissionMode: z.enum(["default", "plan"]).optional(),
  toolUseResult: z.unknown().optional(),
  sourceToolAssistantUUID: uuid.optional(),
});

const count = z.number().int().nonnegative();

const WrittenAssistant = z.strictObject({
  ...frame,
  type: z.literal("assistant"),
  message: z.strictObject({
    id,
    type: z.literal("message"),
    role: z.literal("assistant"),
    model: z.string().min(1),
    /** One block a record: a call without a result takes its whole record with it. */
    content: z.tuple([said]),
    stop_reason: z.string(),
    stop_sequence: z.null(),
    usage: z.strictObject({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
      service_tier: z.literal("standard"),
    }),
  }),
  isApiErrorMessage: z.literal(true).optional(),
  error: z.string().optional(),
  effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
});

const WrittenQueued = z.strictObject({
  ...frame,
  type: z.literal("attachment"),
  attachment: z.strictObject({
    type: z.literal("queued_command"),
    prompt: z.string(),
    commandMode: z.literal("prompt"),
    hostsOwnTurn: z.literal(true).optional(),
  }),
  rendered: z.tuple([z.strictObject({ content: z.string() })]),
  renderedRole: z.literal("system"),
});

const WrittenBoundary = z.strictObject({
  ...frame,
  parentUuid: z.null(),
  logicalParentUuid: uuid.optional(),
  type: z.literal("system"),
  subtype: z.literal("compact_boundary"),
  content: z.literal("Conversation compacted"),
  isMeta: z.literal(false),
  level: z.literal("info"),
  compactMetadata: z.strictObject({
    trigger: z.enum(["manual", "auto"]),
    preTokens: count,
    preservedMessages: z
      .strictObject({ anchorUuid: uuid, uuids: z.array(uuid), allUuids: z.array(uuid) })
      .optional(),
  }),
});

const WrittenTitle = z.strictObject({
  type: z.literal("custom-title"),
  customTitle: z.string(),
  sessionId: uuid,
});

const WrittenLastPrompt = z.strictObject({
  type: z.literal("last-prompt"),
  lastPrompt: z.string().optional(),
  leafUuid: uuid,
  explicit: z.literal(true).optional(),
  sessionId: uuid,
});

/** Ours: the program passes over types it does not know. */
const WrittenProvenance = z.strictObject({
  type: z.literal("asp-provenance"),
  sessionId: uuid,
  convertedFrom: z.strictObject({
    harness: z.string(),
    sessionId: z.string(),
    version: z.string().optional(),
  }),
});

export const WrittenRecord = z.discriminatedUnion("type", [
  WrittenUser,
  WrittenAssistant,
  WrittenQueued,
  WrittenBoundary,
  WrittenTitle,
  WrittenLastPrompt,
  WrittenProvenance,
]);

export type Record = z.infer<typeof Record>;
export type WrittenRecord = z.infer<typeof WrittenRecord>;
