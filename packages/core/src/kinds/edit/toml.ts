/**
 * Edits a TOML file that a person owns: what is set changes, every other byte stays. Text is only ever
 * inserted, or one value's own span replaced; the result is parsed again and compared with what was meant.
 */
import { isDeepStrictEqual } from "node:util";
import { EditError, isForbiddenKey, lineEnding } from "./error.js";
import { type PairStatement, type Statement, scanToml } from "./toml-scan.js";

export type TomlValue =
  | string
  | number
  | boolean
  | readonly TomlValue[]
  | { readonly [key: string]: TomlValue };
export type TomlTable = { [key: string]: unknown };

export interface TomlEditor {
  /** @throws EditError if the text is no TOML. `undefined` is an empty file. */
  parse(text: string | undefined): TomlTable;
  /**
   * The text with `value` at `path`. An object becomes a table of its own (`[a.b]`).
   * @throws EditError if it cannot be done without touching anything else.
   */
  set(text: string | undefined, path: readonly string[], value: TomlValue): string;
  /** The text with one more `[[path]]` of these values, unless it has it. @throws EditError */
  add(
    text: string | undefined,
    path: readonly string[],
    value: { readonly [key: string]: TomlValue },
  ): string;
}

/** Loads the parser; what it gives works without waiting, as an edit must. */
export async function tomlEditor(): Promise<TomlEditor> {
  const { parse, TomlError } = await import("smol-toml");
  const read = (text: string | undefined): TomlTable => {
    try {
      return parse((text ?? "").replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      throw new EditError(`is not valid TOML (line ${error.line}, column ${error.column})`);
    }
  };
  return {
    parse: read,
    set: (text, path, value) => set(text ?? "", path, value, read),
    add: (text, path, value) => add(text ?? "", path, value, read),
  };
}

type Parse = (text: string) => TomlTable;

function add(
  text: string,
  path: readonly string[],
  value: { readonly [key: string]: TomlValue },
  parse: Parse,
): string {
  const before = parse(text);
  let had: unknown = before;
  for (const key of path) had = isTable(had) && Object.hasOwn(had, key) ? had[key] : undefined;
  if (Array.isArray(had) && had.some((one) => isDeepStrictEqual(plain(one), plain(value)))) return text;
  const list = [...(Array.isArray(had) ? had : []), value] as unknown as TomlValue;
  const nl = lineEnding(text);
  const block = tables(path, value, nl).replace(/^\[(.*)\]/, "[[$1]]");
  return checked(append(text, block, nl), expected(before, path, list), path, parse);
}

function set(
  text: string,
  path: readonly string[],
  value: TomlValue,
  parse: (text: string) => TomlTable,
): string {
  return checked(place(text, path, value), expected(parse(text), path, value), path, parse);
}

function checked(after: string, wanted: TomlTable, path: readonly string[], parse: Parse): string {
  let got: TomlTable | undefined;
  try {
    got = parse(after);
  } catch {
    // Told below: the same cause for a person.
  }
  if (!isDeepStrictEqual(plain(got), plain(wanted))) {
    throw new EditError(
      `writes ${path.map(tomlKey).join(".")} in a form that cannot be added to; add it by hand`,
    );
  }
  return after;
}

/** What the file must say afterwards. */
function expected(before: TomlTable, path: readonly string[], value: TomlValue): TomlTable {
  const wanted = structuredClone(plain(before)) as TomlTable;
  let table = wanted;
  for (const [i, key] of path.entries()) {
    if (isForbiddenKey(key)) throw new EditError(`will not get a key named ${key}`);
    if (i === path.length - 1) table[key] = value;
    else {
      const next = Object.hasOwn(table, key) ? table[key] : undefined;
      if (next !== undefined && !isTable(next))
        throw new EditError(`has something else at ${path.slice(0, i + 1).join(".")}`);
      const inner: TomlTable = next ?? {};
      table[key] = inner;
      table = inner;
    }
  }
  return wanted;
}

function place(text: string, path: readonly string[], value: TomlValue): string {
  const statements = scanToml(text);
  const nl = lineEnding(text);
  const pairs = statements.filter((statement) => statement.kind === "pair");
  const own = pairs.find((pair) => pair.table !== undefined && isDeepStrictEqual(pair.path, path));
  if (own) return splice(text, own.valueFrom, own.valueTo, tomlValue(value));

  const inline = pairs.find(
    (pair) =>
      pair.path.length < path.length &&
      pair.path.every((key, i) => key === path[i]) &&
      text[pair.valueFrom] === "{",
  );
  if (inline) return intoInline(text, inline, path.slice(inline.path.length), value);
  if (isTable(value)) return append(text, tables(path, value, nl), nl);

  const parent = path.slice(0, -1);
  const key = path.at(-1) as string;
  const header = statements.find((s) => s.kind === "table" && isDeepStrictEqual(s.path, parent));
  if (parent.length === 0 || header) {
    const line = `${tomlKey(key)} = ${tomlValue(value)}`;
    return insertLine(text, endOfTable(text, statements, parent, header), line, nl);
  }
  const dotted = pairs
    .filter((p) => p.path.length > parent.length && parent.every((k, i) => k === p.path[i]))
    .at(-1);
  if (dotted?.table) {
    const line = `${path.slice(dotted.table.length).map(tomlKey).join(".")} = ${tomlValue(value)}`;
    return insertLine(text, dotted.to, line, nl);
  }
  return append(text, tables(parent, { [key]: value }, nl), nl);
}

/** After the last pair of a table; of the root: before everything else that is no comment on top. */
function endOfTable(
  text: string,
  statements: readonly Statement[],
  table: readonly string[],
  header: Statement | undefined,
): number {
  const last = statements
    .filter((s): s is PairStatement => s.kind === "pair" && isDeepStrictEqual(s.table, table))
    .at(-1);
  if (last) return last.to;
  if (header) return header.to;
  // A comment on top, set off by an empty line, is about the file and stays on top.
  const top = /^\uFEFF?(?:[ \t]*#[^\n]*\n)+[ \t]*\r?\n/.exec(text);
  const first = statements[0]?.from ?? text.length;
  return top && top[0].length <= first ? top[0].length : text.startsWith("\uFEFF") ? 1 : 0;
}

function intoInline(text: string, pair: PairStatement, rest: readonly string[], value: TomlValue): string {
  const close = pair.valueTo - 1;
  const inside = text.slice(pair.valueFrom + 1, close);
  const entry = `${rest.map(tomlKey).join(".")} = ${tomlValue(value)}`;
  if (inside.trim() === "") return splice(text, close, close, ` ${entry} `);
  const end = pair.valueFrom + 1 + inside.trimEnd().length;
  return splice(text, end, end, `${text[end - 1] === "," ? "" : ","} ${entry}`);
}

/** `[path]` with its plain values, then its inner tables. */
function tables(path: readonly string[], value: { readonly [key: string]: TomlValue }, nl: string): string {
  const entries = Object.entries(value);
  for (const [key] of entries)
    if (isForbiddenKey(key)) throw new EditError(`will not get a key named ${key}`);
  const plainOnes = entries.filter(([, inner]) => !isTable(inner));
  const inner = entries.filter(([, part]) => isTable(part));
  const own =
    plainOnes.length > 0 || inner.length === 0
      ? `[${path.map(tomlKey).join(".")}]${nl}${plainOnes.map(([k, v]) => `${tomlKey(k)} = ${tomlValue(v)}${nl}`).join("")}`
      : "";
  const rest = inner.map(([key, part]) =>
    tables([...path, key], part as { readonly [key: string]: TomlValue }, nl),
  );
  return [own, ...rest].filter((part) => part !== "").join(nl);
}

function append(text: string, block: string, nl: string): string {
  if (text === "" || text === "\uFEFF") return text + block;
  const gap =
    text.endsWith(`\n${nl}`) || /\n[ \t]*\r?\n$/.test(text) ? "" : text.endsWith("\n") ? nl : nl + nl;
  return text + gap + block;
}

function insertLine(text: string, at: number, line: string, nl: string): string {
  if (at > 0 && text[at - 1] !== "\n" && text[at - 1] !== "\uFEFF")
    return splice(text, at, at, `${nl}${line}`);
  const next = text.slice(at);
  // A table that follows at once is set off by an empty line.
  const first = !/^[ \t]*[^#\s\uFEFF]/m.test(text.slice(0, at));
  const gap = first && /^[ \t]*[#[]/.test(next) ? nl : "";
  return splice(text, at, at, `${line}${nl}${gap}`);
}

function splice(text: string, from: number, to: number, replacement: string): string {
  return text.slice(0, from) + replacement + text.slice(to);
}

/** A key as TOML writes it: bare where it may be, else quoted. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key);
}

export function tomlValue(value: TomlValue): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
    return Object.is(value, -0) ? "-0.0" : String(value);
  }
  if (typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(tomlValue).join(", ")}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${tomlKey(key)} = ${tomlValue(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function isList(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}

function tomlString(text: string): string {
  const wellFormed = text.toWellFormed();
  // JSON's escapes are TOML's too, but for DEL, which JSON leaves as it is.
  return JSON.stringify(wellFormed).replaceAll("\u007f", "\\u007f");
}

function isTable<T>(value: T): value is T & { readonly [key: string]: TomlValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Null-prototype tables and dates made comparable. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return { date: value.toISOString(), text: String(value) };
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const);
  const result: TomlTable = {};
  for (const [key, inner] of entries)
    Object.defineProperty(result, key, {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return result;
}
