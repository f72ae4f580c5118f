/**
 * The stream of an agent that says nothing about events: chunks become messages, calls stand in the message they came
 * with, their last update is the result. What an event has no place for (how a call was titled, options offered, another
 * agent's `_meta`) is told beside it, so that nothing is lost.
 */
import type { Block, Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, isoTime, list, string } from "@asp-convert/core/values";
import { isBlock } from "./check.js";
import { audienceOf, blockOf, blocksOfTool } from "./content.js";
import { ForeignTalk, type OpenMessage, SUMMARY } from "./foreign-talk.js";
import { aspOf } from "./meta.js";
import { chosen, unknown } from "./observed.js";

type ToolCall = Extract<Block, { type: "tool-call" }>;

interface Tool {
  /** Its block and the message that it stands in, until the result is there. */
  called: { block: ToolCall; into: OpenMessage } | undefined;
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
  const talk = new ForeignTalk();

  return {
    push(value, origin) {
      take(value, origin);
      return talk.told();
    },
    end() {
      talk.flush();
      return talk.told();
    },
  };

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
        if (!talk.tell("task.updated", { plan: list(entries) }, origin)) break;
        talk.leave("plan", more, _meta, origin);
        return;
      }
      case "current_mode_update":
        if (!talk.tell("capabilities.changed", { settings: { mode: rest.currentModeId } }, origin)) break;
        talk.leave("current_mode_update", {}, _meta, origin);
        return;
      case "config_option_update": {
        const settings = chosen(rest.configOptions);
        if (Object.keys(settings).length > 0) talk.tell("capabilities.changed", { settings }, origin);
        break;
      }
      case "session_info_update": {
        const { title, ...more } = rest;
        if (typeof title !== "string") break;
        talk.tell("session.bound", { title }, origin);
        talk.leave("session_info_update", more, _meta, origin);
        return;
      }
      case "compaction_update":
        if (rest.status !== "completed") break;
        compacted(rest, _meta, origin);
        return;
      case "compaction_summary_chunk": {
        const { content, ...more } = rest;
        summary([content], origin);
        talk.leave("compaction_summary_chunk", more, _meta, origin);
        return;
      }
    }
    talk.after(unknown(`acp.${string(sessionUpdate) ?? "update"}`, value, origin));
  }

  function chunk(role: "user" | "assistant", thought: boolean, update: Fields, origin: Origin[]): void {
    const { sessionUpdate, content, messageId, _meta, ...rest } = update;
    const nativeId = thought ? undefined : string(messageId);
    const { block, left } = blockOf(content, thought);
    const into = talk.open(role, nativeId, audienceOf(content), origin);
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
    talk.leave(
      String(sessionUpdate),
      { ...rest, ...own, ...(left && { content: left }) },
      withoutAsp(_meta),
      origin,
    );
  }

  /** What another agent that knows the protocol says of time, model, usage, and what cannot be read. */
  function hints(into: OpenMessage, asp: Fields): void {
    const { payload } = into;
    into.time ??= isoTime(asp.time);
    if (typeof asp.model === "string") payload.model = asp.model;
    for (const each of list(asp.opaque)) {
      const { kind, data } = fields(each) ?? {};
      if (typeof kind === "string") payload.blocks.push({ type: "unknown", nativeType: kind, value: data });
    }
    const { time: _, model: __, opaque: ___, ...more } = asp;
    if (Object.keys(more).length > 0) talk.after(unknown("acp._meta", { asp: more }, into.origin.slice(-1)));
  }

  function tool(update: Fields, origin: Origin[]): void {
    const { sessionUpdate, toolCallId, name, title, rawInput, content, rawOutput, status, _meta, ...rest } =
      update;
    const id = string(toolCallId);
    if (id === undefined) {
      talk.after(unknown(`acp.${string(sessionUpdate)}`, update, origin));
      return;
    }
    const known = tools.get(id) ?? announce(id, update, origin);
    const left: Fields = { ...rest };
    const called = known.called && talk.isOpen(known.called.into) ? known.called.block : undefined;
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
      talk.leave(String(sessionUpdate), { toolCallId, ...beside }, _meta, origin);
    else talk.leave(String(sessionUpdate), {}, _meta, origin);
    if (Array.isArray(content)) known.content = content;
    if (rawOutput !== undefined) known.rawOutput = rawOutput;
    if (!known.done && (status === "completed" || status === "failed")) {
      finish(id, known, status === "failed", origin);
      return;
    }
    if (content == null && rawOutput === undefined) {
      if (!called)
        talk.after({ type: "tool.updated", payload: { toolCallId: id, ...state(status) }, origin });
      return;
    }
    const { blocks, left: lost } = blocksOfTool(list(content), isBlock);
    talk.after({
      type: "tool.updated",
      payload: { toolCallId: id, content: blocks, ...state(status) },
      origin,
    });
    if (rawOutput !== undefined) lost.push({ rawOutput });
    for (const each of lost) talk.after(unknown("acp.tool_call_update", { toolCallId: id, ...each }, origin));
  }

  /** A call is told of by whatever names it first: some agents send no `tool_call`. */
  function announce(id: string, { name, title, rawInput }: Fields, origin: Origin[]): Tool {
    const block: ToolCall = {
      type: "tool-call",
      toolCallId: id,
      name: string(name) ?? string(title) ?? "tool",
      arguments: rawInput ?? null,
    };
    const into = talk.open("assistant", undefined, undefined, origin);
    into.payload.blocks.push(block);
    into.growing = undefined;
    const made: Tool = { called: { block, into }, content: undefined, rawOutput: undefined, done: false };
    tools.set(id, made);
    return made;
  }

  function finish(id: string, known: Tool, isError: boolean, origin: Origin[]): void {
    known.done = true;
    talk.flush();
    const { blocks, left } = blocksOfTool(known.content ?? [], isBlock);
    const { rawOutput } = known;
    const onlyText = blocks.length === 0 && typeof rawOutput === "string";
    talk.after({
      type: "tool.completed",
      payload: {
        toolCallId: id,
        result: onlyText ? [{ type: "text", text: rawOutput }] : blocks,
        isError,
        ...(rawOutput !== undefined && !onlyText && { detail: rawOutput }),
      },
      origin,
    });
    for (const each of left) talk.after(unknown("acp.tool_call_update", { toolCallId: id, ...each }, origin));
    known.called = undefined;
    known.content = undefined;
    known.rawOutput = undefined;
  }

  function compacted({ summary: blocks, ...more }: Fields, meta: unknown, origin: Origin[]): void {
    talk.flush();
    talk.after({ type: "status.changed", payload: { status: "compacted" }, origin });
    if (list(blocks).length > 0) summary(list(blocks), origin);
    talk.leave("compaction_update", more, meta, origin);
  }

  /** What stands for the talk so far, as the model is told it. */
  function summary(contents: readonly unknown[], origin: Origin[]): void {
    const into = talk.open("user", SUMMARY, undefined, origin);
    into.payload.kind = "summary";
    for (const content of contents) {
      const { block, left } = blockOf(content);
      into.payload.blocks.push(block);
      if (left) talk.leave("compaction_update", left, undefined, origin);
    }
  }
}

function state(status: unknown): { status?: string } {
  return typeof status === "string" ? { status } : {};
}

function withoutAsp(meta: unknown): Fields | undefined {
  const { asp: _, ...rest } = fields(meta) ?? {};
  return Object.keys(rest).length > 0 ? rest : undefined;
}
