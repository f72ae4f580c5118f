/** Instructions: Markdown that a harness reads in place of its own. The portable form is AGENTS.md. */
import { z } from "zod";

/** A file that a text imports (`@path`). The text itself is carried as written, imports not expanded. */
export const Import = z.object({
  /** As written, without the `@`. */
  path: z.string(),
  /** `outside`: it lies out of the project. `deep`: further than the source program follows. */
  status: z.enum(["found", "missing", "outside", "cycle", "deep"]),
  /** The importing file, relative to the same folder as `source`. */
  in: z.string(),
});

/**
 * One text. `scope`: whose it is. For `project` and `local`, `project` is the project's folder (absolute in
 * its source) and `path` the folder the text applies to, relative to the project (`""`: all of it).
 */
export const Instruction = z.object({
  scope: z.enum(["user", "project", "local"]),
  project: z.string().optional(),
  path: z.string(),
  text: z.string(),
  /** It applies only to files that match one of these. */
  globs: z.array(z.string()).optional(),
  /** The native file it came from, relative to the store's root or the project: `CLAUDE.md`, `.claude/rules/style.md`. */
  source: z.string(),
  /** The harness it was first written for. */
  from: z.string(),
  imports: z.array(Import).optional(),
});

export const Instructions = z.object({ files: z.array(Instruction) });

export type Import = z.infer<typeof Import>;
export type Instruction = z.infer<typeof Instruction>;
export type Instructions = z.infer<typeof Instructions>;
