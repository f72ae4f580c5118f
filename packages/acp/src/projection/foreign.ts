/**
 * The stream of an agent that says nothing about events: chunks become messages, calls stand in the message they came
 * with, their last update is the result. What an event has no place for (how a call was titled, options offered, another
 * agent's `_meta`) is told beside it, so that nothing is lost.
 */
import type { Block, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, isoTime, list, string } from "@asp-convert/core/values";
import { checkedEvent, isBlock } from "./check.js";
import { audienceOf, blockOf, blocksOfTool } from "./content.js";
import { aspOf } from "./meta.js";
import { chosen, unknown } from "./observed.js";

type ToolCall = Extract<Block, { type: "tool-call" }>;

interface Message {
  role: "user" | "assistant";
  /** As the agent said it; a chunk without one goes on with what is there. */
  nativeId: string | undefined;
  audience: string;
  payload: Payloads["message.completed"];
  /** The last block takes the text of the next chunk of the same kind. */
  growing: string | undefined;
  time: string | undefined;
  origin: Origin[];
  /** Comes right after the message. */
  after: SessionEvent[];
}

interface Tool {
  /** While its message is not told yet. */
  block: ToolCall | undefined;
  content: readonly unknown[] | undefined;
  rawOutput: unknown;
  done: boolean;
}

export interface ForeignReader {
  push(update: unknown, origin: Origin[]): SessionEvent[];
  end(): SessionEvent[];
}

export function foreignReader(): ForeignReader {
  const tools = new Map<string, Tool>();
  const ids = new Set<string>();
  let message: Message | undefined;
  let out: SessionEvent[] = [];

  return {
    push(value, origin) {
      take(value, origin);
      return told();
    },
    end() {
      flush();
      return told();
    },
  };

  function told(): SessionEvent[] {
    const events = out;
    out = [];
    return events;
  }

  function take(value: unknown, origin: Origin[]): void {
    const update = fields(value) ?? {};
    const { sessionUpdate, _meta, ...rest } = update;
    switch (sessionUpdate) {
      case "user_message_chunk":
        chunk("user", false, update, origin);
        return;
      case "agent_message_chunk":
        chunk("assistant", false, update, origin);
        return;
      case "agent_thought_chunk":
        chunk("assistant", true, update, origin);
        return;
      case "tool_call":
      case "tool_call_update":
        tool(update, origin);
        return;
      case "plan": {
        const { entries, ...more } = rest;
        if (!tell("task.updated", { plan: list(entries) }, origin)) break;
        leave("plan", more, _meta, origin);
        return;
      }
      case "current_mode_update":
        if (!tell("capabilities.changed", { settings: { mode: rest.currentModeId } }, origin)) break;
        leave("current_mode_update", {}, _meta, origin);
        return;
      case "config_option_update": {
        const settings = chosen(rest.configOptions);
        if (Object.keys(settings).length > 0) tell("capabilities.changed", { settings }, origin);
        break;
      }
      case "session_info_update": {
        const { title, ...more } = rest;
        if (typeof title !== "string") break;
        tell("session.bound", { title }, origin);
        leave("session_info_update", more, _meta, origin);
        return;
      }
      case "compaction_update":
        if (rest.status !== "completed") break;
        compacted(rest, _meta, origin);
        return;
      case "compaction_summary_chunk": {
        const { content, ...more } = rest;
        summary([content], origin);
        leave("compaction_summary_chunk", more, _meta, origin);
        return;
      }
    }
    after(unknown(`acp.${string(sessionUpdate) ?? "update"}`, value, origin));
  }

  function chunk(role: "user" | "assistant", thought: boolean, update: Fields, origin: Origin[]): void {
    const { sessionUpdate, content, messageId, _meta, ...rest } = update;
    const nativeId = thought ? undefined : string(messageId);
    const { block, left } = blockOf(content, thought);
    const into = open(role, nativeId, audienceOf(content), origin);
    const { payload } = into;
    const last = payload.blocks.at(-1);
    // An agent's words come in pieces; a person's blocks come whole.
    const kind = role === "assistant" && !left ? block.type : undefined;
    if (kind !== undefined && kind === into.growing && last && "text" in last && "text" in block)
      last.text = `${last.text ?? ""}${block.text ?? ""}`;
    else payload.blocks.push(block);
    into.growing = kind === "text" || kind === "thinking" ? kind : undefined;
    const asp = aspOf(update);
    if (asp) hints(into, asp);
    const own = thought && typeof messageId === "string" && messageId !== into.nativeId ? { messageId } : {};
    leave(
      String(sessionUpdate),
      { ...rest, ...own, ...(left && { content: left }) },
      withoutAsp(_meta),
      origin,
    );
  }

  /** What another agent that knows the protocol says of time, model, usage, and what cannot be read. */
  function hints(into: Message, asp: Fields): void {
    const { payload } = into;
    into.time ??= isoTime(asp.time);
    if (typeof asp.model === "string") payload.model = asp.model;
    for (const each of list(asp.opaque)) {
      const { kind, data } = fields(each) ?? {};
      if (typeof kind === "string") payload.blocks.push({ type: "unknown", nativeType: kind, value: data });
    }
    const { time: _, model: __, opaque: ___, ...more } = asp;
    if (Object.keys(more).length > 0) after(unknown("acp._meta", { asp: more }, into.origin.slice(-1)));
  }

  /** The message that a chunk of this kind goes into: the one there is, or a new one. */
  function open(
    role: "user" | "assistant",
    nativeId: string | undefined,
    audience: ("user" | "assistant")[] | undefined,
    origin: Origin[],
  ): Message {
    const mark = (audience ?? []).join();
    const goesOn =
      message !== undefined &&
      message.role === role &&
      message.audience === mark &&
      (nativeId === undefined || message.nativeId === undefined || message.nativeId === nativeId);
    if (message && goesOn) {
      message.nativeId ??= nativeId;
      message.origin.push(...origin);
      return message;
    }
    flush();
    message = {
      role,
      nativeId,
      audience: mark,
      payload: { messageId: "", role, blocks: [], ...(audience && { audience }) },
      growing: undefined,
      time: undefined,
      origin: [...origin],
      after: [],
    };
    return message;
  }

  function tool(update: Fields, origin: Origin[]): void {
    const { sessionUpdate, toolCallId, name, title, rawInput, content, rawOutput, status, _meta, ...rest } =
      update;
    const id = string(toolCallId);
    if (id === undefined) {
      after(unknown(`acp.${string(sessionUpdate)}`, update, origin));
      return;
    }
    const known = tools.get(id) ?? announce(id, update, origin);
    const left: Fields = { ...rest };
    const called = known.block;
    if (called) {
      if (typeof name === "string") called.name = name;
      if (rawInput !== undefined) called.arguments = rawInput;
    }
    const beside = {
      ...left,
      ...(typeof title === "string" && title !== called?.name && { title }),
      ...(!called && rawInput !== undefined && { rawInput }),
      ...(!called && name != null && { name }),
    };
    if (Object.keys(beside).length > 0)
      leave(String(sessionUpdate), { toolCallId, ...beside }, _meta, origin);
    else leave(String(sessionUpdate), {}, _meta, origin);
    if (Array.isArray(content)) known.content = content;
    if (rawOutput !== undefined) known.rawOutput = rawOutput;
    if (!known.done && (status === "completed" || status === "failed")) {
      finish(id, known, status === "failed", origin);
      return;
    }
    if (content == null && rawOutput === undefined) {
      if (!called) after({ type: "tool.updated", payload: { toolCallId: id, ...state(status) }, origin });
      return;
    }
    const { blocks, left: lost } = blocksOfTool(list(content), isBlock);
    after({ type: "tool.updated", payload: { toolCallId: id, content: blocks, ...state(status) }, origin });
    if (rawOutput !== undefined) lost.push({ rawOutput });
    for (const each of lost) after(unknown("acp.tool_call_update", { toolCallId: id, ...each }, origin));
  }

  /** A call is told of by whatever names it first: some agents send no `tool_call`. */
  function announce(id: string, { name, title, rawInput }: Fields, origin: Origin[]): Tool {
    const block: ToolCall = {
      type: "tool-call",
      toolCallId: id,
      name: string(name) ?? string(title) ?? "tool",
      arguments: rawInput ?? null,
    };
    const into = open("assistant", undefined, undefined, origin);
    into.payload.blocks.push(block);
    into.growing = undefined;
    const made: Tool = { block, content: undefined, rawOutput: undefined, done: false };
    tools.set(id, made);
    return made;
  }

  function finish(id: string, known: Tool, isError: boolean, origin: Origin[]): void {
    known.done = true;
    flush();
    const { blocks, left } = blocksOfTool(known.content ?? [], isBlock);
    const { rawOutput } = known;
    const onlyText = blocks.length === 0 && typeof rawOutput === "string";
    out.push({
      type: "tool.completed",
      payload: {
        toolCallId: id,
        result: onlyText ? [{ type: "text", text: rawOutput }] : blocks,
        isError,
        ...(rawOutput !== undefined && !onlyText && { detail: rawOutput }),
      },
      origin,
    });
    for (const each of left) out.push(unknown("acp.tool_call_update", { toolCallId: id, ...each }, origin));
    known.content = undefined;
    known.rawOutput = undefined;
  }

  function compacted({ summary: blocks, ...more }: Fields, meta: unknown, origin: Origin[]): void {
    flush();
    out.push({ type: "status.changed", payload: { status: "compacted" }, origin });
    if (list(blocks).length > 0) summary(list(blocks), origin);
    leave("compaction_update", more, meta, origin);
  }

  /** What stands for the talk so far, as the model is told it. */
  function summary(contents: readonly unknown[], origin: Origin[]): void {
    const into = open("user", "summary", undefined, origin);
    into.payload.kind = "summary";
    for (const content of contents) {
      const { block, left } = blockOf(content);
      into.payload.blocks.push(block);
      if (left) leave("compaction_update", left, undefined, origin);
    }
  }

  /** False where the payload is not what such an event holds: then the update is told of as it is. */
  function tell(type: EventType, payload: unknown, origin: Origin[]): boolean {
    const checked = checkedEvent(type, { origin }, payload);
    if (checked.ok) after(checked.value);
    return checked.ok;
  }

  function leave(kind: string, rest: Fields, meta: unknown, origin: Origin[]): void {
    const value = { ...rest, ...(meta != null && { _meta: meta }) };
    if (Object.keys(value).length > 0) after(unknown(`acp.${kind}`, value, origin));
  }

  function after(event: SessionEvent): void {
    (message ? message.after : out).push(event);
  }

  function flush(): void {
    if (!message) return;
    const { payload, nativeId, time, origin, after } = message;
    message = undefined;
    payload.messageId = freeId(nativeId);
    for (const block of payload.blocks) {
      const known = block.type === "tool-call" ? tools.get(block.toolCallId) : undefined;
      if (known) known.block = undefined;
    }
    out.push({
      type: "message.completed",
      payload,
      ...(nativeId !== undefined && nativeId !== "summary" && { nativeId }),
      ...(time !== undefined && { time }),
      origin,
    });
    out.push(...after);
  }

  /** An agent's id comes again where its answer goes on after a call. */
  function freeId(nativeId: string | undefined): string {
    const base = nativeId ?? "message";
    let id = nativeId ?? "message-0";
    for (let n = 1; ids.has(id); n++) id = `${base}-${n}`;
    ids.add(id);
    return id;
  }
}

function state(status: unknown): { status?: string } {
  return typeof status === "string" ? { status } : {};
}

function withoutAsp(meta: unknown): Fields | undefined {
  const { asp: _, ...rest } = fields(meta) ?? {};
  return Object.keys(rest).length > 0 ? rest : undefined;
}
