/** What an agent says of itself under `_meta.asp` of its capabilities. */
import { z } from "zod";

export const stateKindNames = ["sessions", "instructions", "skills", "tools", "memory", "settings"] as const;
export const StateKind = z.enum(stateKindNames);
export type StateKind = z.infer<typeof StateKind>;

/**
 * What becomes of a prompt that comes while a turn of its session runs. `steer`: it joins the answer under way.
 * `queue`: it waits, then has a turn of its own. `interrupt`: it cancels the running turn and starts the next.
 */
export const busyModes = ["steer", "queue", "interrupt"] as const;
export const Busy = z.enum(busyModes);
export type Busy = z.infer<typeof Busy>;

/** A kind that this version does not know is another version's: a reader passes over it. */
const kinds = z.array(z.string());

export const AspCapabilities = z.looseObject({
  steering: z.looseObject({ busy: z.array(z.string()) }).optional(),
  agentState: z.looseObject({ export: kinds, import: kinds }).optional(),
});
export type AspCapabilities = z.infer<typeof AspCapabilities>;

/** The part of an initialize answer that ASP is in; everything else passes. */
export const InitializeAnswer = z.looseObject({
  protocolVersion: z.number().int(),
  agentCapabilities: z
    .looseObject({ _meta: z.looseObject({ asp: AspCapabilities.optional() }).nullish() })
    .optional(),
});

/** What a prompt asks for, in its `_meta.asp`. */
export const PromptMeta = z.looseObject({ busy: Busy.optional() });

/** The part of a `session/prompt` that ASP is in. */
export const SteeredPrompt = z.looseObject({
  sessionId: z.string(),
  prompt: z.array(z.unknown()),
  _meta: z.looseObject({ asp: PromptMeta.optional() }).nullish(),
});
