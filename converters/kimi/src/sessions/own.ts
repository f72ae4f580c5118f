/**
 * What of ours travels in a store of Kimi Code: the key `asp` on records of a journal, which the program passes over,
 * and `custom.asp` of `state.json`, where it says where the session came from.
 */
import type { Payloads, SessionRef } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";

type Message = Payloads["message.completed"];

export type Own = Pick<Message, "injected" | "kind" | "display" | "audience"> & { role?: "system" };

/** What a message is to Kimi Code that no person typed: told to the model, shown to nobody, and never undone to. */
export const TRIGGER = { kind: "system_trigger", name: "asp" } as const;

const INJECTED: readonly NonNullable<Message["injected"]>[] = ["command", "skill", "tool", "notice"];

/** undefined: the record has nothing of ours. */
export function ownOf(record: Fields): Own | undefined {
  const asp = fields(record.asp);
  if (!asp) return undefined;
  const injected = INJECTED.find((each) => each === asp.injected);
  const display = string(asp.display);
  return {
    ...(injected && { injected }),
    ...((asp.kind === "summary" || asp.kind === "queued") && { kind: asp.kind }),
    ...(display !== undefined && { display }),
    ...(asp.sent === true && { audience: ["assistant"] }),
    ...(asp.role === "system" && { role: "system" }),
  };
}

/** The model that gave an answer. */
export function ownModel(record: Fields): string | undefined {
  return name(fields(record.asp)?.model);
}

/** Was it an error in the source, of which the program would tell the model in its own words? */
export function ownError(record: Fields): boolean {
  return fields(record.asp)?.error === true;
}

/** Does the record belong to the context that the last compaction left? */
export function isOfContext(record: Fields): boolean {
  return fields(record.asp)?.context === true;
}

export function provenance({ harness, id }: Pick<SessionRef, "harness" | "id">): object {
  return { converted_from: { harness, session_id: id } };
}
