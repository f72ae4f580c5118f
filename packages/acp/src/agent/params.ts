/** The params that an agent of a store reads; keys beside them are nobody's business. */
import { z } from "zod";

const id = z.string().min(1).max(1024);

export const InitializeParams = z.looseObject({
  protocolVersion: z.number().int().optional(),
  clientCapabilities: z
    .looseObject({ session: z.looseObject({ compaction: z.unknown().optional() }).nullish() })
    .nullish(),
});
export const SessionParams = z.looseObject({ sessionId: id });
export const ListParams = z.looseObject({ cwd: z.string().nullish(), cursor: z.string().nullish() });
