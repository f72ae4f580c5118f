/** The three questions of the agent-state layer: params and answers. */
import { z } from "zod";
import { WireState } from "./state.js";

const meta = <T extends z.ZodRawShape>(shape: T) =>
  z.looseObject({ asp: z.looseObject(shape).optional() }).nullish();

export const DescribeParams = z.looseObject({});
export const DescribeAnswer = z.looseObject({ kinds: z.record(z.string(), z.number().int().nonnegative()) });

/**
 * `_meta.asp.sessions`: only these conversations. `_meta.asp.cursor`: what the answer before gave as `next`; the other
 * params are then those of the first question.
 */
export const ExportParams = z.looseObject({
  kinds: z.array(z.string()),
  _meta: meta({ sessions: z.array(z.string()).optional(), cursor: z.string().optional() }),
});

/** In words for the owner; `item`: which thing of the kind. */
export const Left = z.looseObject({ kind: z.string(), reason: z.string(), item: z.string().optional() });

/** What of a thing that was taken is missing. Words of another version than ours are words all the same. */
export const WireLoss = z.looseObject({
  kind: z.string(),
  axis: z.string(),
  level: z.string(),
  reason: z.string(),
  count: z.number().int(),
});

/**
 * `_meta.asp.next`: there is more than a message holds; ask again with it. Absent: this is all. `left`: what is there and
 * could not be given. `losses`: what of the native store the portable form does not hold.
 */
export const ExportAnswer = z.looseObject({
  state: WireState,
  _meta: meta({
    next: z.string().optional(),
    left: z.array(Left).optional(),
    losses: z.array(WireLoss).optional(),
  }),
});

export const ImportParams = z.looseObject({ state: WireState });

/**
 * `sessions`: the new id by the old. `_meta.asp.receipts`: each takes its part back (`asp-convert undo`). `waiting`: of these
 * sessions parts are still to come. `names`: how a copy beside another version of the same is called, by its id.
 */
export const ImportAnswer = z.looseObject({
  taken: z.array(z.string()),
  notTaken: z.array(Left),
  sessions: z.record(z.string(), z.string()),
  _meta: meta({
    receipts: z.array(z.string()).optional(),
    losses: z.array(WireLoss).optional(),
    waiting: z.array(z.string()).optional(),
    names: z.record(z.string(), z.string()).optional(),
  }),
});

export type ExportParams = z.infer<typeof ExportParams>;
export type ExportAnswer = z.infer<typeof ExportAnswer>;
export type ImportAnswer = z.infer<typeof ImportAnswer>;
export type WireLoss = z.infer<typeof WireLoss>;
export type Left = z.infer<typeof Left>;
