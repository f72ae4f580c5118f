/**
 * The JSON of texts that were parsed a moment ago. What a reader has just taken apart a writer puts together again, and
 * for a long text that costs more than all else that is done with it.
 */

/** A reader holds back a message with its results; they seldom are more than these. */
const KEPT = 16;
/** UTF-16 units: longer ones are rare, and would be held for long. */
const LONGEST = 64 * 1024;

const texts = new Array<string>(KEPT).fill("");
const spellings = new Array<string>(KEPT).fill("");
let next = 0;

/** @param json the text as `JSON.stringify` spells it, with its quotes: no escape in it may have another spelling. */
export function keepJson(text: string, json: string): void {
  if (json.length > LONGEST) return;
  texts[next] = text;
  spellings[next] = json;
  next = (next + 1) % KEPT;
}

/** undefined: not known, or empty. */
export function keptJson(text: string): string | undefined {
  return text === "" ? undefined : spellings[texts.indexOf(text)];
}
