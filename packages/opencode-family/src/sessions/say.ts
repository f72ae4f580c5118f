/** One message with its parts → events, as the model is sent them. */
import type {
  Block,
  EventOf,
  InjectedBy,
  MessagePayload,
  Origin,
  SessionEvent,
  ToolResultPayload,
  Usage,
} from "@asp-convert/core";
import { defined, type Fields, fields, list, name, number, string } from "../json.js";
import { COMPACTION_PROMPT, NATIVE, SUBTASK_PROMPT } from "../native.js";
import { modelName, modelText } from "./info.js";
import { aspOf, callBlocks, fileBlock, isUnsentFile, resultOf, textBlocks, thinkingBlocks } from "./parts.js";
import type { Sink } from "./sink.js";

export interface Part {
  id: string;
  data: Fields;
  origin: Origin;
}

export interface Message {
  id: string;
  data: Fields;
  origin: Origin;
  /** ms since 1970. */
  time?: number | undefined;
  parts: Part[];
}

/** A run of parts that make one message. */
interface Run {
  id: string;
  injected?: InjectedBy;
  audience?: ["user"];
  display?: string;
  blocks: Block[];
  origin: Origin[];
}

export function sayUser(message: Message, sink: Sink): void {
  for (const run of userRuns(message)) {
    const { id, origin, ...rest } = run;
    sink.emit(
      "message.completed",
      { messageId: id, role: "user", ...rest },
      { id, origin, time: message.time },
    );
  }
  const extra = extrasOf(message.data, ["system", "tools", "format", "summary"]);
  if (extra)
    sink.emit("unknown.observed", extra, { id: message.id, origin: [message.origin], time: message.time });
}

/** What a person typed, with its files; what the program put beside it; what is shown and not sent. */
function userRuns(message: Message): Run[] {
  const runs: Run[] = [];
  const typed: Run = { id: "", blocks: [], origin: [] };
  let before: Run | undefined;
  const push = (run: Run, blocks: readonly Block[], origin: Origin) => {
    if (run.blocks.length === 0 && run.origin.length === 0) runs.push(run);
    run.blocks.push(...blocks);
    run.origin.push(origin);
    before = run;
  };
  for (const { id, data, origin } of message.parts) {
    const type = data.type;
    if (type === "text" && aspOf(data)?.display === true) {
      // Brought by a conversion: one text was sent, another one shown.
      if (data.ignored === true) {
        typed.display = string(data.text) ?? "";
        push(typed, [], origin);
      } else push(typed, textBlocks(data), origin);
    } else if (type === "text" && data.ignored === true) {
      push({ id, audience: ["user"], blocks: [], origin: [] }, textBlocks(data), origin);
    } else if (type === "text" && data.synthetic === true) {
      const injected = injectedBy(data);
      const same = before?.injected === injected ? before : undefined;
      push(same ?? { id, injected, blocks: [], origin: [] }, textBlocks(data), origin);
    } else if (type === "compaction") {
      push(
        { id, injected: "notice", blocks: [], origin: [] },
        [text(COMPACTION_PROMPT), whole(data)],
        origin,
      );
    } else if (type === "subtask") {
      push({ id, injected: "command", blocks: [], origin: [] }, [text(SUBTASK_PROMPT), whole(data)], origin);
    } else if (type === "text") {
      push(typed, textBlocks(data), origin);
    } else if (type === "file" && !isUnsentFile(data)) {
      push(typed, [fileBlock(data)], origin);
    } else {
      push(typed, [whole(data)], origin);
    }
  }
  const [first] = runs;
  if (!first) return [{ id: message.id, audience: ["user"], blocks: [], origin: [message.origin] }];
  first.id = message.id;
  first.origin.unshift(message.origin);
  if (typed.id === "" && typed !== first) typed.id = `${message.id}/typed`;
  return runs;
}

/** Which of its texts the program put there by itself, and why. */
function injectedBy(data: Fields): InjectedBy {
  const asp = string(aspOf(data)?.injected);
  if (asp === "command" || asp === "skill" || asp === "tool" || asp === "notice") return asp;
  const said = string(data.text) ?? "";
  if (said === SUBTASK_PROMPT) return "command";
  return /^Called the \w+ tool with the following input: |^<path>|^\[Binary MCP resource|^Read tool failed/.test(
    said,
  )
    ? "tool"
    : "notice";
}

interface Step {
  parts: Part[];
  /** step-start, step-finish, patch, snapshot. */
  marks: Part[];
  finish?: Fields;
}

/** One message for each step: the program sends a step's texts and calls, then the results, then the next step. */
export function assistantEvents(message: Message, sink: Sink, kind?: MessagePayload["kind"]): SessionEvent[] {
  const { data, time } = message;
  const events: SessionEvent[] = [];
  const steps = stepsOf(message.parts);
  const unsent = isLeftOut(message);
  const error = errorBlock(data.error);
  for (const [index, step] of steps.entries()) {
    const last = index === steps.length - 1;
    const id = index === 0 ? message.id : (step.parts[0]?.id ?? `${message.id}/${index}`);
    const blocks: Block[] = [];
    const results: EventOf<"tool.completed">[] = [];
    for (const part of step.parts) {
      const result = addPart(part.data, blocks, unsent);
      if (result)
        results.push(
          sink.make("tool.completed", result, {
            id: part.id,
            origin: [part.origin],
            time: endOf(part.data) ?? time,
          }),
        );
    }
    if (unsent && last && error) blocks.push(error);
    const origin = step.parts.map((part) => part.origin);
    if (index === 0) origin.unshift(message.origin);
    const model = modelName(data);
    const reason = string(step.finish?.reason) ?? (last ? string(data.finish) : undefined);
    const aborted = last && error?.code === "MessageAbortedError" ? "aborted" : undefined;
    const usage = usageOf(step.finish ?? (steps.length === 1 ? data : undefined));
    events.push(
      sink.make(
        "message.completed",
        {
          messageId: id,
          role: "assistant",
          blocks,
          ...(model && { model: modelText(model) }),
          ...(usage && { usage }),
          ...((reason ?? aborted) !== undefined && { stopReason: aborted ?? reason }),
          ...(kind && { kind }),
          ...(unsent && { audience: ["user"] as ["user"] }),
        },
        { id, origin, time },
      ),
      ...results,
    );
    if (step.marks.length > 0) {
      const marks = step.marks.map((part) => part.data);
      events.push(
        sink.make(
          "unknown.observed",
          { nativeType: NATIVE.snapshots, axis: "file-snapshots", value: marks },
          { id: step.marks[0]?.id ?? id, origin: step.marks.map((part) => part.origin), time },
        ),
      );
    }
  }
  const extra = extrasOf(data, ["structured"]);
  if (extra)
    events.push(sink.make("unknown.observed", extra, { id: message.id, origin: [message.origin], time }));
  return events;
}

function stepsOf(parts: readonly Part[]): Step[] {
  const steps: Step[] = [{ parts: [], marks: [] }];
  for (const part of parts) {
    const type = part.data.type;
    let step = steps.at(-1) as Step;
    if (type === "step-start" && step.parts.length > 0) {
      step = { parts: [], marks: [] };
      steps.push(step);
    }
    if (type === "step-finish") step.finish = part.data;
    if (type === "step-start" || type === "step-finish" || type === "patch" || type === "snapshot")
      step.marks.push(part);
    else step.parts.push(part);
  }
  return steps;
}

/** @returns the result of a call. */
function addPart(data: Fields, blocks: Block[], unsent: boolean): ToolResultPayload | undefined {
  switch (data.type) {
    case "text":
      blocks.push(...textBlocks(data));
      return undefined;
    case "reasoning":
      blocks.push(...thinkingBlocks(data));
      return undefined;
    case "tool":
      // The model never saw the call: as a call it would want a result.
      if (unsent) {
        blocks.push(whole(data));
        return undefined;
      }
      blocks.push(...callBlocks(data));
      return resultOf(data);
    default:
      blocks.push(whole(data));
      return undefined;
  }
}

/** A message with an error is sent to no model, unless a person stopped it and something had been said. */
export function isLeftOut({ data, parts }: Message): boolean {
  if (!fields(data.error)) return false;
  const aborted = fields(data.error)?.name === "MessageAbortedError";
  return !(
    aborted && parts.some((part) => part.data.type !== "step-start" && part.data.type !== "reasoning")
  );
}

function errorBlock(value: unknown): (Block & { type: "error" }) | undefined {
  const error = fields(value);
  if (!error) return undefined;
  const data = fields(error.data);
  const code = name(error.name);
  return {
    type: "error",
    message: string(data?.message) ?? code ?? "error",
    ...(code !== undefined && { code }),
    ...(data && { detail: data }),
  };
}

function usageOf(value: Fields | undefined): Usage | undefined {
  const tokens = fields(value?.tokens);
  const cache = fields(tokens?.cache);
  const usage = defined({
    inputTokens: number(tokens?.input),
    outputTokens: number(tokens?.output),
    reasoningTokens: number(tokens?.reasoning),
    cacheReadTokens: number(cache?.read),
    cacheWriteTokens: number(cache?.write),
    totalTokens: number(tokens?.total),
    costUsd: number(value?.cost),
  });
  return Object.values(usage).some((count) => count > 0) ? (usage as Usage) : undefined;
}

function endOf(part: Fields): number | undefined {
  return number(fields(fields(part.state)?.time)?.end);
}

/** Fields of a message that stand in no other event. */
function extrasOf(data: Fields, names: readonly string[]) {
  const value: Record<string, unknown> = {};
  for (const key of names)
    if (data[key] !== undefined && !isEmptySummary(key, data[key])) value[key] = data[key];
  if (Object.keys(value).length === 0) return undefined;
  const axis = "summary" in value ? "file-snapshots" : "side-records";
  return { nativeType: NATIVE.message, axis, value };
}

function isEmptySummary(key: string, value: unknown): boolean {
  if (key !== "summary") return false;
  const summary = fields(value);
  return (
    value === true ||
    (!!summary &&
      Object.keys(summary).every((inner) => inner === "diffs" && list(summary.diffs).length === 0))
  );
}

function text(value: string): Block {
  return { type: "text", text: value };
}

function whole(data: Fields): Block {
  return { type: "unknown", nativeType: NATIVE.part, value: data };
}
