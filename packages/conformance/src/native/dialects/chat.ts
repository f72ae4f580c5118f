/** OpenAI's Chat Completions API: `POST …/chat/completions`, streamed or whole. */
import type { PlayedBlock } from "../turn.js";
import { type DialectServer, type Question, type Reply, TOKENS } from "./dialect.js";

export const chat: DialectServer = {
  base: "/v1",
  asks: (path) => path.endsWith("/chat/completions"),
  answer,
  refusal: (_status, message) => ({ error: { message, type: "mock", code: null } }),
};

function answer({ body, blocks, id }: Question): Reply {
  const calls = blocks.filter((block) => block.type === "call");
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  const usage = {
    prompt_tokens: TOKENS.input,
    completion_tokens: TOKENS.output,
    total_tokens: TOKENS.total,
  };
  const frame = {
    id: `chatcmpl-mock${id()}`,
    created: Math.floor(Date.now() / 1000),
    model: body.model ?? "mock",
  };
  if (body.stream !== true) {
    const message = {
      role: "assistant",
      content: textOf(blocks, "text"),
      ...thought(textOf(blocks, "thinking")),
      ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
    };
    return {
      json: { ...frame, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage },
    };
  }
  const chunk = (delta: object, more: object = {}) => ({
    data: {
      ...frame,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    },
  });
  let callIndex = 0;
  return {
    events: [
      chunk({ role: "assistant", content: "" }),
      ...blocks.map((block) => {
        if (block.type === "text") return chunk({ content: block.text });
        if (block.type === "thinking") return chunk(thought(block.text));
        return chunk({ tool_calls: [{ index: callIndex++, ...toolCall(block) }] });
      }),
      chunk({}, { finish_reason }),
      { data: { ...frame, object: "chat.completion.chunk", choices: [], usage } },
      { data: "[DONE]" },
    ],
  };
}

function textOf(blocks: readonly PlayedBlock[], type: "text" | "thinking"): string | null {
  const texts = blocks.flatMap((block) => (block.type === type ? [block.text] : []));
  return texts.length > 0 ? texts.join("\n") : null;
}

/** No standard field: the one that most servers and clients know. */
function thought(text: string | null): object {
  return text === null ? {} : { reasoning_content: text };
}

function toolCall(block: Extract<PlayedBlock, { type: "call" }>): object {
  return {
    id: block.id,
    type: "function",
    function: { name: block.name, arguments: JSON.stringify(block.input) },
  };
}
