/** An event as code handles it: types only, so that nothing here loads the schemas (`events.ts`). */
import type { z } from "zod";
import type * as schemas from "./events.js";

export type EventType = schemas.EventType;

type Inferred = { [T in EventType]: z.infer<(typeof schemas.payloads)[T]> };
export type Payloads = Omit<Inferred, "status.changed"> & {
  "status.changed": Omit<Inferred["status.changed"], "context"> & { context?: SessionEvent[] };
};

export type Role = z.infer<typeof schemas.Role>;
export type Usage = z.infer<typeof schemas.Usage>;
export type Git = z.infer<typeof schemas.Git>;
export type SettingValues = z.infer<typeof schemas.SettingValues>;
export type InjectedBy = z.infer<typeof schemas.InjectedBy>;
export type MessagePayload = z.infer<typeof schemas.MessagePayload>;
export type ToolResultPayload = z.infer<typeof schemas.ToolResultPayload>;

/**
 * Where an event comes from: one native record. `record` is its ordinal in this read (from 0, over all the
 * session's files); `file` indexes the session's evidence files; `offset` and `length` are bytes in it.
 */
export interface Origin {
  record: number;
  file: number;
  offset: number;
  length: number;
}

/** An event of type T. `time` is ISO 8601, absent where the source has none. */
export interface EventOf<T extends EventType> {
  type: T;
  payload: Payloads[T];
  /** The source's own id of it; with session and type it makes the event's identity. */
  nativeId?: string;
  time?: string;
  /** `time` is no time of the source but the nearest one known. */
  timeInferred?: boolean;
  turnId?: string;
  /** Set on events of an abandoned branch: its id, the native id of its last record. */
  branch?: string;
  /** On a branch's first event: the `nativeId` of the event it departs from. */
  branchFrom?: string;
  /** Every native record it was made of. Empty only for what we made ourselves. */
  origin: readonly Origin[];
}

export type SessionEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Makes an event; sugar that keeps the union typed. */
export function event<T extends EventType>(
  type: T,
  payload: Payloads[T],
  rest: Omit<EventOf<T>, "type" | "payload">,
): EventOf<T> {
  return { type, payload, ...rest };
}
