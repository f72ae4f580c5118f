/** Instruction texts in Markdown files that people own: reading them, and getting more text into one. */
import type { KindContext, KindTarget } from "../converter/kinds.js";
import { pathOf } from "../io/paths.js";
import type { Source } from "../io/source.js";
import type { Action } from "../pipeline/plan.js";
import type { Instruction } from "../state/instructions.js";
import { lose } from "./account.js";
import { putBlock, type Split, sameMarks, splitBlocks } from "./edit/markdown-block.js";
import { resolveImports } from "./imports.js";
import { readText } from "./text.js";

export interface InstructionPlace {
  /** Absolute. */
  file: string;
  /** The store's root or the project; `source` of the result is relative to it. */
  base: string;
  scope: Instruction["scope"];
  project?: string;
  path: string;
  from: string;
}

/**
 * One instruction file. undefined where nothing (or nothing but white space) is. A file that is a link, or
 * holds nothing but the name of another (what git makes of a link on Windows), is read as that other one.
 */
export async function readInstruction(
  place: InstructionPlace,
  context: KindContext,
): Promise<Instruction | undefined> {
  const { file, base, scope, project, path, from } = place;
  const { source, environment, losses } = context;
  const paths = pathOf(environment);
  const read = await readText(source, file);
  if (!read || read.text.trim() === "") return undefined;
  const name = paths.relative(base, file).replaceAll("\\", "/");
  if (read.invalid)
    lose(losses, {
      kind: "instructions",
      axis: "instructions",
      level: "partial",
      reason: "invalid-text",
      item: name,
    });
  const imports = await resolveImports(
    read.text,
    { file, within: project, relativeTo: base },
    source,
    environment,
  );
  return {
    scope,
    ...(project !== undefined && { project }),
    path,
    text: read.text,
    source: name,
    from,
    ...(imports.length > 0 && { imports }),
  };
}

/** The one file that a text stands for, if it says nothing else: `@AGENTS.md`, or a link that became text. */
export function standsFor(text: string): string | undefined {
  const only = text.trim();
  const name = only.startsWith("@") ? only.slice(1) : only;
  return /^[^\s@]+\.md$/i.test(name) && !name.includes("\n") ? name.replace(/^\.\//, "") : undefined;
}

/** A text on its way into a file. */
export interface Piece {
  text: string;
  /** By which a later run knows the block again. */
  marks: Readonly<Record<string, string>>;
  /** A sentence for the model in front of the text: whom or what it is for. */
  intro?: string;
  /** It may be the file's own text, without marks, where there is no file yet. */
  whole?: boolean;
}

/** `created`: a new file or the first of one. `marked`: beside other text. `edited`: somebody changed the block. */
export type PieceOutcome = "created" | "marked" | "updated" | "present" | "edited" | "link" | "unreadable";

/** Plans texts into one Markdown file, in order. Nothing that is there is replaced but our own blocks. */
export async function planPieces(
  file: string,
  pieces: readonly Piece[],
  target: KindTarget,
): Promise<{ actions: Action[]; outcomes: PieceOutcome[] }> {
  const info = await target.source.stat(file);
  const had = info?.kind === "file" ? await readText(target.source, file) : undefined;
  const now = had && splitBlocks(had.text);
  const outcomes: PieceOutcome[] = [];
  const puts: ((before: string | undefined) => string)[] = [];
  for (const piece of pieces) {
    const outcome = outcomeOf(piece, now, outcomes);
    const writes = outcome === "created" || outcome === "marked" || outcome === "updated";
    if (writes && info && info.kind !== "file") outcomes.push("unreadable");
    else if (writes && had?.invalid) outcomes.push("unreadable");
    else if (writes && info?.link) outcomes.push("link");
    else {
      outcomes.push(outcome);
      if (outcome === "created" && piece.whole)
        puts.push((before) => (before === undefined ? piece.text : put(before, piece)));
      else if (writes) puts.push((before) => put(before, piece));
    }
  }
  if (puts.length === 0) return { actions: [], outcomes };
  const names = pieces
    .filter((_, i) => ["created", "marked", "updated"].includes(outcomes[i] as string))
    .map((p) => p.marks.file ?? "a text");
  const edit = (before: string | undefined): string =>
    puts.reduce<string | undefined>((text, step) => step(text), before) ?? "";
  return { actions: [{ do: "edit", path: file, edit, what: names.join(", "), mode: 0o644 }], outcomes };
}

function outcomeOf(piece: Piece, now: Split | undefined, earlier: readonly PieceOutcome[]): PieceOutcome {
  if (!now) return earlier.includes("created") ? "marked" : "created";
  const block = now.blocks.find(({ marks }) => sameMarks(withoutIntro(marks), piece.marks));
  if (block?.edited) return "edited";
  if (block) return block.text === (piece.intro ?? "") + piece.text ? "present" : "updated";
  if (now.own === piece.text || now.own.trim() === piece.text.trim()) return "present";
  return "marked";
}

function put(before: string | undefined, piece: Piece): string {
  const had =
    before === undefined
      ? undefined
      : splitBlocks(before).blocks.find(({ marks }) => sameMarks(withoutIntro(marks), piece.marks));
  const marks = piece.intro ? { ...piece.marks, intro: String(piece.intro.length) } : piece.marks;
  return putBlock(before, had?.marks ?? marks, (piece.intro ?? "") + piece.text);
}

function withoutIntro({ intro: _, ...marks }: Readonly<Record<string, string>>): Record<string, string> {
  return marks;
}

/** The texts of a file as they were before they came into it: its own, and each block's without our sentence. */
export function takeApart(text: string): {
  own: string;
  blocks: { marks: Record<string, string>; text: string }[];
} {
  const { own, blocks } = splitBlocks(text);
  return {
    own,
    blocks: blocks.map(({ marks, text: inner }) => ({
      marks: withoutIntro(marks),
      text: inner.slice(Number.parseInt(marks.intro ?? "0", 10) || 0),
    })),
  };
}

/** Both are the same file, by whatever links. */
export async function isSameFile(a: string, b: string, source: Source): Promise<boolean> {
  const real = await source.realPath(a);
  return real !== undefined && real === (await source.realPath(b));
}
