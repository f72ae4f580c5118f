/** Events → `session/update`, as `session/load` replays a conversation. One event is one update, a message one a block. */
import type { PlanEntry, SessionConfigOption, SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk";
import type { Block, EventOf, MessagePayload, Payloads, SessionEvent } from "@asp-convert/core";
import type { Fields } from "@asp-convert/core/values";
import { contentOf, toolContent } from "./content.js";
import { headOf, type UpdateMeta } from "./meta.js";
import { kindOf, locationsOf, titleOf } from "./tool-view.js";

export interface ProjectOptions {
  /** Whose the opaque payloads are. */
  harness: string;
  /** The client takes `compaction_update`; else it is told of them as of everything else that ACP has no word for. */
  compaction?: boolean;
}

/** The updates of one session's events, in their order. */
export function projector(options: ProjectOptions): (event: SessionEvent) => SessionUpdate[] {
  const { harness, compaction = true } = options;
  /** Calls that the client has seen: what comes of them later changes them. */
  const announced = new Set<string>();

  return (event) => {
    // What was abandoned is not what a client shows; it travels all the same.
    if (event.branch !== undefined) return [untold(event)];
    switch (event.type) {
      case "session.started":
      case "session.bound": {
        const { title, ...payload } = event.payload as Payloads["session.bound"];
        return [info({ ...headOf(event), ...rest(payload) }, title)];
      }
      case "capabilities.changed":
        return [settings(event)];
      case "message.completed":
        return message(event);
      case "tool.started":
        return [started(event)];
      case "tool.updated": {
        const { toolCallId, content, status } = event.payload;
        const known = statuses.find((one) => one === status);
        const meta = { ...headOf(event), ...(known === undefined && rest({ status })) };
        return [
          {
            sessionUpdate: "tool_call_update",
            toolCallId,
            ...(known !== undefined && { status: known }),
            ...(content && { content: toolContent(content) }),
            ...asp(meta),
          },
        ];
      }
      case "tool.completed": {
        const { toolCallId, result, isError, detail, ...payload } = event.payload;
        return [
          {
            sessionUpdate: "tool_call_update",
            toolCallId,
            status: isError ? "failed" : "completed",
            content: toolContent(result),
            ...(detail !== undefined && { rawOutput: detail }),
            ...asp({ ...headOf(event), ...rest(payload) }),
          },
        ];
      }
      case "task.updated":
        return [{ sessionUpdate: "plan", entries: event.payload.plan.map(entry), ...asp(headOf(event)) }];
      case "status.changed":
        if (event.payload.status !== "compacted" || !compaction) return [untold(event)];
        return [
          {
            sessionUpdate: "compaction_update",
            compactionId: event.nativeId ?? "compaction",
            status: "completed",
            ...asp({ ...headOf(event), ...rest(event.payload) }),
          },
        ];
      default:
        return [untold(event)];
    }
  };

  function message(event: EventOf<"message.completed">): SessionUpdate[] {
    const { payload } = event;
    const { blocks, messageId, role, model, usage, ...more } = payload;
    // Nobody but the model was told of it, or nobody that ACP has a voice for.
    if ((role !== "user" && role !== "assistant") || payload.injected === "harness" || blocks.length === 0)
      return [untold(event)];
    const audience = payload.audience ?? (payload.injected === undefined ? undefined : ["assistant"]);
    const first: UpdateMeta = {
      ...headOf(event),
      ...(model !== undefined && { model }),
      ...(usage !== undefined && { usage }),
      ...rest({ role, ...more }),
    };
    return blocks.map((block, i) => piece(block, payload, i === 0 ? first : { more: true }, audience));
  }

  function piece(
    block: Block,
    { messageId, role }: MessagePayload,
    meta: UpdateMeta,
    audience: ("user" | "assistant")[] | undefined,
  ): SessionUpdate {
    const said = role === "user" ? "user_message_chunk" : "agent_message_chunk";
    if (block.type === "tool-call" && role === "assistant") return call(block, { ...meta, messageId });
    if (block.type === "unknown") {
      const { nativeType: kind, value: data } = block;
      return info({ ...meta, messageId, opaque: [{ harness, kind, data }] });
    }
    const content = block.type === "thinking" && role === "user" ? undefined : contentOf(block, audience);
    if (!content) return info({ ...meta, messageId, block });
    const sessionUpdate = block.type === "thinking" ? "agent_thought_chunk" : said;
    return { sessionUpdate, messageId, content, ...asp(meta) };
  }

  function call(block: Extract<Block, { type: "tool-call" }>, meta: UpdateMeta): SessionUpdate {
    const { toolCallId, name, arguments: args, type: _, ...more } = block;
    announced.add(toolCallId);
    const locations = locationsOf(args);
    return {
      sessionUpdate: "tool_call",
      toolCallId,
      title: titleOf(name, args),
      name,
      kind: kindOf(name),
      status: "pending",
      ...(args !== undefined && { rawInput: args }),
      ...(locations.length > 0 && { locations }),
      ...asp({ ...meta, ...(Object.keys(more).length > 0 && { block: more }) }),
    };
  }

  function started(event: EventOf<"tool.started">): SessionUpdate {
    const { toolCallId, name, arguments: args, ...payload } = event.payload;
    const known = announced.has(toolCallId);
    announced.add(toolCallId);
    return {
      sessionUpdate: known ? "tool_call_update" : "tool_call",
      toolCallId,
      title: titleOf(name, args),
      name,
      kind: kindOf(name),
      status: "in_progress",
      ...(args !== undefined && { rawInput: args }),
      ...asp({ ...headOf(event), ...rest(payload) }),
    };
  }
}

const statuses = [
  "pending",
  "in_progress",
  "completed",
  "failed",
] as const satisfies readonly ToolCallStatus[];

function asp(meta: UpdateMeta): { _meta: { asp: UpdateMeta } } {
  return { _meta: { asp: meta } };
}

/** Only if something is in it. */
function rest(payload: Fields): { payload?: Fields } {
  return Object.values(payload).some((value) => value !== undefined) ? { payload } : {};
}

/** ACP's own word for "nothing that you show has changed". */
function info(meta: UpdateMeta, title?: string): SessionUpdate {
  return { sessionUpdate: "session_info_update", ...(title !== undefined && { title }), ...asp(meta) };
}

/** An event that ACP has no counterpart for, whole. */
function untold(event: SessionEvent): SessionUpdate {
  return info({ ...headOf(event), payload: event.payload as Fields });
}

/** Of a plan that gives no priorities, ACP has to be told one. */
function entry({ content, status, priority }: Payloads["task.updated"]["plan"][number]): PlanEntry {
  if (priority !== undefined) return { content, status, priority };
  return { content, status, priority: "medium", _meta: { asp: { priority: null } } };
}

function settings(event: EventOf<"capabilities.changed">): SessionUpdate {
  const { settings } = event.payload;
  const ids = Object.keys(settings);
  const head = headOf(event);
  if (ids.length === 1 && typeof settings.mode === "string")
    return { sessionUpdate: "current_mode_update", currentModeId: settings.mode, ...asp(head) };
  const plain = ids.length > 0 && Object.values(settings).every((value) => typeof value !== "number");
  if (!plain) return untold(event);
  return {
    sessionUpdate: "config_option_update",
    configOptions: ids.map((id) => option(id, settings[id] as string | boolean)),
    ...asp(head),
  };
}

const categories: Readonly<Record<string, string>> = {
  mode: "mode",
  model: "model",
  effort: "thought_level",
  thought_level: "thought_level",
};

/** A choice that was made, as the only one there is: a replay offers no other. */
function option(id: string, value: string | boolean): SessionConfigOption {
  const category = Object.hasOwn(categories, id) ? categories[id] : undefined;
  const common = { id, name: id, ...(category !== undefined && { category }) };
  return typeof value === "boolean"
    ? { ...common, type: "boolean", currentValue: value }
    : { ...common, type: "select", currentValue: value, options: [{ value, name: value }] };
}
