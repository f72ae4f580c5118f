/**
 * A record's bytes as its value. The output of a command stands in its record twice, as what the model is sent and as
 * what the program shows (`toolUseResult.stdout`): two fifths of a transcript are such second copies, and they are not
 * parsed again.
 */
import { keepJson } from "@asp-convert/core";
import { type Json, list, object } from "./value.js";

const CONTENT = Buffer.from('"content":"');
const SHOWN = Buffer.from('"toolUseResult":{"stdout":"');
const AFTER = Buffer.from('","stderr":');
const NUMBERED = Buffer.from("\\u");
const SLASHED = Buffer.from("\\/");
const QUOTE = 0x22;
/** Stands for the text while the rest is parsed. No record can hold it: it is another one in each run. */
const STAND_IN = `asp-${crypto.randomUUID()}`;

/** @throws SyntaxError */
export function parseRecord(bytes: Buffer): Json | undefined {
  return object(JSON.parse(bytes.toString("utf8")));
}

/** The same for a record that holds a result. @throws SyntaxError */
export function parseResult(bytes: Buffer): Json | undefined {
  return parseTwice(bytes) ?? parseRecord(bytes);
}

/** undefined: the record is not of that kind, or something about it is not as it is expected. */
function parseTwice(bytes: Buffer): Json | undefined {
  const first = after(bytes, CONTENT, 0);
  const second = first === -1 ? -1 : after(bytes, SHOWN, first);
  const end = second === -1 ? -1 : bytes.indexOf(AFTER, second);
  const firstEnd = first + end - second;
  if (end === -1 || firstEnd > second || bytes[firstEnd] !== QUOTE) return undefined;
  if (bytes.compare(bytes, first, firstEnd, second, end) !== 0) return undefined;
  const rest =
    bytes.toString("utf8", 0, first) +
    STAND_IN +
    bytes.toString("utf8", firstEnd, second) +
    STAND_IN +
    bytes.toString("utf8", end);
  try {
    // With its quotes: that it is one string, and ends there, is what makes the rest right.
    const json = bytes.toString("utf8", first - 1, firstEnd + 1);
    const text = JSON.parse(json) as string;
    const record = object(JSON.parse(rest));
    const block = object(list(object(record?.message)?.content)?.[0]);
    const shown = object(record?.toolUseResult);
    if (block?.content !== STAND_IN || shown?.stdout !== STAND_IN) return undefined;
    // Made a moment ago, and nobody else's yet.
    (block as Record<string, unknown>).content = text;
    (shown as Record<string, unknown>).stdout = text;
    if (isPlain(bytes.subarray(first, firstEnd))) keepJson(text, json);
    return record;
  } catch {
    return undefined;
  }
}

/** Escapes by number and that of the slash have more than one spelling; and half a character can be an escape only. */
function isPlain(spelled: Buffer): boolean {
  return spelled.indexOf(NUMBERED) === -1 && spelled.indexOf(SLASHED) === -1;
}

function after(bytes: Buffer, word: Buffer, from: number): number {
  const at = bytes.indexOf(word, from);
  return at === -1 ? -1 : at + word.length;
}
