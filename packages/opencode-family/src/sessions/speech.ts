/** What was said, and what calls gave: messages and results → the sheet. */
import type { Block, EventOf, SessionEvent } from "@asp-convert/core";
import { fields, msOf } from "../json.js";
import { fullName } from "../target/model.js";
import { assistantParts, userParts } from "./blocks.js";
import type { Draft } from "./draft.js";
import { note } from "./encoding.js";
import type { Sheet } from "./sheet.js";
import { type Totals, tokensOf } from "./totals.js";

type Message = EventOf<"message.completed">;

/** @param harness of the source; `totals`: gets what an answer took. */
export function message(sheet: Sheet, event: Message, harness: string, totals: Totals): void {
  const { role, injected, blocks } = event.payload;
  const { ledger } = sheet.encoding;
  if (injected === "harness" || role === "system")
    ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
  else if (role === "assistant") answered(sheet, event, harness, totals);
  else if (role === "tool") results(sheet, event, blocks);
  else said(sheet, event);
}

function said(sheet: Sheet, event: Message): void {
  const { encoding } = sheet;
  const { role, blocks, audience, display, messageId } = event.payload;
  // Who else speaks, another agent for one, is told as a note.
  const injected = event.payload.injected ?? (role === "user" ? undefined : "notice");
  const hidden = audience !== undefined && !audience.includes("assistant");
  const asp = {
    ...(injected !== undefined && !encoding.native && { injected }),
    ...(display !== undefined && { display: true }),
  };
  const parts = userParts(
    blocks,
    {
      ...((injected !== undefined || display !== undefined || (audience && !audience.includes("user"))) && {
        synthetic: true as const,
      }),
      ...(hidden && { ignored: true as const }),
      ...(Object.keys(asp).length > 0 && { metadata: { asp } }),
    },
    encoding,
  );
  if (display !== undefined) {
    parts.push({
      data: { type: "text", text: display, ignored: true, metadata: { asp: { display: true } } },
    });
  }
  encoding.ledger.mapped(event, injected === undefined ? "messages" : "injected-context");
  if (parts.length === 0 && !encoding.native) return;
  // Beside what a person said stand, in the same message, the texts that the program put there.
  // Of texts that were shown otherwise than sent, a message has one: the next one begins another.
  const beside = (injected !== undefined || hidden) && display === undefined && sheet.draft?.role === "user";
  const draft = beside && sheet.draft ? sheet.draft : sheet.begin(event, "user", userInfo(sheet));
  draft.parts.push(...parts);
  sheet.ids.set(messageId, draft.id);
}

function answered(sheet: Sheet, event: Message, harness: string, totals: Totals): void {
  const { encoding } = sheet;
  const { blocks, model, usage, stopReason, messageId, audience, kind } = event.payload;
  if (model !== undefined) sheet.model = fullName(model, harness);
  const draft = sheet.begin(event, "assistant", {});
  const { parts, calls, error } = assistantParts(blocks, sheet.calls.names, draft.time, encoding);
  const unsent = audience !== undefined && !audience.includes("assistant");
  const finish = finishOf(stopReason, calls.length > 0, encoding.native);
  if (stopReason !== undefined && stopReason !== finish) sheet.note("turns", "re-encoded");
  draft.data = assistantInfo(sheet, event, draft.time, finish);
  draft.parts.push(...parts);
  if (unsent || error) fail(sheet, draft, error, unsent);
  if (stopReason === "aborted" && encoding.native) {
    draft.data.error = { name: "MessageAbortedError", data: { message: "Aborted" } };
    draft.data.time = { created: draft.time, completed: draft.time };
  }
  if (kind === "summary" && encoding.native)
    Object.assign(draft.data, { summary: true, mode: "compaction", agent: "compaction" });
  for (const call of calls) sheet.calls.add(call);
  sheet.ids.set(messageId, draft.id);
  encoding.ledger.mapped(event, "messages", ...(model === undefined ? [] : ["models" as const]));
  if (usage) {
    encoding.ledger.keep("usage");
    totals.add(usage);
  }
}

/** Why an answer ended, in the program's words. One that was cut off by its own program did not end. */
function finishOf(reason: string | undefined, calls: boolean, native: boolean): string | undefined {
  if (native) return reason === "aborted" ? undefined : reason;
  if (reason === "length" || reason === "max_tokens") return "length";
  return calls ? "tool-calls" : "stop";
}

/** A message with an error is shown, and sent to no model. */
function fail(
  { encoding }: Sheet,
  draft: Draft,
  error: (Block & { type: "error" }) | undefined,
  unsent: boolean,
): void {
  if (!unsent) {
    note(encoding, "errors", "evidence-only", "not-supported");
    return;
  }
  const known = encoding.native && error?.code !== undefined;
  const words = error?.message ?? "Shown by the source program only; no model was sent this.";
  draft.data.error = known
    ? { name: error?.code, data: error?.detail ?? { message: words } }
    : { name: "UnknownError", data: { message: words } };
  delete draft.data.finish;
  if (error) encoding.ledger.keep("errors");
  if (!known && (error?.code ?? error?.detail) !== undefined)
    note(encoding, "errors", "evidence-only", "no-counterpart");
}

export function result(sheet: Sheet, event: EventOf<"tool.completed">): void {
  const { payload } = event;
  const { calls, encoding, draft } = sheet;
  if (!calls.has(payload.toolCallId)) {
    orphan(sheet, event);
    return;
  }
  const time = Math.max(msOf(event.time) ?? 0, draft?.time ?? sheet.lastTime);
  const { written, change } = calls.answer(payload, time);
  if (change) sheet.change(change);
  if (!written && draft?.role === "assistant") complete(draft, time);
  encoding.ledger.mapped(event, "tool-results");
}

/** Results that stand in a message. */
function results(sheet: Sheet, event: SessionEvent, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.type !== "tool-result" || !sheet.calls.has(block.toolCallId)) continue;
    const { toolCallId, content, isError = false } = block;
    const { change } = sheet.calls.answer({ toolCallId, result: content, isError }, sheet.lastTime);
    if (change) sheet.change(change);
  }
  sheet.encoding.ledger.mapped(event, "tool-results");
}

/** A result without its call has no place: its words stand beside the person's. */
function orphan(sheet: Sheet, event: EventOf<"tool.completed">): void {
  const { encoding, draft: open } = sheet;
  sheet.note("tool-results", "orphan-result");
  const label: Block = {
    type: "text",
    text: `[Result of the tool call ${event.payload.toolCallId}, which the source does not hold]`,
  };
  const draft = open?.role === "user" ? open : sheet.begin(event, "user", userInfo(sheet));
  draft.parts.push(...userParts([label, ...event.payload.result], { synthetic: true }, encoding));
  encoding.ledger.mapped(event, "tool-results");
}

function complete(draft: Draft, time: number): void {
  const known = fields(draft.data.time);
  if (draft.data.finish === undefined) return;
  draft.data.time = { ...known, completed: Math.max(time, Number(known?.completed ?? 0)) };
}

/** What a person's message says of itself. */
export function userInfo({ model: { provider, model, variant }, agent }: Sheet): Record<string, unknown> {
  return {
    role: "user",
    agent,
    model: { providerID: provider, modelID: model, ...(variant !== undefined && { variant }) },
  };
}

function assistantInfo(
  sheet: Sheet,
  { payload: { usage } }: Message,
  time: number,
  finish: string | undefined,
): Record<string, unknown> {
  const { cwd, project } = sheet.place;
  const { provider, model, variant } = sheet.model;
  return {
    role: "assistant",
    parentID: sheet.question(),
    mode: sheet.agent,
    agent: sheet.agent,
    ...(variant !== undefined && { variant }),
    path: { cwd, root: project.worktree },
    cost: usage?.costUsd ?? 0,
    tokens: tokensOf(usage),
    modelID: model,
    providerID: provider,
    time: { created: time, ...(finish !== undefined && { completed: time }) },
    ...(finish !== undefined && { finish }),
  };
}
