/** OpenAI's Responses API: `POST …/responses`, streamed or whole. */
import type { PlayedBlock } from "../script.js";
import { type DialectServer, pieces, type Question, type Reply, type ServerEvent } from "./dialect.js";

export const responses: DialectServer = {
  base: "/v1",
  asks: (path) => path.endsWith("/responses"),
  answer,
  refusal: (_status, message) => ({ error: { message, type: "mock", code: null } }),
};

type Item = { readonly id: string; readonly type: string; readonly [key: string]: unknown };
/** An event before it has its place in the stream. */
type Unnumbered = { readonly type: string; readonly [key: string]: unknown };

function answer({ body, blocks, finish, usage: tokens, id }: Question): Reply {
  const output = blocks.map((block) => ({ block, item: itemOf(block, id) }));
  const started = {
    id: `resp_mock${id()}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    model: body.model ?? "mock",
    status: "in_progress",
    output: [],
  };
  const short = finish === "length";
  const completed = {
    ...started,
    status: short ? "incomplete" : "completed",
    ...(short && { incomplete_details: { reason: "max_output_tokens" } }),
    output: output.map(({ item }) => item),
    usage: {
      input_tokens: tokens.input + tokens.cacheRead,
      input_tokens_details: { cached_tokens: tokens.cacheRead },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens.input + tokens.cacheRead + tokens.output,
    },
  };
  if (body.stream !== true) return { json: completed };
  const events: Unnumbered[] = [
    { type: "response.created", response: started },
    ...output.flatMap(({ block, item }, index) => itemEvents(block, item, index)),
    { type: short ? "response.incomplete" : "response.completed", response: completed },
  ];
  return {
    events: events.map(
      (event, sequence_number): ServerEvent => ({ name: event.type, data: { ...event, sequence_number } }),
    ),
  };
}

function itemOf(block: PlayedBlock, id: () => number): Item {
  switch (block.type) {
    case "text":
      return {
        id: `msg_mock${id()}`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: block.text, annotations: [] }],
      };
    case "thinking":
      return {
        id: `rs_mock${id()}`,
        type: "reasoning",
        summary: [{ type: "summary_text", text: block.text }],
        encrypted_content: block.signature || null,
      };
    case "redacted":
      return { id: `rs_mock${id()}`, type: "reasoning", summary: [], encrypted_content: block.data };
    case "call":
      return {
        id: `fc_mock${id()}`,
        type: "function_call",
        status: "completed",
        call_id: block.id,
        name: block.name,
        ...(block.namespace !== undefined && { namespace: block.namespace }),
        arguments: block.json,
      };
  }
}

function itemEvents(block: PlayedBlock, item: Item, output_index: number): Unnumbered[] {
  const { begun, parts } = streamed(block, item, { item_id: item.id, output_index });
  return [
    { type: "response.output_item.added", output_index, item: begun },
    ...parts,
    { type: "response.output_item.done", output_index, item },
  ];
}

/** An item as it begins, and what fills it. */
function streamed(block: PlayedBlock, item: Item, place: object): { begun: Item; parts: Unnumbered[] } {
  switch (block.type) {
    case "text": {
      const at = { ...place, content_index: 0 };
      const part = { type: "output_text", text: block.text, annotations: [] };
      return {
        begun: { ...item, status: "in_progress", content: [] },
        parts: [
          { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
          ...pieces(block.text).map((delta) => ({
            type: "response.output_text.delta",
            ...at,
            delta,
            logprobs: [],
          })),
          { type: "response.output_text.done", ...at, text: block.text, logprobs: [] },
          { type: "response.content_part.done", ...at, part },
        ],
      };
    }
    case "thinking": {
      const at = { ...place, summary_index: 0 };
      const part = { type: "summary_text", text: block.text };
      return {
        begun: { ...item, summary: [] },
        parts: [
          { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
          ...pieces(block.text).map((delta) => ({
            type: "response.reasoning_summary_text.delta",
            ...at,
            delta,
          })),
          { type: "response.reasoning_summary_text.done", ...at, text: block.text },
          { type: "response.reasoning_summary_part.done", ...at, part },
        ],
      };
    }
    case "redacted":
      return { begun: item, parts: [] };
    case "call":
      return {
        begun: { ...item, status: "in_progress", arguments: "" },
        parts: [
          ...pieces(block.json).map((delta) => ({
            type: "response.function_call_arguments.delta",
            ...place,
            delta,
          })),
          { type: "response.function_call_arguments.done", ...place, arguments: block.json },
        ],
      };
  }
}
