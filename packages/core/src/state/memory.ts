/** Memory: Markdown notes by path, each with where it came from. */
import { z } from "zod";

export const Note = z.object({
  /** Relative, with `/`, ending in `.md`. Stable: the same note has the same path in each export. */
  path: z.string(),
  /** Absent on a deleted note. */
  text: z.string().optional(),
  /** It was there at the last exchange and is no more: who takes it, forgets it too. */
  deleted: z.boolean().optional(),
  /** `index`: lists the others; who takes notes makes its own. */
  kind: z.enum(["note", "index"]).optional(),
  /** The harness it was first written in, the project it belongs to (absent: everywhere), its path there. */
  from: z.object({ harness: z.string(), project: z.string().optional(), path: z.string() }),
});

export const Memory = z.object({ notes: z.array(Note) });

export type Note = z.infer<typeof Note>;
export type Memory = z.infer<typeof Memory>;
