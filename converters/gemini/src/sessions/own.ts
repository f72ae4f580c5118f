/**
 * What of ours travels in a store of Gemini CLI: the key `asp` on records. The program keeps it and sends it to nobody.
 * On a message it says what the message was; on the first record, where the session came from.
 */
import type { Payloads, SessionRef } from "@asp-convert/core";
import { type Fields, fields, name } from "@asp-convert/core/values";

type Message = Payloads["message.completed"];

export interface Own {
  injected?: Message["injected"];
  kind?: Message["kind"];
  /** A message that is shown and never sent: whose it was. */
  shown?: Message["role"];
  /** Sent, and not shown. */
  sent?: true;
  role?: "system";
  /** It was said, though it looks like what the program adds by itself. */
  said?: true;
  /** On the first message of a branch: the message that it departs from. */
  from?: string;
}

const INJECTED: readonly NonNullable<Message["injected"]>[] = [
  "harness",
  "command",
  "skill",
  "tool",
  "notice",
];
const ROLES: readonly Message["role"][] = ["system", "user", "assistant", "tool", "unknown"];

export function ownOf(record: Fields): Own | undefined {
  const asp = fields(record.asp);
  if (!asp) return undefined;
  const injected = INJECTED.find((each) => each === asp.injected);
  const shown = ROLES.find((each) => each === asp.shown);
  const from = name(asp.from);
  return {
    ...(injected && { injected }),
    ...((asp.kind === "summary" || asp.kind === "queued") && { kind: asp.kind }),
    ...(shown && { shown }),
    ...(asp.sent === true && { sent: true }),
    ...(asp.role === "system" && { role: "system" }),
    ...(from !== undefined && { from }),
  };
}

export function provenance({ harness, id }: Pick<SessionRef, "harness" | "id">): object {
  return { converted_from: { harness, session_id: id } };
}
