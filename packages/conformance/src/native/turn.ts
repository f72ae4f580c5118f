/** What the mock model says: the same script for every dialect. */

/** One piece of an answer. Ids and signatures that are not given are made up. */
export type TurnBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "thinking";
      readonly text: string;
      /** What makes the thought verifiable: Anthropic's `signature`, OpenAI's `encrypted_content`, Gemini's `thoughtSignature`. */
      readonly signature?: string;
    }
  | {
      readonly type: "call";
      readonly name: string;
      readonly input: { readonly [key: string]: unknown };
      readonly id?: string;
      /** Responses API only: where the function is one of a namespace (an MCP server's). */
      readonly namespace?: string;
    };

/** One answer of the model. A text alone is short for one text block. */
export type Turn = string | AnswerTurn | ErrorTurn;

export interface AnswerTurn {
  readonly blocks: readonly TurnBlock[];
  /** Keep this turn for the first request whose body, as JSON text, contains this. */
  readonly match?: string;
}

export interface ErrorTurn {
  /** Refuse the request with this HTTP status. */
  readonly status: number;
  readonly message?: string;
  readonly match?: string;
}

/** A turn as the dialects get it: every id set. */
export type PlayedBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string; readonly signature: string }
  | {
      readonly type: "call";
      readonly name: string;
      readonly input: { readonly [key: string]: unknown };
      readonly id: string;
      readonly namespace?: string;
    };

/** The blocks of a turn, with what was left out filled in. `id` gives a new number at each call. */
export function playedBlocks(turn: string | AnswerTurn, id: () => number): PlayedBlock[] {
  if (typeof turn === "string") return [{ type: "text", text: turn }];
  return turn.blocks.map((block): PlayedBlock => {
    if (block.type === "thinking")
      return { type: "thinking", text: block.text, signature: block.signature ?? "" };
    if (block.type === "call") return { ...block, id: block.id ?? `call_mock${id()}` };
    return block;
  });
}
