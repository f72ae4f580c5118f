/** How sessions descend from one another: a graph without cycles, one relation an edge. */
import { z } from "zod";

/**
 * `fork`: a copy that goes its own way. `resume`: continued in the same harness. `handoff`: continued in
 * another harness, as a new session. `subagent`: started by a call of the source session. `compact`: the target
 * stands for the shortened source.
 */
export const RelationType = z.enum(["fork", "resume", "handoff", "subagent", "compact"]);

export const Relation = z.object({
  /** sha256 over type, source and target: the same relation found twice is one. */
  id: z.string(),
  sourceSessionId: z.string(),
  targetSessionId: z.string(),
  type: RelationType,
  typeData: z
    .object({
      parentRunId: z.string().optional(),
      parentToolCallId: z.string().optional(),
      sourceHarness: z.string().optional(),
      targetHarness: z.string().optional(),
    })
    .optional(),
  /** ISO 8601. */
  createdAt: z.string(),
});

export type RelationType = z.infer<typeof RelationType>;
export type Relation = z.infer<typeof Relation>;
