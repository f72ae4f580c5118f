/** One agent's talk. What it says to a person is often a call (`send_message`): it stays one, as its model wrote it. */
import {
  type Block,
  documentParts,
  type OpenFile,
  type Origin,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
} from "@asp-convert/core";
import { type Fields, fields, list, name, parsed, string } from "@asp-convert/core/values";
import { type Place, Say } from "../say.js";
import { spoken, textOf, timeOf } from "./agents.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const say = new Say(ledger);
    yield say.start(ref, [say.record({ offset: 0, length: file.size })]);
    const { places, cut } = messagesIn(file);
    for (const place of places) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      const message = fields(parsed(say.text(file, place, origin)));
      if (message) yield* told(message, origin, say, ref);
      else yield say.unread("raw", "raw", "unparsable", origin);
    }
    yield* say.rest(file, cut);
  } finally {
    file.close();
  }
}

/** In a file of several agents those of the first lie inside its object. */
function messagesIn(file: OpenFile): { places: Place[]; cut: Place | undefined } {
  const { objects, cut } = documentParts(file, ["messages", "agents"]);
  const [first] = objects;
  if (!first) return { places: [], cut };
  const inner: OpenFile = {
    ...file,
    size: first.length,
    read: (at, length) => file.read(first.offset + at, Math.max(0, Math.min(length, first.length - at))),
  };
  const isAgent =
    fields(parsed(Buffer.from(inner.read(0, inner.size)).toString("utf8")))?.messages !== undefined;
  if (!isAgent) return { places: objects, cut };
  const places = documentParts(inner, ["messages"]).objects;
  return { places: places.map((place) => ({ ...place, offset: first.offset + place.offset })), cut };
}

function* told(
  message: Fields,
  origin: readonly Origin[],
  say: Say,
  ref: SessionRef,
): Generator<SessionEvent> {
  const { role } = message;
  const time = timeOf(message);
  const id = name(message.id);
  const text = textOf(message);
  if (role === "tool") {
    const call = name(message.tool_call_id);
    const failed = list(message.tool_returns).some((result) => fields(result)?.status === "error");
    if (call !== undefined)
      yield say.answered({ call, blocks: textBlock(text), isError: failed, time }, origin);
    else yield say.unread("letta.tool", "tool-results", "orphan-result", origin);
    return;
  }
  if (role === "user") {
    const { words, isPerson } = spoken(text);
    if (words === "") yield say.unread("letta.user", "messages", "empty", origin);
    else if (isPerson) yield say.said({ id, role, blocks: textBlock(words), time }, origin);
    // A heartbeat, an alert, a login: what Letta tells its agent by itself.
    else yield say.said({ id, role, blocks: textBlock(words), injected: "harness", time }, origin);
    return;
  }
  if (role === "system") {
    if (text === "") yield say.unread("letta.system", "injected-context", "empty", origin);
    else yield say.said({ id, role, blocks: textBlock(text), injected: "harness", time }, origin);
    return;
  }
  const blocks = [...thoughts(message), ...textBlock(text), ...calls(message)];
  const model = name(message.model) ?? ref.model;
  if (blocks.length === 0) yield say.unread("letta.message", "messages", "empty", origin);
  else
    yield say.said(
      {
        id,
        role: role === "assistant" ? role : "unknown",
        blocks,
        time,
        ...(model !== undefined && { model }),
      },
      origin,
    );
}

function thoughts({ content }: Fields): Block[] {
  return list(content).flatMap((part): Block[] => {
    const { type, reasoning } = fields(part) ?? {};
    return type === "reasoning" && typeof reasoning === "string"
      ? [{ type: "thinking", text: reasoning }]
      : [];
  });
}

function calls({ tool_calls }: Fields): Block[] {
  return list(tool_calls).flatMap((call): Block[] => {
    const made = fields(call);
    const toolCallId = name(made?.id);
    const wanted = fields(made?.function);
    const tool = name(wanted?.name);
    if (toolCallId === undefined || tool === undefined) return [];
    const given = string(wanted?.arguments) ?? "{}";
    const value = parsed(given);
    return value === undefined
      ? [{ type: "tool-call", toolCallId, name: tool, arguments: given, freeform: true }]
      : [{ type: "tool-call", toolCallId, name: tool, arguments: value }];
  });
}

function textBlock(text: string): Block[] {
  return text === "" ? [] : [{ type: "text", text }];
}
