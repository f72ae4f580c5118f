/** What the mock model says: the same script for every dialect. Plain JSON, so that it can stand in a file. */
import { parseObject } from "./json.js";

/** One piece of an answer. Ids and signatures that are not given are made up. */
export type TurnBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "thinking";
      readonly text: string;
      /** What makes the thought verifiable: Anthropic's `signature`, OpenAI's `encrypted_content`, Gemini's `thoughtSignature`. */
      readonly signature?: string;
    }
  /** A thought that only its vendor can read. Chat Completions have no place for it: it is left out there. */
  | { readonly type: "redacted"; readonly data: string }
  | {
      readonly type: "call";
      readonly name: string;
      /** A text is sent as it is, whether it is JSON or not, where the dialect sends arguments as text. */
      readonly input: { readonly [key: string]: unknown } | string;
      readonly id?: string;
      /** Responses API only: where the function is one of a namespace (an MCP server's). */
      readonly namespace?: string;
    };

/** Tokens that an answer says it took. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
}

/** Which requests something is for: those that fit all that is given. */
export interface When {
  /** The body, as JSON text, contains this. */
  readonly any?: string;
  /** The system prompt contains this. */
  readonly system?: string;
  /** The last message of the user contains this. */
  readonly lastUser?: string;
  /** No tool is offered: side requests for a title, a summary. */
  readonly noTools?: true;
}

/** One answer of the model. A text alone is short for one text block. */
export type Turn = string | AnswerTurn | ErrorTurn;

export interface AnswerTurn {
  readonly blocks: readonly TurnBlock[];
  /** Keep this turn for the first request that fits. A text is short for `{ any }`. */
  readonly match?: string | When;
  readonly usage?: Usage;
  /** `length`: the model was cut short by its limit of tokens. Default: what the blocks say. */
  readonly finish?: "length";
  /** Milliseconds to wait in the middle of a streamed answer, or before one in one piece. */
  readonly delay?: number;
  /** The connection breaks in the middle of the answer. */
  readonly cut?: true;
}

export interface ErrorTurn {
  /** Refuse the request with this HTTP status. */
  readonly status: number;
  readonly message?: string;
  readonly match?: string | When;
}

/** An answer for every request that fits, however often: for what programs ask beside the conversation. */
export interface Rule {
  readonly when: When;
  readonly turn: Turn;
}

export interface Script {
  /** Tried first, in order. */
  readonly rules?: readonly Rule[];
  /** Answers, played in order and each once. */
  readonly turns?: readonly Turn[];
  /** The answer when no turn is left that fits. Default: the text "ok". */
  readonly fallback?: Turn;
}

/** A block as the dialects get it: every id set. */
export type PlayedBlock =
  | Exclude<TurnBlock, { type: "thinking" | "call" }>
  | { readonly type: "thinking"; readonly text: string; readonly signature: string }
  | {
      readonly type: "call";
      readonly name: string;
      readonly input: { readonly [key: string]: unknown };
      /** The input as text. */
      readonly json: string;
      readonly id: string;
      readonly namespace?: string;
    };

/** A turn as the dialects get it. */
export interface Played {
  readonly blocks: readonly PlayedBlock[];
  readonly finish: "stop" | "calls" | "length";
  readonly usage: Required<Usage>;
}

const TOKENS: Required<Usage> = { input: 100, output: 10, cacheRead: 0 };

/** A turn with what was left out filled in. `id` gives a new number at each call. */
export function played(turn: string | AnswerTurn, id: () => number): Played {
  const { blocks, usage, finish }: AnswerTurn =
    typeof turn === "string" ? { blocks: [{ type: "text", text: turn }] } : turn;
  const filled = blocks.map((block): PlayedBlock => {
    if (block.type === "thinking")
      return { type: "thinking", text: block.text, signature: block.signature ?? "" };
    if (block.type !== "call") return block;
    const { input } = block;
    const asText = typeof input === "string" ? input : JSON.stringify(input);
    const asValue = typeof input === "string" ? (parseObject(input) ?? {}) : input;
    return { ...block, id: block.id ?? `call_mock${id()}`, json: asText, input: asValue };
  });
  const calls = filled.some(({ type }) => type === "call");
  return {
    blocks: filled,
    finish: finish ?? (calls ? "calls" : "stop"),
    usage: { ...TOKENS, ...usage },
  };
}
