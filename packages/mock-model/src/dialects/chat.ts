/** OpenAI's Chat Completions API: `POST …/chat/completions`, streamed or whole. */
import type { PlayedBlock } from "../script.js";
import { type DialectServer, pieces, type Question, type Reply, type ServerEvent } from "./dialect.js";

export const chat: DialectServer = {
  base: "/v1",
  asks: (path) => path.endsWith("/chat/completions"),
  answer,
  refusal: (_status, message) => ({ error: { message, type: "mock", code: null } }),
};

const STOPS = { stop: "stop", calls: "tool_calls", length: "length" } as const;

function answer({ body, blocks, finish, usage: tokens, id }: Question): Reply {
  const calls = blocks.filter((block) => block.type === "call");
  const finish_reason = STOPS[finish];
  const usage = {
    prompt_tokens: tokens.input + tokens.cacheRead,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.cacheRead + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
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
      ...(calls.length > 0 ? { tool_calls: calls.map((call) => toolCall(call)) } : {}),
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
      ...blocks.flatMap((block): ServerEvent[] => {
        if (block.type === "redacted") return [];
        if (block.type === "text") return pieces(block.text).map((content) => chunk({ content }));
        if (block.type === "thinking") return pieces(block.text).map((text) => chunk(thought(text)));
        const index = callIndex++;
        return [
          chunk({ tool_calls: [{ index, ...toolCall(block, "") }] }),
          ...pieces(block.json).map((part) =>
            chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
          ),
        ];
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

function toolCall(block: Extract<PlayedBlock, { type: "call" }>, given = block.json): object {
  return {
    id: block.id,
    type: "function",
    function: { name: block.name, arguments: given },
  };
}
