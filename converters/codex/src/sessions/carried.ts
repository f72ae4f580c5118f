/** Where another session's own bytes lie in a rollout: records of a type that the program does not know. */
import { carriedLines, type ReadContext, type SessionRef } from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";

export const EVIDENCE = "asp_evidence";

export function carried(ref: SessionRef, { source }: Pick<ReadContext, "source">): AsyncIterable<string> {
  const pick = (record: unknown) => fields(fields(record)?.payload)?.evidence;
  return carriedLines(ref.path, source, `"type":"${EVIDENCE}"`, pick);
}
