/**
 * `session/update` → events. Updates of ours say which event they are of and become that event again; those of any other
 * agent are put together by `foreign.ts`. Nothing is passed over: what is not understood is an `unknown.observed`.
 */
import type { Block, Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, string } from "@asp-convert/core/values";
import { checkedEvent, isBlock } from "./check.js";
import { blockOf, blocksOfTool } from "./content.js";
import { foreignReader } from "./foreign.js";
import { aspOf, headFrom } from "./meta.js";
import { chosen, unknown } from "./observed.js";

export interface UpdateReader {
  /** The events that are whole with this update. */
  push(update: unknown, origin: Origin): SessionEvent[];
  /** Those that the end makes whole. */
  end(): SessionEvent[];
}

/** A message of ours whose blocks are coming in. */
interface Open {
  meta: Fields;
  messageId: string | undefined;
  blocks: Block[];
  origin: Origin[];
}

export function updateReader(): UpdateReader {
  const foreign = foreignReader();
  let open: Open | undefined;
  let pieces: { text: string[]; origin: Origin[] } | undefined;

  return {
    push(update, origin) {
      const whole = joined(update, origin);
      return whole ? take(whole.update, whole.origin) : [];
    },
    end() {
      const torn = pieces
        ? [unknown("acp.piece", pieces.text.join(""), pieces.origin, "the last part of an update is missing")]
        : [];
      pieces = undefined;
      return [...foreign.end(), ...close(), ...torn];
    },
  };

  /** An update that came in parts, once it is whole. */
  function joined(update: unknown, origin: Origin): { update: unknown; origin: Origin[] } | undefined {
    const piece = fields(aspOf(fields(update) ?? {})?.piece);
    if (typeof piece?.text !== "string") return { update, origin: [origin] };
    pieces ??= { text: [], origin: [] };
    pieces.text.push(piece.text);
    pieces.origin.push(origin);
    if (piece.last !== true) return undefined;
    const { text, origin: all } = pieces;
    pieces = undefined;
    try {
      return { update: JSON.parse(text.join("")), origin: all };
    } catch {
      return { update: { sessionUpdate: "piece", text: text.join("") }, origin: all };
    }
  }

  function take(value: unknown, origin: Origin[]): SessionEvent[] {
    const update = fields(value) ?? {};
    const meta = aspOf(update);
    if (meta?.more === true && open) {
      open.blocks.push(blockIn(update, meta));
      open.origin.push(...origin);
      return [];
    }
    const type = string(meta?.event);
    if (!meta || type === undefined) return [...close(), ...foreign.push(value, origin)];
    const before = [...foreign.end(), ...close()];
    if (type === "message.completed" && !isWhole(update, meta)) {
      const messageId = string(update.messageId) ?? string(meta.messageId);
      open = { meta, messageId, blocks: [blockIn(update, meta)], origin: [...origin] };
      return before;
    }
    return [...before, made(type, meta, payloadOf(type, update, meta), update, origin)];
  }

  function close(): SessionEvent[] {
    if (!open) return [];
    const { meta, messageId, blocks, origin } = open;
    open = undefined;
    const { model, usage } = meta;
    const payload = {
      ...fields(meta.payload),
      messageId,
      blocks,
      ...(model !== undefined && { model }),
      ...(usage !== undefined && { usage }),
    };
    return [made("message.completed", meta, payload, { messageId, blocks }, origin)];
  }
}

/** A message that ACP has no voice for lies in one update, whole. */
function isWhole(update: Fields, meta: Fields): boolean {
  return update.sessionUpdate === "session_info_update" && Array.isArray(fields(meta.payload)?.blocks);
}

function made(type: string, meta: Fields, payload: unknown, update: unknown, origin: Origin[]): SessionEvent {
  const checked = checkedEvent(type, { ...headFrom(meta), origin }, payload);
  return checked.ok ? checked.value : unknown("acp.update", update, origin, checked.problem);
}

function blockIn(update: Fields, meta: Fields): Block {
  const opaque = fields(list(meta.opaque)[0]);
  if (typeof opaque?.kind === "string")
    return { type: "unknown", nativeType: opaque.kind, value: opaque.data };
  if (update.sessionUpdate === "tool_call") {
    const { toolCallId, name, title, rawInput } = update;
    return {
      type: "tool-call",
      toolCallId: string(toolCallId) ?? "",
      name: string(name) ?? string(title) ?? "",
      arguments: rawInput,
      ...callRest(meta.block),
    };
  }
  if (meta.block !== undefined && isBlock(meta.block)) return meta.block;
  return blockOf(update.content, update.sessionUpdate === "agent_thought_chunk").block;
}

function callRest(value: unknown): { namespace?: string; freeform?: boolean } {
  const { namespace, freeform } = fields(value) ?? {};
  return {
    ...(typeof namespace === "string" && { namespace }),
    ...(typeof freeform === "boolean" && { freeform }),
  };
}

/** The payload of an event that is one update. */
function payloadOf(type: string, update: Fields, meta: Fields): unknown {
  const rest = fields(meta.payload);
  const { sessionUpdate, toolCallId } = update;
  switch (sessionUpdate) {
    case "session_info_update": {
      const { title } = update;
      return typeof title === "string" ? { title, ...rest } : { ...rest };
    }
    case "current_mode_update":
      return { settings: { mode: update.currentModeId } };
    case "config_option_update":
      return { settings: chosen(update.configOptions) };
    case "plan":
      return { plan: list(update.entries).map(plain) };
    case "tool_call":
    case "tool_call_update":
      if (type === "tool.started") {
        const { name, rawInput } = update;
        return { toolCallId, name, arguments: rawInput, ...rest };
      }
      if (type === "tool.updated") {
        const { status, content } = update;
        return {
          toolCallId,
          ...(content != null && { content: blocksOfTool(list(content), isBlock).blocks }),
          ...(status != null && { status }),
          ...rest,
        };
      }
      return {
        toolCallId,
        result: blocksOfTool(list(update.content), isBlock).blocks,
        isError: update.status === "failed",
        ...(update.rawOutput !== undefined && { detail: update.rawOutput }),
        ...rest,
      };
    default:
      return { ...rest };
  }
}

function plain(value: unknown): Fields {
  const entry = fields(value) ?? {};
  const { content, status, priority } = entry;
  const unsaid = aspOf(entry)?.priority === null;
  return { content, status, ...(!unsaid && priority !== undefined && { priority }) };
}
