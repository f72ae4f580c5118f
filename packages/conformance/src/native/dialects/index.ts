/** The dialects that the mock model speaks, by name. */
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import type { DialectName, DialectServer } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";

export const dialects: { readonly [name in DialectName]: DialectServer } = {
  anthropic,
  responses,
  chat,
  gemini,
};

export const dialectNames = Object.keys(dialects) as readonly DialectName[];
