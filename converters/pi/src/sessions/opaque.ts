/**
 * What only the model that made it, or its vendor, can use: carried as opaque blocks, each behind the block it
 * belongs to, and given back to Pi alone.
 */
import type { Block, UnknownBlock } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";

/**
 * `{api, signature?, redacted?, alone?, text?}`: what a thinking block had besides its text. alone: no block of its
 * own stands for the thought; text: what Pi shows in its place, if it is not what it always shows.
 */
export const THINKING = "pi.thinking";
/** The id (and phase) that the Responses API gave a text. */
export const TEXT = "pi.text_signature";
/** What Gemini binds a call to its reasoning with. */
export const CALL = "pi.thought_signature";

/** Thinking of Chat Completions that came in the field most servers use: needs no more words. */
const PLAIN = { api: "openai-completions", thinkingSignature: "reasoning_content" } as const;
const ANTHROPIC = "anthropic-messages";
/** What Pi itself shows in place of reasoning that nobody may read. */
const REDACTED = "[Reasoning redacted]";

/** A thinking block of Pi's. A signature of Anthropic's own API is one to any program of that vendor. */
export function thinkingBlocks(block: Fields, api: string | undefined): Block[] {
  const text = string(block.thinking) ?? "";
  const signature = name(block.thinkingSignature);
  const redacted = block.redacted === true;
  if (!redacted) {
    if (api === PLAIN.api && signature === PLAIN.thinkingSignature) return [{ type: "thinking", text }];
    if (api === ANTHROPIC && signature !== undefined) return [{ type: "thinking", text, signature }];
  }
  const alone = redacted || text === "";
  const opaque: Block = {
    type: "unknown",
    nativeType: THINKING,
    value: {
      ...(api !== undefined && { api }),
      ...(signature !== undefined && { signature }),
      ...(redacted && { redacted }),
      ...(alone && { alone }),
      ...(redacted && text !== REDACTED && { text }),
    },
  };
  return alone ? [opaque] : [{ type: "thinking", text }, opaque];
}

/** Is it a part of the thought before it? */
export function isOfThought({ nativeType, value }: UnknownBlock): boolean {
  return nativeType === THINKING && fields(value)?.alone !== true;
}

export interface Thought {
  thinking: string;
  thinkingSignature?: string;
  redacted?: true;
}

/** The thought as Pi had it, and the API it came from. `after`: the block behind it. */
export function thoughtOf(
  text: string,
  signature: string | undefined,
  after: UnknownBlock | undefined,
): { thought: Thought; api: string | undefined } {
  if (after) {
    const value = fields(after.value) ?? {};
    const own = string(value.signature);
    return {
      thought: {
        thinking: value.redacted === true ? (string(value.text) ?? REDACTED) : text,
        ...(own !== undefined && { thinkingSignature: own }),
        ...(value.redacted === true && { redacted: true }),
      },
      api: string(value.api),
    };
  }
  return signature === undefined
    ? { thought: { thinking: text, thinkingSignature: PLAIN.thinkingSignature }, api: PLAIN.api }
    : { thought: { thinking: text, thinkingSignature: signature }, api: ANTHROPIC };
}
