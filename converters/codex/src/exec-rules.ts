/**
 * `rules/*.rules`: calls of `prefix_rule(pattern=[…], decision="…")` in Starlark. Only literal calls are read;
 * nothing is evaluated.
 */

export interface PrefixRule {
  /** The first words of the commands it is about; undefined where a word has alternatives. */
  pattern?: string[];
  decision: "allow" | "prompt" | "forbidden";
  /** The call as it stands in the file. */
  text: string;
}

const TOKEN = /\s+|#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|[^\s]/gy;

/** Every literal rule of a file, and how many calls could not be read. */
export function readRules(text: string): { rules: PrefixRule[]; unread: number } {
  const tokens: { text: string; from: number }[] = [];
  for (const match of text.matchAll(TOKEN)) {
    if (!/^(?:\s|#)/.test(match[0])) tokens.push({ text: match[0], from: match.index });
  }
  const rules: PrefixRule[] = [];
  let unread = 0;
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]?.text !== "prefix_rule" || tokens[i + 1]?.text !== "(") continue;
    let depth = 0;
    let end = i + 1;
    for (; end < tokens.length; end++) {
      const token = tokens[end]?.text ?? "";
      if ("([{".includes(token)) depth++;
      else if (")]}".includes(token) && --depth === 0) break;
    }
    const closing = tokens[end];
    const rule =
      closing &&
      ruleOf(
        tokens.slice(i + 2, end).map((token) => token.text),
        text.slice(tokens[i]?.from ?? 0, closing.from + 1),
      );
    if (rule) rules.push(rule);
    else unread++;
    i = end;
  }
  return { rules, unread };
}

function ruleOf(tokens: readonly string[], text: string): PrefixRule | undefined {
  const decision = tokens.findIndex((token, i) => token === "decision" && tokens[i + 1] === "=");
  const words = decision === -1 ? "allow" : literal(tokens[decision + 2]);
  if (words !== "allow" && words !== "prompt" && words !== "forbidden") return undefined;
  const pattern = tokens.findIndex((token, i) => token === "pattern" && tokens[i + 1] === "=");
  if (pattern === -1 || tokens[pattern + 2] !== "[") return undefined;
  const list: string[] = [];
  for (let i = pattern + 3; tokens[i] !== "]"; i++) {
    if (i >= tokens.length) return undefined;
    if (tokens[i] === ",") continue;
    const word = literal(tokens[i]);
    if (word === undefined) return { decision: words, text };
    list.push(word);
  }
  return list.length > 0 ? { pattern: list, decision: words, text } : undefined;
}

function literal(token: string | undefined): string | undefined {
  if (!token || !/^["']/.test(token)) return undefined;
  const inner = token.slice(1, -1);
  return inner.replace(/\\(.)/g, (_, char: string) => ({ n: "\n", t: "\t", r: "\r" })[char] ?? char);
}

/** The file's text with the rule in it, once. */
export function withRule(
  before: string | undefined,
  pattern: readonly string[],
  decision: PrefixRule["decision"],
  why: string,
): string {
  const text = before ?? "";
  const had = readRules(text).rules.some(
    (rule) => rule.decision === decision && JSON.stringify(rule.pattern) === JSON.stringify(pattern),
  );
  if (had) return text;
  const quoted = (word: string): string => JSON.stringify(word.toWellFormed());
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${gap}prefix_rule(pattern = [${pattern.map(quoted).join(", ")}], decision = "${decision}", justification = ${quoted(why)})\n`;
}
