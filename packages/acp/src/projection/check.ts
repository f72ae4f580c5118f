/** What comes over the wire as an event's payload or a block is checked before anybody works with it. */
import type { Block, EventType, SessionEvent } from "@asp-convert/core";
import { Block as BlockForm, eventTypes, payloads } from "@asp-convert/core/schema";

const known = new Set<string>(eventTypes);

/** Where something is not as it must be, in words. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problem: string };

export function isBlock(value: unknown): value is Block {
  return BlockForm.safeParse(value).success;
}

export function checkedEvent(type: string, head: object, payload: unknown): Checked<SessionEvent> {
  if (!known.has(type)) return { ok: false, problem: `there is no event "${type}"` };
  const parsed = payloads[type as EventType].safeParse(payload);
  if (parsed.success) return { ok: true, value: { ...head, type, payload } as SessionEvent };
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    problem: `${type}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not as it must be"}`,
  };
}
