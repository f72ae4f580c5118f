/** The dialects that the mock model speaks, by name. */
import { anthropic } from "./anthropic.js";
import { chat } from "./chat.js";
import type { DialectName, DialectServer } from "./dialect.js";
import { gemini } from "./gemini.js";
import { responses } from "./responses.js";

export const dialects: { readonly [name in DialectName]: DialectServer } = {
  anthropic,
  responses,
  chat,
  gemini,
};

export const dialectNames = Object.keys(dialects) as readonly DialectName[];
