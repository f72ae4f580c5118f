/**
 * Where a session came from, in the first entry of its file, which Pi keeps and never sends. Pi knows no sessions
 * below another one; that a session is one is said here too, and read again.
 */
import type { SessionRef } from "@asp-convert/core";
import { type Fields, fields, name } from "@asp-convert/core/values";

const TYPE = "asp.provenance";

export interface SubagentOf {
  session: string;
  toolCall?: string;
}

export function provenance(
  { harness, id }: Pick<SessionRef, "harness" | "id">,
  above: SubagentOf | undefined,
): { type: string; customType: string; data: object } {
  return {
    type: "custom",
    customType: TYPE,
    data: {
      converted_from: { harness, session_id: id },
      ...(above && {
        subagent_of: {
          session_id: above.session,
          ...(above.toolCall !== undefined && { tool_call_id: above.toolCall }),
        },
      }),
    },
  };
}

/** undefined: the record is no such entry, or the session is nobody's subagent. */
export function subagentOf(record: Fields): SubagentOf | undefined {
  const above = record.customType === TYPE ? fields(fields(record.data)?.subagent_of) : undefined;
  const session = name(above?.session_id);
  const toolCall = name(above?.tool_call_id);
  return session === undefined ? undefined : { session, ...(toolCall !== undefined && { toolCall }) };
}

/** Does a file that begins so say that it is a subagent's? */
export function isSubagents(head: string): boolean {
  return head.includes(`"${TYPE}"`) && head.includes('"subagent_of"');
}

/** The same entry below another session. */
export function movedBelow(record: Fields, session: string): Fields {
  const data = fields(record.data);
  const above = fields(data?.subagent_of);
  return above ? { ...record, data: { ...data, subagent_of: { ...above, session_id: session } } } : record;
}
