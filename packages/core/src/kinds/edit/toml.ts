/**
 * Edits a TOML file that a person owns: what is set changes, every other byte stays. An existing value is
 * changed by `toml-patch`, a new one is a line or a table spelt by `smol-toml` and put where
 * `toml-patch`'s syntax tree says. What comes out is parsed again and compared with what was meant, and the
 * text around it with what it was: if either differs, the edit is refused.
 */
import { isDeepStrictEqual } from "node:util";
import { EditError, isForbiddenKey, lineEnding } from "./error.js";
import { type TomlLayout, type TomlRow, tomlLayout } from "./toml-layout.js";

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

type Parse = (text: string | undefined) => TomlTable;

async function parser(): Promise<Parse> {
  const { parse, TomlError } = await import("smol-toml");
  return (text) => {
    try {
      return parse((text ?? "").replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      throw new EditError(`is not valid TOML (line ${error.line}, column ${error.column})`);
    }
  };
}

/** For those who only read. @throws EditError if the text is no TOML. `undefined` is an empty file. */
export async function parseToml(text: string | undefined): Promise<TomlTable> {
  return (await parser())(text);
}

/** A new file of ours with these values. */
export async function writeToml(table: { readonly [key: string]: TomlValue }): Promise<string> {
  const { stringify } = await import("smol-toml");
  return stringify(legal(table));
}

/** Loads the libraries; what it gives works without waiting, as an edit must. */
export async function tomlEditor(): Promise<TomlEditor> {
  const [parse, { stringify }, library] = await Promise.all([
    parser(),
    import("smol-toml"),
    import("@decimalturn/toml-patch"),
  ]);
  /** Where things are; what only one of the two parsers can read is not touched. */
  const layout = (text: string): TomlLayout =>
    guarded(() => tomlLayout(text, library.parseDocument(text).cst));

  /** What a key or a value looks like in TOML. */
  const spellKey = (key: string): string => stringify({ [key]: 0 }).replace(/ = 0\s*$/, "");
  const line = (keys: readonly string[], value: TomlValue): string =>
    `${keys.map(spellKey).join(".")}${stringify({ k: value }).trimEnd().slice(1)}`;
  const block = (path: readonly string[], value: TomlValue, nl: string): string =>
    stringify(nest(path, value)).trim().replaceAll("\n", nl) + nl;

  return {
    parse,
    set(text = "", keys, given) {
      const [path, value] = [keys.map(legalKey), legal(given)];
      const before = parse(text);
      const wanted = expected(before, path, value);
      if (isDeepStrictEqual(plain(before), plain(wanted))) return text;
      const { rows, headers, first } = layout(text);
      const nl = lineEnding(text);
      const statement = rows.find((row) => row.table && startsWith(path, row.path));
      if (statement) {
        const own = rows.find((row) => isDeepStrictEqual(row.path, path));
        return checked(text, patched(text, statement, path, value), own, wanted, path, parse);
      }

      const parent = path.slice(0, -1);
      const header = headers.find((one) => isDeepStrictEqual(one.path, parent));
      const beside = rows.findLast(
        (row) => row.table && row.path.length > parent.length && startsWith(row.path, parent),
      );
      let after: string;
      if (isTable(value) || isListOfTables(value)) after = append(text, block(path, value, nl), nl);
      else if (parent.length === 0 || header) {
        const last = rows.findLast((row) => row.table && isDeepStrictEqual(row.table, parent));
        const at = last?.to ?? header?.to ?? topOf(text, first);
        after = insertLine(text, at, line(path.slice(-1), value), nl, first);
      } else if (beside?.table) {
        after = insertLine(text, beside.to, line(path.slice(beside.table.length), value), nl, first);
      } else after = append(text, block(path, value, nl), nl);
      return checked(text, after, undefined, wanted, path, parse);
    },
    add(text = "", keys, given) {
      const [path, value] = [keys.map(legalKey), legal(given)];
      const before = parse(text);
      let had: unknown = before;
      for (const key of path) had = isTable(had) && Object.hasOwn(had, key) ? had[key] : undefined;
      if (Array.isArray(had) && had.some((one) => isDeepStrictEqual(plain(one), plain(value)))) return text;
      const list = [...(Array.isArray(had) ? had : []), value] as TomlValue[];
      const wanted = expected(before, path, list);
      const nl = lineEnding(text);
      return checked(text, append(text, block(path, [value], nl), nl), undefined, wanted, path, parse);
    },
  };

  /**
   * The statement's value, changed by the library: all of it, or one place in an inline table. It is shown
   * that value alone, for it respells white space that has nothing to do with the change (tabs around `=`,
   * spaces at the end of any line).
   */
  function patched(text: string, statement: TomlRow, path: readonly string[], value: TomlValue): string {
    const { valueFrom, valueTo } = statement;
    const old = `k = ${text.slice(valueFrom, valueTo)}`;
    if (/[^\r]\n/.test(old) && old.includes("\r\n"))
      // The library would make them alike, those of other values too.
      throw new EditError(`mixes two kinds of line ends in ${path.join(".")}; make them alike`);
    const after = guarded(() => {
      const table = library.parse(old) as TomlTable;
      put(table, ["k", ...path.slice(statement.path.length)], value);
      const newLine = old.includes("\n") ? {} : { newLine: lineEnding(text) };
      return library.patch(old, table, { trailingComma: false, trailingNewline: 0, ...newLine });
    });
    return text.slice(0, valueFrom) + after.slice("k = ".length) + text.slice(valueTo);
  }
}

/** What the library cannot do is no fault of ours: the file is left as it is. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof EditError || !(error instanceof Error)) throw error;
    throw new EditError(`cannot be edited safely (${error.message.split("\n", 1)[0]}); edit it by hand`);
  }
}

/**
 * @param own - the value that may be replaced; without it, text may only be inserted
 * @throws EditError if anything else changed, be it one byte or what the file says
 */
function checked(
  before: string,
  after: string,
  own: TomlRow | undefined,
  wanted: TomlTable,
  path: readonly string[],
  parse: Parse,
): string {
  let got: TomlTable | undefined;
  try {
    got = parse(after);
  } catch {
    // Told below: the same cause for a person.
  }
  const stays = own ? isReplaced(before, after, own) : isInserted(before, after);
  if (!stays || !isDeepStrictEqual(plain(got), plain(wanted))) {
    throw new EditError(`writes ${path.join(".")} in a form that cannot be changed alone; edit it by hand`);
  }
  return after;
}

function isReplaced(before: string, after: string, { valueFrom, valueTo }: TomlRow): boolean {
  const behind = before.length - valueTo;
  return (
    after.length >= valueFrom + behind &&
    after.startsWith(before.slice(0, valueFrom)) &&
    after.endsWith(before.slice(valueTo))
  );
}

function isInserted(before: string, after: string): boolean {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return after.length >= before.length && after.endsWith(before.slice(same));
}

/** What the file must say afterwards. */
function expected(before: TomlTable, path: readonly string[], value: TomlValue): TomlTable {
  const wanted = plain(before) as TomlTable;
  put(wanted, path, value);
  return wanted;
}

/** Sets it in `table` itself; tables on the way are made. */
function put(table: TomlTable, path: readonly string[], value: TomlValue): void {
  let holder = table;
  for (const [i, key] of path.slice(0, -1).entries()) {
    const next = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (next !== undefined && !isTable(next))
      throw new EditError(`has something else at ${path.slice(0, i + 1).join(".")}`);
    const inner: TomlTable = next ?? {};
    holder[key] = inner;
    holder = inner;
  }
  holder[path.at(-1) as string] = value;
}

/** Where the first value of the root goes: a comment on top, set off by an empty line, is about the file. */
function topOf(text: string, first: number): number {
  const top = /^\uFEFF?(?:[ \t]*#[^\n]*\n)+[ \t]*\r?\n/.exec(text)?.[0].length;
  return top !== undefined && top <= first ? top : text.startsWith("\uFEFF") ? 1 : 0;
}

function append(text: string, block: string, nl: string): string {
  if (text === "" || text === "\uFEFF") return text + block;
  const gap = /\n[ \t]*\r?\n$/.test(text) ? "" : text.endsWith("\n") ? nl : nl + nl;
  return text + gap + block;
}

/** @param first - where the first statement begins */
function insertLine(text: string, at: number, line: string, nl: string, first: number): string {
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  if (at > 0 && !/[\n\uFEFF]$/.test(head)) return `${head}${nl}${line}${tail}`;
  // A table that follows at once is set off by an empty line.
  const gap = at <= first && /^[ \t]*[#[]/.test(tail) ? nl : "";
  return `${head}${line}${nl}${gap}${tail}`;
}

function nest(path: readonly string[], value: TomlValue): { [key: string]: TomlValue } {
  return path.reduceRight<TomlValue>((inner, key) => ({ [key]: inner }), value) as {
    [key: string]: TomlValue;
  };
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, i) => key === path[i]);
}

/** A key that TOML can hold, and that no careless reader stumbles over. */
function legalKey(key: string): string {
  if (isForbiddenKey(key)) throw new EditError(`will not get a key named ${key}`);
  return key.toWellFormed();
}

/** A lone surrogate is no text that TOML can hold; the rest stays what it is. */
function legal<T extends TomlValue>(value: T): T;
function legal(value: TomlValue): TomlValue {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object") return value;
  if (isList(value)) return value.map((one) => legal(one));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [legalKey(key), legal(inner)]));
}

function isList(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}

function isListOfTables(value: TomlValue): boolean {
  return isList(value) && value.length > 0 && value.every((one) => isTable(one));
}

function isTable<T>(value: T): value is T & { readonly [key: string]: TomlValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A copy in which null-prototype tables and dates can be compared. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return { date: value.toISOString(), text: String(value) };
  if (typeof value !== "object" || value === null) return value;
  const result: TomlTable = {};
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(result, key, {
      value: plain(inner),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return result;
}
