/** Where another session's own bytes lie in a transcript: records of a type that the program does not know. */
import { carriedLines, type ReadContext, type SessionRef } from "@asp-convert/core";
import { object } from "./value.js";

export const EVIDENCE = "asp-evidence";

export function carried(ref: SessionRef, { source }: Pick<ReadContext, "source">): AsyncIterable<string> {
  return carriedLines(ref.path, source, `"type":"${EVIDENCE}"`, (record) => object(record)?.evidence);
}
