/** What one way of asking a model must be able to do to be spoken by the mock. */
import type { JsonObject } from "../json.js";
import type { PlayedBlock } from "../turn.js";

/** The wire formats in which programs ask their models. */
export type DialectName = "anthropic" | "responses" | "chat" | "gemini";

export interface DialectServer {
  /** What a client's base URL ends with, before the paths that it adds itself. */
  readonly base: string;
  /** True when a POST to this path asks the model for an answer. */
  asks(path: string): boolean;
  /** An answer to an asking request. */
  answer(question: Question): Reply;
  /** The JSON body of a refusal. */
  refusal(status: number, message: string): unknown;
}

export interface Question {
  readonly path: string;
  readonly body: JsonObject;
  readonly blocks: readonly PlayedBlock[];
  /** A new number at each call, for made-up ids. */
  readonly id: () => number;
}

/** An answer in one piece, or as server-sent events. */
export type Reply = { readonly json: unknown } | { readonly events: readonly ServerEvent[] };

export interface ServerEvent {
  /** The `event:` line; left out when the dialect has none. */
  readonly name?: string;
  /** The `data:` line: a text as it is, anything else as JSON. */
  readonly data: unknown;
}

/** The same, made-up token count of every answer. */
export const TOKENS = { input: 100, output: 10, total: 110 } as const;
