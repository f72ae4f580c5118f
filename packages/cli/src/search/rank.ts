/** Which find comes first: recency and match. */
import type { SessionRef } from "@asp-convert/core";

export interface Find {
  ref: SessionRef;
  /** Where it was found first: the title counts most. */
  in: "title" | "id" | "cwd" | "text";
  /** Of the text, raw. */
  snippet?: string;
}

const WEIGHT = { title: 1, id: 1, cwd: 0.4, text: 0.2 } as const;
/** After so many days a session counts half. */
const HALF_LIFE = 14;
const DAY = 86_400_000;

/** The best first. A title found a month ago stands before a word that was said this morning. */
export function ranked(finds: readonly Find[], now: number = Date.now()): Find[] {
  const score = ({ ref, in: where }: Find) => {
    const time = Date.parse(ref.updatedAt ?? ref.createdAt ?? "");
    const days = Number.isNaN(time) ? Number.POSITIVE_INFINITY : Math.max(0, now - time) / DAY;
    return WEIGHT[where] + 2 ** (-days / HALF_LIFE);
  };
  return finds
    .map((find) => ({ find, score: score(find) }))
    .sort((a, b) => b.score - a.score || newer(a.find.ref, b.find.ref))
    .map(({ find }) => find);
}

function newer(a: SessionRef, b: SessionRef): number {
  const [left, right] = [a.updatedAt ?? a.createdAt ?? "", b.updatedAt ?? b.createdAt ?? ""];
  return left < right ? 1 : left > right ? -1 : a.id < b.id ? -1 : 1;
}

/** Found by what the list shows of it, without its text. */
export function foundInHead(ref: SessionRef, pattern: RegExp): Find["in"] | undefined {
  if (ref.title !== undefined && pattern.test(ref.title)) return "title";
  if (pattern.test(ref.id)) return "id";
  if (ref.cwd !== undefined && pattern.test(ref.cwd)) return "cwd";
  return undefined;
}
