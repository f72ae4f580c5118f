/** Google's Gemini API: `POST …/models/<model>:generateContent` and `:streamGenerateContent`. */
import type { PlayedBlock } from "../turn.js";
import { type DialectServer, type Question, type Reply, TOKENS } from "./dialect.js";

export const gemini: DialectServer = {
  base: "",
  asks: (path) => /:(streamGenerateContent|generateContent)$/.test(path),
  answer,
  refusal: (status, message) => ({ error: { code: status, message, status: "MOCK" } }),
};

function answer({ path, blocks }: Question): Reply {
  const response = {
    candidates: [{ content: { role: "model", parts: blocks.map(partOf) }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.total,
    },
    modelVersion: /models\/([^:/]+):/.exec(path)?.[1] ?? "mock",
  };
  return path.endsWith(":streamGenerateContent") ? { events: [{ data: response }] } : { json: response };
}

function partOf(block: PlayedBlock): object {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "thinking":
      return { text: block.text, thought: true, ...signed(block.signature) };
    case "call":
      return { functionCall: { id: block.id, name: block.name, args: block.input } };
  }
}

function signed(signature: string): object {
  return signature ? { thoughtSignature: signature } : {};
}
