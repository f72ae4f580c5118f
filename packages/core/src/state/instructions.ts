/** Instructions: Markdown that a harness reads in place of its own. The portable form is AGENTS.md. */
import { z } from "zod";

/**
 * One text. `scope`: whose it is. `path`: for `project` and below the file's folder relative to the project
 * (`""` its root). `globs`: it applies only to matching files. `text` is as written, imports not expanded.
 */
export const Instruction = z.object({
  scope: z.enum(["managed", "user", "project", "local"]),
  path: z.string(),
  text: z.string(),
  globs: z.array(z.string()).optional(),
  /** The native file name it had, e.g. `CLAUDE.md`, `.claude/rules/style.md`. */
  source: z.string(),
  /** Files it imports (`@path`), as written, in order. */
  imports: z.array(z.string()).optional(),
});

export const Instructions = z.object({ files: z.array(Instruction) });

export type Instruction = z.infer<typeof Instruction>;
export type Instructions = z.infer<typeof Instructions>;
