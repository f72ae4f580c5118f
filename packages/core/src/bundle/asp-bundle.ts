/** `asp-bundle` version 1: one session in one JSON file, as the public implementation interchanges it. */
import { z } from "zod";
import { levels } from "../fidelity/axes.js";
import { Envelope } from "../session/envelope.js";
import { Snapshot } from "../session/snapshot.js";

export const AspBundle = z.object({
  format: z.literal("asp-bundle"),
  version: z.literal(1),
  /** ISO 8601. */
  createdAt: z.string(),
  native: z.object({
    harness: z.string(),
    sessionId: z.string(),
    sourcePath: z.string().optional(),
    sourceSha256: z.string().optional(),
  }),
  /** `revision` = events, `seq` = events − 1, `nextSeq` = events; `id` = the first event's `agentSessionId`. */
  pivot: Snapshot,
  evidence: z.array(Envelope),
  fidelity: z.array(z.object({ axis: z.string(), level: z.enum(levels), detail: z.string() })),
  loss: z.array(z.string()),
});

export type AspBundle = z.infer<typeof AspBundle>;
