/** Where the statements of a TOML file are. It is no parser: the text has been parsed before and is valid. */

export interface Header {
  kind: "table" | "array";
  path: string[];
  from: number;
  /** After the line's end. */
  to: number;
}

export interface PairStatement {
  kind: "pair";
  /** With the table it stands in. */
  path: string[];
  /** The table it stands in; undefined inside `[[…]]`. */
  table: string[] | undefined;
  from: number;
  valueFrom: number;
  valueTo: number;
  to: number;
}

export type Statement = Header | PairStatement;

const BARE = /[A-Za-z0-9_-]/;

export function scanToml(text: string): Statement[] {
  const statements: Statement[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let table: string[] | undefined = [];
  while (at < text.length) {
    at = skipSpace(at);
    const char = text[at];
    if (char === undefined) break;
    if (char === "\n" || char === "\r") at++;
    else if (char === "#") at = endOfLine(at);
    else if (char === "[") at = header(at);
    else at = pair(at);
  }
  return statements;

  function header(from: number): number {
    const array = text[from + 1] === "[";
    const key = keyAt(from + (array ? 2 : 1));
    const to = endOfLine(key.to);
    statements.push({ kind: array ? "array" : "table", path: key.path, from, to });
    table = array ? undefined : key.path;
    return to;
  }

  function pair(from: number): number {
    const key = keyAt(from);
    const valueFrom = skipSpace(key.to + 1); // over the `=`
    const valueTo = valueEnd(valueFrom);
    const to = endOfLine(valueTo);
    statements.push({
      kind: "pair",
      path: [...(table ?? []), ...key.path],
      table,
      from,
      valueFrom,
      valueTo,
      to,
    });
    return to;
  }

  /** A dotted key; `to` is where it ends, at `=` or `]`. */
  function keyAt(from: number): { path: string[]; to: number } {
    const path: string[] = [];
    let i = skipSpace(from);
    for (;;) {
      const quote = text[i];
      if (quote === '"' || quote === "'") {
        const end = stringEnd(i);
        const raw = text.slice(i + 1, end - 1);
        path.push(quote === '"' ? unescapeBasic(raw) : raw);
        i = end;
      } else {
        const start = i;
        while (i < text.length && BARE.test(text[i] as string)) i++;
        path.push(text.slice(start, i));
      }
      i = skipSpace(i);
      if (text[i] !== ".") return { path, to: i };
      i = skipSpace(i + 1);
    }
  }

  function valueEnd(from: number): number {
    const char = text[from];
    if (char === '"' || char === "'") return stringEnd(from);
    if (char === "[" || char === "{") return bracketEnd(from);
    let i = from;
    while (i < text.length && !"\n#".includes(text[i] as string)) i++;
    while (i > from && /\s/.test(text[i - 1] as string)) i--;
    return i;
  }

  function bracketEnd(from: number): number {
    let depth = 0;
    let i = from;
    while (i < text.length) {
      const char = text[i] as string;
      if (char === '"' || char === "'") i = stringEnd(i);
      else if (char === "#") i = endOfLine(i);
      else {
        i++;
        if (char === "[" || char === "{") depth++;
        else if ((char === "]" || char === "}") && --depth === 0) return i;
      }
    }
    return i;
  }

  function stringEnd(from: number): number {
    const quote = text[from] as string;
    const triple = quote.repeat(3);
    const long = text.startsWith(triple, from);
    let i = from + (long ? 3 : 1);
    while (i < text.length) {
      if (quote === '"' && text[i] === "\\") i += 2;
      else if (long ? text.startsWith(triple, i) : text[i] === quote) {
        i += long ? 3 : 1;
        while (long && text[i] === quote) i++; // `""""`: up to two quotes may end the string's text
        return i;
      } else i++;
    }
    return i;
  }

  function skipSpace(from: number): number {
    let i = from;
    while (text[i] === " " || text[i] === "\t") i++;
    return i;
  }

  function endOfLine(from: number): number {
    const end = text.indexOf("\n", from);
    return end === -1 ? text.length : end + 1;
  }
}

const SHORT: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

function unescapeBasic(raw: string): string {
  return raw.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))/g,
    (_, u, U, x, short: string) => {
      const hex = u ?? U ?? x;
      return hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (SHORT[short] ?? short);
    },
  );
}
