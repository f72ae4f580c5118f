/** OpenAI's Responses API: `POST …/responses`, streamed or whole. */
import type { PlayedBlock } from "../turn.js";
import { type DialectServer, type Question, type Reply, type ServerEvent, TOKENS } from "./dialect.js";

export const responses: DialectServer = {
  base: "/v1",
  asks: (path) => path.endsWith("/responses"),
  answer,
  refusal: (_status, message) => ({ error: { message, type: "mock", code: null } }),
};

type Item = { readonly id: string; readonly type: string; readonly [key: string]: unknown };
/** An event before it has its place in the stream. */
type Unnumbered = { readonly type: string; readonly [key: string]: unknown };

function answer({ body, blocks, id }: Question): Reply {
  const output = blocks.map((block) => ({ block, item: itemOf(block, id) }));
  const started = {
    id: `resp_mock${id()}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    model: body.model ?? "mock",
    status: "in_progress",
    output: [],
  };
  const completed = {
    ...started,
    status: "completed",
    output: output.map(({ item }) => item),
    usage: {
      input_tokens: TOKENS.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: TOKENS.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: TOKENS.total,
    },
  };
  if (body.stream !== true) return { json: completed };
  const events: Unnumbered[] = [
    { type: "response.created", response: started },
    ...output.flatMap(({ block, item }, index) => itemEvents(block, item, index)),
    { type: "response.completed", response: completed },
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
    case "call":
      return {
        id: `fc_mock${id()}`,
        type: "function_call",
        status: "completed",
        call_id: block.id,
        name: block.name,
        ...(block.namespace !== undefined && { namespace: block.namespace }),
        arguments: JSON.stringify(block.input),
      };
  }
}

function itemEvents(block: PlayedBlock, item: Item, output_index: number): Unnumbered[] {
  const place = { item_id: item.id, output_index };
  const begun = block.type === "text" ? { ...item, content: [] } : item;
  const parts: Unnumbered[] = [];
  if (block.type === "text") {
    const at = { ...place, content_index: 0 };
    parts.push({ type: "response.output_text.delta", ...at, delta: block.text });
    parts.push({ type: "response.output_text.done", ...at, text: block.text });
  } else if (block.type === "thinking") {
    const at = { ...place, summary_index: 0 };
    const part = { type: "summary_text", text: block.text };
    parts.push({ type: "response.reasoning_summary_part.added", ...at, part });
    parts.push({ type: "response.reasoning_summary_text.delta", ...at, delta: block.text });
    parts.push({ type: "response.reasoning_summary_text.done", ...at, text: block.text });
  }
  return [
    { type: "response.output_item.added", output_index, item: begun },
    ...parts,
    { type: "response.output_item.done", output_index, item },
  ];
}
