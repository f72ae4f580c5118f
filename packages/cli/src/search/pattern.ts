/** What is looked for: how the index narrows it down, and how what was found is shown. */

/** A text that is to be found as it is, case ignored. */
export function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
}

/**
 * Every text that matches holds each of these, as queries for a trigram index; empty: nothing can be told of it, and
 * every text is to be looked at (less than three characters, or a pattern with alternatives).
 */
export function gramsOf({ source }: RegExp): string[] {
  // Escaped punctuation stands for itself; any other escape, class or group may be anything.
  const parts: string[] = [""];
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    const next = source.charAt(at + 1);
    if (char === "\\" && /[^\p{L}\p{N}]/u.test(next)) {
      parts.push(`${parts.pop()}${next}`);
      at++;
    } else if (/[|([{\\]/.test(char)) return [];
    else if (/[*?]/.test(char)) parts.push(withoutLast(parts.pop() ?? ""), "");
    else if (/[.^$+]/.test(char)) parts.push("");
    else parts.push(`${parts.pop()}${char}`);
  }
  return [...new Set(parts.flatMap(trigrams))];
}

function withoutLast(text: string): string {
  return Array.from(text).slice(0, -1).join("");
}

function trigrams(text: string): string[] {
  const points = Array.from(text);
  return points.slice(2).map((_, at) => points.slice(at, at + 3).join(""));
}

const BEFORE = 40;
const AFTER = 80;

/** What stands around the first match; raw: whoever shows it takes out what a terminal would obey. */
export function snippetOf(text: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const from = Math.max(0, match.index - BEFORE);
  const to = Math.min(text.length, match.index + match[0].length + AFTER);
  // Cut at the white space that is next, so that words stay whole.
  const head = from === 0 ? 0 : from + Math.max(0, text.slice(from, match.index).search(/\s/) + 1);
  const tail = /\s\S*$/.exec(text.slice(match.index + match[0].length, to));
  const end = to === text.length || !tail ? to : match.index + match[0].length + tail.index;
  return `${head > 0 ? "…" : ""}${text.slice(head, end).toWellFormed()}${end < text.length ? "…" : ""}`;
}
