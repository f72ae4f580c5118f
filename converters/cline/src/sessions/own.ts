/**
 * What of ours travels in a store of Cline: the key `asp` in the metadata of a message and of a manifest. The program
 * keeps it and sends it to nobody. On a message it says what the message was; in a manifest, where the session came from.
 */
import type { Payloads, SessionRef } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";

type Message = Payloads["message.completed"];

export interface Own {
  injected?: Message["injected"];
  kind?: Message["kind"];
  /** Sent, and not shown. */
  sent?: true;
  role?: "system";
  /** What the person typed or sees, where another text was sent. */
  display?: string;
  /** On the first message of a subagent: the call that started it. */
  call?: string;
}

const INJECTED: readonly NonNullable<Message["injected"]>[] = [
  "harness",
  "command",
  "skill",
  "tool",
  "notice",
];

export function ownOf(message: Fields): Own {
  const asp = fields(fields(message.metadata)?.asp);
  if (!asp) return {};
  const injected = INJECTED.find((each) => each === asp.injected);
  const display = string(asp.display);
  const call = name(asp.call);
  return {
    ...(injected && { injected }),
    ...((asp.kind === "summary" || asp.kind === "queued") && { kind: asp.kind }),
    ...(asp.sent === true && { sent: true }),
    ...(asp.role === "system" && { role: "system" }),
    ...(display !== undefined && { display }),
    ...(call !== undefined && { call }),
  };
}

export function provenance({ harness, id }: Pick<SessionRef, "harness" | "id">): object {
  return { converted_from: { harness, session_id: id } };
}
