/** Memory: Markdown notes by path, each with where it came from. */
import { z } from "zod";

export const Note = z.object({
  /** Relative, with `/`, ending in `.md`. */
  path: z.string(),
  /** Absent on a deleted note. */
  text: z.string().optional(),
  deleted: z.boolean().optional(),
  /** The harness it was first written in, and the project it belongs to (absent: everywhere). */
  from: z.object({ harness: z.string(), project: z.string().optional(), path: z.string().optional() }),
});

export const Memory = z.object({ notes: z.array(Note) });

export type Note = z.infer<typeof Note>;
export type Memory = z.infer<typeof Memory>;
