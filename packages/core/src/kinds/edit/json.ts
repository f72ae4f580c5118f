/**
 * Edits a JSON file that a person owns, comments and trailing commas allowed: what is set changes, every
 * other byte stays. Text is only ever inserted, or one value's own span replaced.
 */
import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import { EditError, isForbiddenKey, lineEnding, position } from "./error.js";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface JsonEditor {
  /** @throws EditError if the text is no JSON (with comments). `undefined` and empty: undefined. */
  parse(text: string | undefined): unknown;
  /** The text with `value` at `path`; objects on the way are made. @throws EditError */
  set(text: string | undefined, path: readonly string[], value: JsonValue): string;
  /** The text with `values` at the end of the list at `path`, those left out that it has. @throws EditError */
  add(text: string | undefined, path: readonly string[], values: readonly JsonValue[]): string;
}

/** Loads the parser; what it gives works without waiting, as an edit must. */
export async function jsonEditor(): Promise<JsonEditor> {
  const { parseTree, getNodeValue, printParseErrorCode } = await import("jsonc-parser");

  const tree = (text: string): Node | undefined => {
    const errors: { error: number; offset: number; length: number }[] = [];
    // The library takes a BOM for an error; a space in its place keeps every offset.
    const node = parseTree(text.replace(/^\uFEFF/, " "), errors, {
      allowTrailingComma: true,
      disallowComments: false,
    });
    const first = errors[0];
    if (first && !(node === undefined && text.trim() === "")) {
      const { line, column } = position(text, first.offset);
      throw new EditError(
        `is not valid JSON (line ${line}, column ${column}: ${printParseErrorCode(first.error)})`,
      );
    }
    return node;
  };
  const parse = (text: string | undefined): unknown => {
    const node = tree(text ?? "");
    return node && getNodeValue(node);
  };
  const checked = (after: string, wanted: unknown): string => {
    if (isDeepStrictEqual(plain(parse(after)), plain(wanted))) return after;
    throw new EditError("cannot be edited without touching anything else; edit it by hand");
  };

  return {
    parse,
    set(text = "", path, value) {
      const wanted = expected(parse(text), path, () => value);
      return checked(place(text, tree(text), path, value), wanted);
    },
    add(text = "", path, values) {
      const list = at(parse(text), path);
      if (list !== undefined && !Array.isArray(list)) throw new EditError(`has no list at ${path.join(".")}`);
      const missing = values.filter(
        (value) => !(list ?? []).some((had: unknown) => isDeepStrictEqual(plain(had), plain(value))),
      );
      if (missing.length === 0) return text;
      const wanted = expected(parse(text), path, (had) => [...(Array.isArray(had) ? had : []), ...missing]);
      if (!list) return checked(place(text, tree(text), path, missing), wanted);
      let after = text;
      for (const value of missing) after = insert(after, find(tree(after), path) as Node, undefined, value);
      return checked(after, wanted);
    },
  };
}

function at(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return inner;
}

function expected(before: unknown, path: readonly string[], change: (had: unknown) => unknown): unknown {
  const forbidden = path.find(isForbiddenKey);
  if (forbidden) throw new EditError(`will not get a key named ${forbidden}`);
  const [key, ...rest] = path;
  if (key === undefined) return change(before);
  if (before !== undefined && (typeof before !== "object" || before === null || Array.isArray(before))) {
    throw new EditError(`has something else where ${key} should go`);
  }
  const own =
    before !== undefined && Object.hasOwn(before, key) ? (before as Record<string, unknown>)[key] : undefined;
  return { ...before, [key]: expected(own, rest, change) };
}

function place(text: string, root: Node | undefined, path: readonly string[], value: JsonValue): string {
  if (!root) {
    const nl = lineEnding(text);
    return `${text.trim() === "" ? text.replace(/[^\uFEFF]/g, "") : text}${JSON.stringify(nest(path, value), undefined, 2).replaceAll("\n", nl)}${nl}`;
  }
  let node = root;
  for (const [i, key] of path.entries()) {
    const inner = property(node, key);
    if (!inner) return insert(text, node, key, nest(path.slice(i + 1), value));
    node = inner;
  }
  const indent = indentAt(text, node.offset);
  const replacement = pretty(
    value,
    indent,
    unitOf(text, root),
    lineEnding(text),
    text.slice(node.offset, node.offset + node.length),
  );
  return text.slice(0, node.offset) + replacement + text.slice(node.offset + node.length);
}

function find(root: Node | undefined, path: readonly string[]): Node | undefined {
  let node = root;
  for (const key of path) node = node && property(node, key);
  return node;
}

function property(node: Node, key: string): Node | undefined {
  if (node.type !== "object") return undefined;
  const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
  if (found.length > 1) throw new EditError(`has the key ${key} twice; which one counts is not clear`);
  return found[0]?.children?.[1];
}

function nest(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

/** Adds a property (or, without a key, an element) as the last one of an object (a list). */
function insert(text: string, into: Node, key: string | undefined, value: JsonValue): string {
  const nl = lineEnding(text);
  const end = into.offset + into.length - 1; // at the closing bracket
  const last = into.children?.at(-1);
  const entry = (indent: string, compact: boolean): string => {
    const unit = unitOf(text, into);
    const written = compact ? JSON.stringify(value) : pretty(value, indent, unit, nl);
    return key === undefined ? written : `${JSON.stringify(key)}: ${written}`;
  };
  if (!last) {
    const indent = indentAt(text, into.offset);
    const inner = indent + unitOf(text, into);
    const empty = text.slice(into.offset + 1, end);
    const close = empty.includes("\n") ? "" : nl + indent;
    return `${text.slice(0, into.offset + 1)}${nl}${inner}${entry(inner, false)}${close}${text.slice(into.offset + 1)}`;
  }
  const lastEnd = last.offset + last.length;
  const between = text.slice(lastEnd, end);
  const comma = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/.exec(between);
  if (!text.slice(into.offset, end).includes("\n")) {
    const from = lastEnd + (comma?.[0].length ?? 0);
    return `${text.slice(0, from)}${comma ? " " : ", "}${entry("", true)}${text.slice(from)}`;
  }
  const indent = indentAt(text, last.offset);
  // A comment behind the last entry, on its line, stays with it.
  const commaEnd = comma?.[0].length ?? 0;
  const tail =
    /^[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(between.slice(commaEnd))?.[0].length ??
    0;
  const from = lastEnd + commaEnd + tail;
  const head = comma ? text.slice(0, from) : `${text.slice(0, lastEnd)},${text.slice(lastEnd, from)}`;
  const rest = text.slice(from);
  const close = /^\s*\n/.test(rest) || rest.startsWith("\n") ? "" : nl + indentAt(text, into.offset);
  return `${head}${nl}${indent}${entry(indent, false)}${close}${rest}`;
}

function pretty(value: JsonValue, indent: string, unit: string, nl: string, instead?: string): string {
  if (instead !== undefined && !instead.includes("\n") && instead.length > 2 && /^[[{]/.test(instead))
    return JSON.stringify(value);
  return JSON.stringify(value, undefined, unit).replaceAll("\n", `${nl}${indent}`);
}

/** The white space that the line of `offset` begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** One step of indentation, as the file does it. */
function unitOf(text: string, node: Node): string {
  const child = node.children?.[0];
  if (child && text.slice(node.offset, child.offset).includes("\n")) {
    const step = indentAt(text, child.offset).slice(indentAt(text, node.offset).length);
    if (step !== "") return step;
  }
  return /^([ \t]+)\S/m.exec(text)?.[1]?.replace(/^( {2}| {4}|\t).*$/, "$1") ?? "  ";
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
