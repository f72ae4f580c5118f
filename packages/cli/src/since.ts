/** `--since`: `7d`, `12h`, `2w`, or a date. */
import { InvalidArgumentError } from "commander";

const HOURS = { h: 1, d: 24, w: 24 * 7 } as const;

/** ISO 8601. @throws InvalidArgumentError */
export function since(text: string, now: Date = new Date()): string {
  const span = /^(\d+)\s*([hdw])$/i.exec(text.trim());
  if (span) {
    const hours = Number(span[1]) * HOURS[span[2]?.toLowerCase() as keyof typeof HOURS];
    const then = new Date(now.getTime() - hours * 3_600_000);
    if (!Number.isNaN(then.getTime())) return then.toISOString();
  }
  // A date alone means that day here, not in Greenwich.
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text);
  // The engine's own reading of dates is generous: "7" would be a July.
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError(`"${text}" is no time. Say 12h, 7d, 2w, 2026-11-30 or 2026-11-30T12:00Z.`);
  }
  return date.toISOString();
}
