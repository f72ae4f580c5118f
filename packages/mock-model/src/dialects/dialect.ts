/** What one way of asking a model must be able to do to be spoken by the mock. */
import type { JsonObject } from "../json.js";
import type { Played } from "../script.js";

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

export interface Question extends Played {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
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

/** A text in two, so that a client must put pieces together. A character is never cut. */
export function pieces(text: string): string[] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)]
    .map((half) => half.join(""))
    .filter((half, at) => half !== "" || at === 0);
}
