/**
 * What of ours travels in a store of Factory Droid: the key `asp` on records, which the program keeps and sends to nobody.
 * On the first record it says where the session came from, on any other what the message was.
 */
import type { Payloads, SessionRef } from "@asp-convert/core";
import { type Fields, fields, string } from "@asp-convert/core/values";

type Message = Payloads["message.completed"];
export type Own = Pick<Message, "injected" | "kind" | "display"> & { role?: "system" };

const INJECTED: readonly NonNullable<Message["injected"]>[] = ["command", "skill", "tool", "notice"];

export function ownOf(record: Fields): Own {
  const asp = fields(record.asp) ?? {};
  const injected = INJECTED.find((each) => each === asp.injected);
  const display = string(asp.display);
  return {
    ...(injected && { injected }),
    ...((asp.kind === "summary" || asp.kind === "queued") && { kind: asp.kind }),
    ...(display !== undefined && { display }),
    ...(asp.role === "system" && { role: "system" }),
  };
}

export function provenance({ harness, id }: Pick<SessionRef, "harness" | "id">): object {
  return { converted_from: { harness, session_id: id } };
}
