/** For tests of a converter's own: events made by hand on their way into a store, and those that were read, in few words. */
import type { Converter, SessionEvent, SessionRef } from "@asp-convert/core";
import { type Conversion, convert } from "./convert.js";
import { type Files, sourceOf } from "./files.js";
import { sample } from "./sample/index.js";

export interface ByHand {
  to: Converter;
  /** Of the target's store. */
  root: string;
  /** What is there already. */
  present?: Files;
  /** The header; a session of the sample harness from 2026-11-30T10:00:00Z unless it says otherwise. */
  about?: Partial<SessionRef>;
}

/** A session of another harness that consists of these events, converted. */
export function convertEvents(
  events: readonly SessionEvent[],
  { to, root, present = new Map(), about = {} }: ByHand,
): Promise<Conversion> {
  const ref: SessionRef = {
    harness: "sample",
    id: "foreign",
    path: "/foreign",
    files: [],
    createdAt: "2026-11-30T10:00:00.000Z",
    size: 0,
    children: [],
    ...about,
  };
  const from: Converter = {
    ...sample,
    id: ref.harness,
    sessions: {
      ...sample.sessions,
      async *read(_, { ledger }) {
        for (const event of events)
          yield { ...event, origin: event.origin.map((place) => ({ ...place, record: ledger.record() })) };
      },
    },
  };
  return convert({ from, ref, source: sourceOf(new Map()), to, root, present });
}

/** What an event tells: roles with texts, calls, results, and changes of state; nothing of anything else. */
export function shortly(event: SessionEvent): string[] {
  const aside = event.branch === undefined ? "" : `[${event.branch}<${event.branchFrom ?? ""}] `;
  switch (event.type) {
    case "message.completed": {
      const { role, blocks, injected, audience, kind } = event.payload;
      const marks = [injected, kind, audience?.join()].filter(Boolean).join(" ");
      return [`${aside}${role}${marks && ` (${marks})`}: ${blocks.map(said).join(" | ")}`];
    }
    case "tool.completed": {
      const { toolCallId, result, isError } = event.payload;
      return [`${aside}result ${toolCallId}${isError ? " failed" : ""}: ${result.map(said).join(" | ")}`];
    }
    case "status.changed":
      return [
        `${aside}${event.payload.status}`,
        ...(event.payload.context ?? []).flatMap((kept) =>
          shortly(kept as SessionEvent).map((line) => `  ${line}`),
        ),
      ];
    case "session.bound":
      return [`title: ${event.payload.title}`];
    default:
      return [];
  }
}

function said(block: { type: string; [key: string]: unknown }): string {
  if (block.type === "text") return String(block.text);
  if (block.type === "tool-call") return `${String(block.name)}#${String(block.toolCallId)}`;
  return `<${block.type}${"text" in block ? ` ${String(block.text)}` : ""}>`;
}

/** `axis level reason count`. */
export function lossesOf(
  losses: readonly { axis: string; level: string; reason: string; count: number }[],
): string[] {
  return losses.map(({ axis, level, reason, count }) => `${axis} ${level} ${reason} ${count}`);
}
