/** Anthropic's Messages API: `POST /v1/messages`, streamed or whole. */
import type { PlayedBlock } from "../turn.js";
import { type DialectServer, type Question, type Reply, type ServerEvent, TOKENS } from "./dialect.js";

export const anthropic: DialectServer = {
  base: "",
  asks: (path) => path.endsWith("/v1/messages"),
  answer,
  refusal: (status, message) => ({ type: "error", error: { type: errorType(status), message } }),
};

function answer({ body, blocks, id }: Question): Reply {
  const stop_reason = blocks.some((block) => block.type === "call") ? "tool_use" : "end_turn";
  const usage = {
    input_tokens: TOKENS.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: TOKENS.output,
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
      return [start({ type: "text", text: "" }), delta({ type: "text_delta", text: block.text }), stop];
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        delta({ type: "thinking_delta", thinking: block.text }),
        delta({ type: "signature_delta", signature: block.signature }),
        stop,
      ];
    case "call":
      return [
        start({ type: "tool_use", id: block.id, name: block.name, input: {} }),
        delta({ type: "input_json_delta", partial_json: JSON.stringify(block.input) }),
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
