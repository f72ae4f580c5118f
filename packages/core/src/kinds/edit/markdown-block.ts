/**
 * Marked blocks: how a text gets into a Markdown file that has text of its own, never silently, and out
 * again to the byte. The mark is an HTML comment. Its id is a hash of the text inside, so that a text cannot
 * close its own block, and a block somebody edited by hand is known as such.
 */
import { createHash } from "node:crypto";
import { decodeAttribute, encodeAttribute } from "./attribute.js";
import { lineEnding } from "./error.js";

export interface MarkedBlock {
  /** What it is, by which a later run finds it: harness, file, project … Values are free text. */
  marks: Readonly<Record<string, string>>;
  text: string;
  /** Somebody changed the text since it was written. */
  edited: boolean;
}

export interface Split {
  /** The text outside the blocks, byte for byte as it was before they came. */
  own: string;
  blocks: MarkedBlock[];
}

const BEGIN = /^<!-- asp:begin((?: [a-z]+="[^"\n]*")*) -->\r?$/;

/** A Markdown file taken apart. A mark without its end is ordinary text. */
export function splitBlocks(text: string): Split {
  const blocks: MarkedBlock[] = [];
  let own = "";
  let at = 0;
  while (at < text.length) {
    const lineEnd = text.indexOf("\n", at);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    const found = text.startsWith("<!-- asp:begin", at) ? blockAt(text, at, next) : undefined;
    if (!found) {
      own += text.slice(at, next);
      at = next;
      continue;
    }
    own = own.slice(0, own.length - found.gap);
    blocks.push(found.block);
    at = found.end;
  }
  return { own, blocks };
}

function blockAt(
  text: string,
  at: number,
  next: number,
): { block: MarkedBlock; gap: number; end: number } | undefined {
  const begin = BEGIN.exec(text.slice(at, next).replace(/\n$/, ""));
  if (!begin) return undefined;
  const { id, gap, open, ...marks } = marksOf(begin[1] ?? "");
  if (!id) return undefined;
  const close = new RegExp(`^<!-- asp:end ${id.replace(/[^0-9a-f]/g, "")} -->\\r?(?:\\n|$)`, "m");
  const rest = text.slice(next);
  const end = close.exec(rest);
  if (!end) return undefined;
  let inner = rest.slice(0, end.index);
  inner = inner.slice(0, inner.length - count(open));
  return {
    block: { marks, text: inner, edited: hash(inner) !== id },
    gap: count(gap),
    end: next + end.index + end[0].length,
  };
}

/** How many characters of line end were added that are not the text's own: at most two CRLF. */
function count(mark: string | undefined): number {
  return Math.min(Math.max(Number.parseInt(mark ?? "0", 10) || 0, 0), 4);
}

/** The text with the block in it: in place of the one with the same marks, else at the end. */
export function putBlock(
  text: string | undefined,
  marks: Readonly<Record<string, string>>,
  inner: string,
): string {
  const before = text ?? "";
  const nl = lineEnding(before);
  const had = findBlock(before, marks);
  if (had) return before.slice(0, had.from) + written(marks, inner, nl, had.gap) + before.slice(had.to);
  const gap = before === "" || before === "\uFEFF" ? "" : before.endsWith("\n") ? nl : nl + nl;
  return before + gap + written(marks, inner, nl, gap.length);
}

/** Where the block with these marks is in the text. */
function findBlock(
  text: string,
  marks: Readonly<Record<string, string>>,
): { from: number; to: number; gap: number } | undefined {
  for (let at = text.indexOf("<!-- asp:begin"); at !== -1; at = text.indexOf("<!-- asp:begin", at + 1)) {
    if (at > 0 && text[at - 1] !== "\n") continue;
    const lineEnd = text.indexOf("\n", at);
    const found = lineEnd === -1 ? undefined : blockAt(text, at, lineEnd + 1);
    if (!found) continue;
    if (sameMarks(found.block.marks, marks)) return { from: at, to: found.end, gap: found.gap };
    at = found.end - 1;
  }
  return undefined;
}

export function sameMarks(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function written(marks: Readonly<Record<string, string>>, inner: string, nl: string, gap: number): string {
  const id = hash(inner);
  const open = inner === "" || inner.endsWith("\n") ? {} : { open: String(nl.length) };
  const all = { ...marks, ...open, gap: String(gap), id };
  const attributes = Object.entries(all).map(([key, value]) => ` ${key}="${encodeAttribute(value)}"`);
  return `<!-- asp:begin${attributes.join("")} -->${nl}${inner}${"open" in open ? nl : ""}<!-- asp:end ${id} -->${nl}`;
}

function marksOf(attributes: string): Record<string, string> {
  const marks: Record<string, string> = {};
  for (const [, key, value] of attributes.matchAll(/ ([a-z]+)="([^"\n]*)"/g))
    marks[key as string] = decodeAttribute(value as string);
  return marks;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
