/**
 * What of ours travels in a store of Copilot CLI: the key `asp` in an event's data, which the program keeps and sends
 * to nobody. In the first event it says where the session came from, in any other what a message was.
 */
import type { Payloads, SessionRef } from "@asp-convert/core";
import { type Fields, fields } from "@asp-convert/core/values";

type Message = Payloads["message.completed"];

export interface Own {
  injected?: Exclude<NonNullable<Message["injected"]>, "harness">;
  kind?: NonNullable<Message["kind"]>;
  role?: "system";
  /** Sent, not shown. */
  hidden?: true;
  /** A part of the message before it: an event holds one text. */
  continues?: true;
  /** The text stands there for pictures that came without one. */
  filler?: true;
  /** Said before, and said again because it is what a compaction kept. */
  kept?: true;
  /** Of `session.info`: who said it. */
  shown?: "user" | "assistant";
}

const INJECTED = ["command", "skill", "tool", "notice"] as const;

export function ownOf(data: Fields): Own {
  const asp = fields(data.asp);
  if (!asp) return {};
  const injected = INJECTED.find((each) => each === asp.injected);
  return {
    ...(injected && { injected }),
    ...((asp.kind === "summary" || asp.kind === "queued") && { kind: asp.kind }),
    ...(asp.role === "system" && { role: "system" }),
    ...(asp.hidden === true && { hidden: true }),
    ...(asp.continues === true && { continues: true }),
    ...(asp.filler === true && { filler: true }),
    ...(asp.kept === true && { kept: true }),
    ...((asp.shown === "user" || asp.shown === "assistant") && { shown: asp.shown }),
  };
}

export function provenance({ harness, id }: Pick<SessionRef, "harness" | "id">): object {
  return { converted_from: { harness, session_id: id } };
}
