/**
 * Memory notes: how a note says where it came from without being read as part of it, so that it comes back
 * as itself and never as a new one; and what an index and a tombstone are.
 */
import { createHash } from "node:crypto";
import type { Note } from "../state/memory.js";
import { decodeAttribute, encodeAttribute } from "./edit/attribute.js";
import { asText, readFrontMatter } from "./front-matter.js";

const SIGNATURE = /\n<!-- asp:note((?: [a-z]+="[^"\n]*")+) -->\n?$/;

/** The note's text with its origin in a comment at the end. */
export function signNote(note: Note): string {
  const text = note.text ?? "";
  const { harness, project, path } = note.from;
  const marks = {
    from: harness,
    project,
    path,
    kind: note.kind,
    deleted: note.deleted ? "yes" : undefined,
    id: noteHash(text),
  };
  const attributes = Object.entries(marks).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}="${encodeAttribute(value)}"`],
  );
  return `${text}\n<!-- asp:note ${attributes.join(" ")} -->\n`;
}

export interface Signature {
  text: string;
  from: Note["from"];
  kind?: "note" | "index";
  deleted?: boolean;
  /** The text is not what came with the comment. */
  edited: boolean;
}

/** A text with such a comment taken apart. */
export function readSignature(text: string): Signature | undefined {
  const found = SIGNATURE.exec(text);
  const marks = Object.fromEntries(
    [...(found?.[1] ?? "").matchAll(/ ([a-z]+)="([^"\n]*)"/g)].map(([, key, value]) => [
      key,
      decodeAttribute(value ?? ""),
    ]),
  );
  const { from: harness, project, path, kind, deleted, id } = marks;
  if (!found || harness === undefined || path === undefined) return undefined;
  const own = text.slice(0, text.length - found[0].length);
  return {
    text: own,
    from: { harness, ...(project !== undefined && { project }), path },
    ...((kind === "index" || kind === "note") && { kind }),
    ...(deleted === "yes" && { deleted: true }),
    edited: noteHash(own) !== id,
  };
}

export function noteHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What an index says of a note: its title and one line about it. */
export async function noteHeading(note: Note): Promise<{ title: string; description: string }> {
  const { data, body } = await readFrontMatter(note.text ?? "");
  const file = note.path.split("/").at(-1)?.replace(/\.md$/i, "") ?? note.path;
  const heading = /^#+[ \t]+(.+)$/m.exec(body)?.[1]?.trim();
  const first =
    body
      .split("\n")
      .find((line) => line.trim() !== "" && !line.startsWith("#"))
      ?.trim() ?? "";
  const name = asText(data.name) ?? heading ?? file;
  return {
    title: sentence(/^[a-z0-9-]+$/.test(name) ? name.replaceAll("-", " ") : name),
    description: oneLine(asText(data.description) ?? first),
  };
}

function sentence(words: string): string {
  return oneLine(words.charAt(0).toUpperCase() + words.slice(1)).replace(/[[\]]/g, "");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 150 ? `${line.slice(0, 149)}…` : line;
}

/** The index with a line for each of these, those left out that it links to already. */
export function withIndexLines(
  index: string | undefined,
  lines: readonly { path: string; title: string; description: string }[],
): string {
  let text = index ?? "";
  for (const { path, title, description } of lines) {
    if (text.includes(`](${path})`)) continue;
    if (text !== "" && !text.endsWith("\n")) text += "\n";
    text += `- [${title}](${path})${description === "" ? "" : ` — ${description}`}\n`;
  }
  return text;
}

/** The index without the lines that link to a note. */
export function withoutIndexLine(index: string | undefined, path: string): string {
  const lines = (index ?? "").split("\n");
  return lines.filter((line) => !(/^\s*[-*]/.test(line) && line.includes(`](${path})`))).join("\n");
}

/** What a note says after it was withdrawn, where deleting it is not ours to do. */
export const WITHDRAWN = "This note was withdrawn where it came from. Forget what it said.\n";

/** One exchange's memory of a note: what was handed over, by its hash. */
export interface Exchanged {
  path: string;
  from: Note["from"];
  hash: string;
}

/** The notes with a tombstone for each one that was there at the last exchange and is no more. */
export function withTombstones(notes: readonly Note[], last: readonly Exchanged[]): Note[] {
  const there = new Set(notes.map((note) => note.path));
  const gone = last.filter((note) => !there.has(note.path));
  return [...notes, ...gone.map(({ path, from }): Note => ({ path, deleted: true, from }))];
}

export function exchanged(notes: readonly Note[]): Exchanged[] {
  return notes.flatMap((note) =>
    note.deleted || note.kind === "index"
      ? []
      : [{ path: note.path, from: note.from, hash: noteHash(note.text ?? "") }],
  );
}
