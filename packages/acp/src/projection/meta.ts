/**
 * What ACP has no field for, under `_meta.asp` of an update. Every update of ours has it: `event` where an event begins,
 * `more` where it goes on (the next block of a message). Readers pass over keys they do not know.
 */
import type { EventType, SessionEvent } from "@asp-convert/core";
import { type Fields, fields } from "@asp-convert/core/values";

export interface UpdateMeta {
  event?: EventType;
  /** The event before goes on: another block of it. */
  more?: true;
  /** The source's own id of the event, and what else stands around it. @see EventOf */
  nativeId?: string;
  /** ISO 8601 */
  time?: string;
  timeInferred?: true;
  turnId?: string;
  branch?: string;
  /** `nativeId` of the event that a branch departs from. */
  parent?: string;
  /** On a tool call: the message it stands in. */
  messageId?: string;
  model?: unknown;
  usage?: unknown;
  /** The rest of the event, where ACP has no field for it. */
  payload?: Fields;
  /** A block that ACP has no content for. */
  block?: unknown;
  /** What cannot be read and must come back as it is: signatures, encrypted reasoning. */
  opaque?: readonly { harness: string; kind: string; data?: unknown }[];
  /** A part of an update that is too large for one message: its JSON text, and whether it is the last. */
  piece?: { text: string; last: boolean };
}

/** `_meta.asp` of an update or a content block; undefined where there is none. */
export function aspOf(value: Fields): Fields | undefined {
  return fields(fields(value._meta)?.asp);
}

/** What every event has beside its payload. */
export function headOf(event: SessionEvent): UpdateMeta {
  const { type, nativeId, time, timeInferred, turnId, branch, branchFrom } = event;
  return {
    event: type,
    ...(nativeId !== undefined && { nativeId }),
    ...(time !== undefined && { time }),
    ...(timeInferred && { timeInferred }),
    ...(turnId !== undefined && { turnId }),
    ...(branch !== undefined && { branch }),
    ...(branchFrom !== undefined && { parent: branchFrom }),
  };
}

/** The way back. What is not of the type it must be is left out: an update is input from anywhere. */
export function headFrom(meta: Fields): Partial<SessionEvent> {
  const text = (key: string, value = meta[key]) => (typeof value === "string" ? value : undefined);
  const [nativeId, time, turnId] = [text("nativeId"), text("time"), text("turnId")];
  const [branch, branchFrom] = [text("branch"), text("parent")];
  return {
    ...(nativeId !== undefined && { nativeId }),
    ...(time !== undefined && { time }),
    ...(meta.timeInferred === true && time !== undefined && { timeInferred: true }),
    ...(turnId !== undefined && { turnId }),
    ...(branch !== undefined && { branch }),
    ...(branchFrom !== undefined && { branchFrom }),
  };
}
