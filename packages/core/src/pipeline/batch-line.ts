/** What a batch says of one session: one line of `report.ndjson`, which is also how the next run knows what is done. */
import { z } from "zod";
import { Loss, SessionReport } from "./report.js";

/** A file that the session lies in, as it was when the line was made. */
export const BatchSource = z.object({
  /** Absolute. */
  path: z.string(),
  bytes: z.number().int(),
  mtimeMs: z.number(),
  sha256: z.string(),
});

export const BatchLine = z.object({
  asp: z.literal(1),
  /**
   * `<setup>.<sources>`: what was done (target, options, versions), and to which bytes. The same key: nothing is to be
   * done again.
   */
  key: z.string(),
  status: z.enum(["done", "failed"]),
  from: z.object({
    harness: z.string(),
    /** The native session id. */
    id: z.string(),
    /** Absolute: of the transcript, or the database. */
    path: z.string(),
    title: z.string().optional(),
  }),
  to: z.string(),
  /** Bytes, over all the session's own files. */
  size: z.number().int(),
  sources: z.array(BatchSource),
  /** The session and its subagents'; `files` are relative to the target's root. None where it failed. */
  sessions: z.array(
    SessionReport.pick({
      id: true,
      newId: true,
      parent: true,
      records: true,
      messages: true,
      toolCalls: true,
      how: true,
      files: true,
    }),
  ),
  losses: z.array(Loss),
  /** Why it failed; nothing of it was written. */
  error: z.object({ code: z.string(), message: z.string(), next: z.string().optional() }).optional(),
});

export type BatchSource = z.infer<typeof BatchSource>;
export type BatchLine = z.infer<typeof BatchLine>;
