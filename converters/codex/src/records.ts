/**
 * The lines that we write, to the letter: shapes seen from the real program at the version in `version.ts`, and no
 * others. Codex drops a record for one part that it does not know, without a word. Reading asks for none of this
 * (`@asp-convert/core/values`): whatever is not of these shapes is kept and told of.
 */
import { z } from "zod";

const Time = z.iso.datetime();
const Uuid = z.uuid();

/** Our own marks. The real program ignores keys it does not know and never sends them (tried on all versions). */
const Mark = z.strictObject({
  injected: z.enum(["harness", "command", "skill", "tool", "notice"]).optional(),
  kind: z.literal("summary").optional(),
  /** What a person saw of it. */
  display: z.string().optional(),
  isError: z.boolean().optional(),
  synthetic: z.boolean().optional(),
});

const InputText = z.strictObject({ type: z.literal("input_text"), text: z.string() });
const InputImage = z.strictObject({
  type: z.literal("input_image"),
  image_url: z.string().regex(/^data:image\/[a-z+.-]+;base64,/),
  detail: z.string().optional(),
});
const Input = z.discriminatedUnion("type", [InputText, InputImage]);
const Phase = z.enum(["commentary", "partial_answer", "final_answer"]).optional();
const CallId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const Message = z.union([
  z.strictObject({
    type: z.literal("message"),
    role: z.enum(["user", "developer"]),
    content: z.array(Input).min(1),
    asp: Mark.optional(),
  }),
  z.strictObject({
    type: z.literal("message"),
    role: z.literal("assistant"),
    content: z.tuple([z.strictObject({ type: z.literal("output_text"), text: z.string() })]),
    phase: Phase,
  }),
]);

const output = {
  call_id: CallId,
  output: z.union([z.string(), z.array(Input).min(1)]),
  asp: Mark.optional(),
};

/** A response item made of portable events. Codex's own opaque ones go back as they came and are not checked. */
export const Item = z.union([
  Message,
  z.strictObject({
    type: z.literal("reasoning"),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
    content: z
      .array(z.strictObject({ type: z.literal("reasoning_text"), text: z.string() }))
      .min(1)
      .nullable(),
    encrypted_content: z.string().nullable(),
  }),
  z.strictObject({
    type: z.literal("function_call"),
    name: Name,
    namespace: Name.optional(),
    arguments: z.string(),
    call_id: CallId,
  }),
  z.strictObject({
    type: z.literal("custom_tool_call"),
    status: z.literal("completed"),
    call_id: CallId,
    name: Name,
    namespace: Name.optional(),
    input: z.string(),
  }),
  z.strictObject({
    type: z.literal("local_shell_call"),
    call_id: CallId,
    status: z.literal("completed"),
    action: z.looseObject({ type: z.string() }),
  }),
  z.strictObject({ type: z.literal("function_call_output"), ...output }),
  z.strictObject({ type: z.literal("custom_tool_call_output"), ...output }),
]);

const Duration = z.strictObject({ secs: z.number(), nanos: z.number() });

const Event = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("task_started"),
    turn_id: z.string(),
    started_at: z.int(),
    model_context_window: z.null(),
    collaboration_mode_kind: z.literal("default"),
  }),
  z.strictObject({
    type: z.literal("task_complete"),
    turn_id: z.string(),
    last_agent_message: z.null(),
    error: z.strictObject({ message: z.string(), codex_error_info: z.literal("other") }).optional(),
    started_at: z.int(),
    completed_at: z.int(),
    duration_ms: z.int().min(0),
  }),
  z.strictObject({ type: z.literal("turn_aborted"), turn_id: z.string(), reason: z.literal("interrupted") }),
  z.strictObject({
    type: z.literal("user_message"),
    message: z.string(),
    images: z.array(z.string().startsWith("data:image/")),
    local_images: z.array(z.string()).max(0),
    text_elements: z.array(z.unknown()).max(0),
  }),
  z.strictObject({ type: z.literal("agent_message"), message: z.string(), phase: Phase }),
  z.strictObject({ type: z.literal("agent_reasoning"), text: z.string() }),
  z.strictObject({ type: z.literal("context_compacted") }),
  z.looseObject({
    type: z.literal("mcp_tool_call_end"),
    call_id: CallId,
    invocation: z.looseObject({ server: z.string(), tool: z.string() }),
    duration: Duration,
    result: z.union([
      z.strictObject({ Ok: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }) }),
      z.strictObject({ Err: z.string() }),
    ]),
  }),
  z.looseObject({
    type: z.literal("patch_apply_end"),
    call_id: CallId,
    success: z.boolean(),
    changes: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({ type: z.literal("item_completed"), item: z.looseObject({ type: z.literal("Plan") }) }),
]);

const Meta = z.strictObject({
  session_id: Uuid,
  id: Uuid,
  parent_thread_id: Uuid.optional(),
  timestamp: Time,
  cwd: z.string().min(1),
  originator: z.literal("asp-convert"),
  cli_version: z.string().regex(/^\d+\.\d+\.\d+$/),
  source: z.union([
    z.literal("cli"),
    z.strictObject({
      subagent: z.strictObject({
        thread_spawn: z.strictObject({
          parent_thread_id: Uuid,
          depth: z.int().min(1),
          agent_path: z.null(),
          agent_nickname: z.null(),
          agent_role: z.null(),
        }),
      }),
    }),
  ]),
  thread_source: z.enum(["user", "subagent"]),
  history_mode: z.literal("legacy"),
  git: z
    .strictObject({
      commit_hash: z.string().optional(),
      branch: z.string().optional(),
      repository_url: z.string().optional(),
    })
    .optional(),
  asp: z.strictObject({ converted_from: z.strictObject({ harness: z.string(), session_id: z.string() }) }),
});

const line = <T extends string, P extends z.ZodType>(
  type: T,
  payload: P,
): z.ZodObject<{ timestamp: typeof Time; type: z.ZodLiteral<T>; payload: P }, z.core.$strict> =>
  z.strictObject({ timestamp: Time, type: z.literal(type), payload });

/** One line of a rollout of ours. */
export const WrittenLine = z.discriminatedUnion("type", [
  line("session_meta", Meta),
  line("response_item", Item),
  line("event_msg", Event),
  line(
    "turn_context",
    z.strictObject({
      cwd: z.string(),
      approval_policy: z.literal("on-request"),
      sandbox_policy: z.strictObject({ type: z.literal("read-only") }),
      model: z.string(),
      effort: z.string().optional(),
      summary: z.literal("auto"),
    }),
  ),
  line("compacted", z.strictObject({ message: z.string(), replacement_history: z.array(Item) })),
]);
