/** What both readers make of an update. */
import type { Origin, SessionEvent } from "@asp-convert/core";
import { fields, list } from "@asp-convert/core/values";

/** Something that no event has a place for. `reason`: it was meant for one and is not of its form. */
export function unknown(nativeType: string, value: unknown, origin: Origin[], reason?: string): SessionEvent {
  const axis = reason === undefined ? "side-records" : "raw";
  const payload = { nativeType, axis, value, ...(reason !== undefined && { reason }) };
  return { type: "unknown.observed", payload, origin };
}

/** Values by option id. */
export function chosen(options: unknown): Record<string, string | boolean> {
  return Object.fromEntries(
    list(options).flatMap((each): [string, string | boolean][] => {
      const { id, currentValue } = fields(each) ?? {};
      const fits = typeof currentValue === "string" || typeof currentValue === "boolean";
      return typeof id === "string" && fits ? [[id, currentValue]] : [];
    }),
  );
}
