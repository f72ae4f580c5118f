/** Instruction texts between files: what a file holds, how a text goes into another, what became of it. */
import type { Item, KindTarget } from "../converter/kinds.js";
import { safeRelative } from "../io/paths.js";
import type { Instruction } from "../state/instructions.js";
import { belonging, change, leave, lose } from "./account.js";
import { type Piece, type PieceOutcome, takeApart } from "./instructions.js";

const KIND = { kind: "instructions", axis: "instructions" } as const;

/** Paths from a state of anywhere: they stay inside. */
export function isSafeInstruction({ source, path }: Instruction): boolean {
  return !("refused" in safeRelative(source)) && (path === "" || !("refused" in safeRelative(path)));
}

/** A file's own text, and the texts that conversions put into it, each as what it was before. */
export function instructionsIn(whole: Instruction): Instruction[] {
  const { own, blocks } = takeApart(whole.text);
  const { imports: _, ...bare } = whole;
  const foreign = blocks.flatMap(({ marks, text }): Instruction[] => {
    if (marks.kind === "memory" || !marks.from || !marks.file) return [];
    const path = marks.path ?? whole.path;
    const base: Instruction = { ...bare, text, source: marks.file, from: marks.from, path };
    return [marks.project === undefined ? base : { ...base, scope: "local", project: marks.project }];
  });
  return [...(own.trim() === "" ? [] : [{ ...whole, text: own }]), ...foreign];
}

/**
 * A text for a file that more than the text itself is for: private notes on a project and rules for some files say
 * in a sentence whom they are for.
 * @param folder - the project's, absolute
 */
export function namedPiece(file: Instruction, folder: string): Piece {
  const local = file.scope === "local";
  const marks = { from: file.from, file: file.source, ...(local && { project: file.project ?? folder }) };
  const intro = local
    ? `The following applies only when working in ${folder}.\n\n`
    : file.globs
      ? `The following applies only to files that match ${file.globs.map((glob) => `\`${glob}\``).join(", ")}.\n\n`
      : undefined;
  const whole = intro === undefined && !file.source.includes("rules/") && !file.source.includes("#");
  return { text: file.text, marks, whole, ...(intro !== undefined && { intro }) };
}

/** Of a text that was not written, why; undefined for one that was. */
export function unwritten(
  file: Instruction,
  outcome: PieceOutcome,
  path: string,
  target: KindTarget,
): Item | undefined {
  const of = belonging(file, file.source);
  switch (outcome) {
    case "present":
      return { ...of, outcome: "present" };
    case "edited":
      return leave(target, of, {
        ...KIND,
        reason: "exists",
        note: `its block in ${path} was edited by hand`,
      });
    case "link":
      return leave(target, of, {
        ...KIND,
        reason: "unsafe",
        note: `${path} is a link; nothing is written through it`,
      });
    case "unreadable":
      return leave(target, of, {
        ...KIND,
        reason: "exists",
        note: `${path} is no text file that can be added to`,
      });
    default:
      return undefined;
  }
}

/**
 * What became of a text in a program that has one sort of file, follows no imports and knows no rules by file.
 * @param program - its name
 * @param reach - when it reads a file of a folder; undefined: always
 */
export function instructionItem(
  file: Instruction,
  outcome: PieceOutcome,
  path: string,
  target: KindTarget,
  program: string,
  reach: string | undefined,
): Item {
  const left = unwritten(file, outcome, path, target);
  if (left) return left;
  const of = belonging(file, file.source);
  const changes: Item[] = [];
  const changed = (words: Parameters<typeof change>[2]) => changes.push(change(target, of, words));
  if (file.scope === "local" || file.globs) {
    const note =
      file.scope === "local"
        ? `in ${path}, named as being for the project`
        : `for the model to heed; ${program} has no rules by file`;
    changed({ ...KIND, axis: "instruction-scopes", reason: "scope-changed", note });
  } else if (file.path !== "" && reach !== undefined) {
    lose(target.losses, {
      ...KIND,
      axis: "instruction-scopes",
      level: "partial",
      reason: "scope-changed",
      item: file.source,
      note: `${program} reads it ${reach}`,
    });
  }
  const followed = (file.imports ?? [])
    .filter(({ status, in: within }) => status === "found" && within === file.source)
    .map((one) => `@${one.path}`);
  if (followed.length > 0) changed({ ...KIND, reason: "not-expanded", note: followed.join(", ") });
  if (outcome !== "created") changed({ ...KIND, reason: "marked-block", note: path });
  return changes[0] ?? { ...of, outcome: "written" };
}
