/** An event's digest: the same for the same event wherever its record lies, so that a file that was moved about tells it once. */
import { hash } from "node:crypto";
import type { SessionEvent } from "@asp-convert/core";

/** 52 bits: whole in a number. */
export function digestOf(event: SessionEvent): number {
  const { origin: _, ...said } = event;
  return Number.parseInt(hash("sha1", JSON.stringify(said)).slice(0, 13), 16);
}
