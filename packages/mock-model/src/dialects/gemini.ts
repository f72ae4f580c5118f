/** Google's Gemini API: `POST …/models/<model>:generateContent` and `:streamGenerateContent`. */
import type { PlayedBlock } from "../script.js";
import type { DialectServer, Question, Reply } from "./dialect.js";

export const gemini: DialectServer = {
  base: "",
  asks: (path) => /:(streamGenerateContent|generateContent)$/.test(path),
  answer,
  refusal: (status, message) => ({ error: { code: status, message, status: "MOCK" } }),
};

function answer({ path, query, blocks, finish, usage: tokens, id }: Question): Reply {
  const about = { modelVersion: /models\/([^:/]+):/.exec(path)?.[1] ?? "mock", responseId: `mock${id()}` };
  const end = {
    finishReason: finish === "length" ? "MAX_TOKENS" : "STOP",
    usageMetadata: {
      promptTokenCount: tokens.input + tokens.cacheRead,
      cachedContentTokenCount: tokens.cacheRead,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.cacheRead + tokens.output,
    },
  };
  const response = (parts: readonly object[], last: boolean) => ({
    candidates: [
      { content: { role: "model", parts }, index: 0, ...(last && { finishReason: end.finishReason }) },
    ],
    ...(last && { usageMetadata: end.usageMetadata }),
    ...about,
  });
  if (!path.endsWith(":streamGenerateContent")) return { json: response(blocks.map(partOf), true) };
  // A part an event, as the real one does; the end comes with the last.
  const parts = blocks.length > 0 ? blocks.map(partOf) : [{ text: "" }];
  const stream = parts.map((part, at) => response([part], at === parts.length - 1));
  return query.get("alt") === "sse" ? { events: stream.map((data) => ({ data })) } : { json: stream };
}

function partOf(block: PlayedBlock): object {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "thinking":
      return { text: block.text, thought: true, ...signed(block.signature) };
    case "redacted":
      return { text: "", thought: true, ...signed(block.data) };
    case "call":
      return { functionCall: { id: block.id, name: block.name, args: block.input } };
  }
}

function signed(signature: string): object {
  return signature ? { thoughtSignature: signature } : {};
}
