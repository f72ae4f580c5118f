/** Anthropic's Messages API: `POST /v1/messages`, streamed or whole. */
import type { PlayedBlock } from "../script.js";
import { type DialectServer, pieces, type Question, type Reply, type ServerEvent } from "./dialect.js";

export const anthropic: DialectServer = {
  base: "",
  asks: (path) => path.endsWith("/v1/messages"),
  answer,
  refusal: (status, message) => ({ type: "error", error: { type: errorType(status), message } }),
};

const STOPS = { stop: "end_turn", calls: "tool_use", length: "max_tokens" } as const;

function answer({ body, blocks, finish, usage: tokens, id }: Question): Reply {
  const stop_reason = STOPS[finish];
  const usage = {
    input_tokens: tokens.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
  };
  const message = {
    id: `msg_mock${id()}`,
    type: "message",
    role: "assistant",
    model: body.model ?? "mock",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  if (body.stream !== true) return { json: { ...message, content: blocks.map(contentBlock), stop_reason } };
  return {
    events: [
      named("message_start", { message }),
      ...blocks.flatMap(blockEvents),
      named("message_delta", { delta: { stop_reason, stop_sequence: null }, usage }),
      named("message_stop", {}),
    ],
  };
}

function contentBlock(block: PlayedBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: block.signature };
    case "redacted":
      return { type: "redacted_thinking", data: block.data };
    case "call":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input };
  }
}

function blockEvents(block: PlayedBlock, index: number): ServerEvent[] {
  const start = (content_block: object) => named("content_block_start", { index, content_block });
  const delta = (change: object) => named("content_block_delta", { index, delta: change });
  const stop = named("content_block_stop", { index });
  switch (block.type) {
    case "text":
      return [
        start({ type: "text", text: "" }),
        ...pieces(block.text).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...pieces(block.text).map((thinking) => delta({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: block.signature }),
        stop,
      ];
    case "redacted":
      return [start(contentBlock(block)), stop];
    case "call":
      return [
        start({ type: "tool_use", id: block.id, name: block.name, input: {} }),
        ...pieces(block.json).map((partial_json) => delta({ type: "input_json_delta", partial_json })),
        stop,
      ];
  }
}

function named(type: string, fields: object): ServerEvent {
  return { name: type, data: { type, ...fields } };
}

function errorType(status: number): string {
  if (status === 529) return "overloaded_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}
