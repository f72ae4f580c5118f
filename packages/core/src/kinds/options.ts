/**
 * Everybody's words for what harnesses call differently, and the way from one scale to another. A converter
 * maps its own values to these and back; it never knows another harness's.
 */
import { isObject } from "./mcp.js";

/** How hard the model thinks, least first. A harness has some of these. */
export const thoughtLevels = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"] as const;

/**
 * What a session may do unasked, narrowest first. A target takes the same or the nearest narrower one.
 * `plan`: reads and plans. `deny`: what is not allowed beforehand is refused unasked. `ask`: asks before
 * edits and commands. `edit`: edits files unasked. `sandbox`: edits and runs commands unasked, held in by a
 * sandbox. `auto`: runs unasked what a reviewer finds safe. `full`: everything unasked.
 */
export const modes = ["plan", "deny", "ask", "edit", "sandbox", "auto", "full"] as const;

export type Mode = (typeof modes)[number];
export type ThoughtLevel = (typeof thoughtLevels)[number];

/**
 * The widest of `offered` that allows no more than `wanted`; undefined if all allow more.
 * `exact`: it is the same word.
 */
export function narrowest<M extends Mode>(
  wanted: Mode,
  offered: readonly M[],
): { mode: M; exact: boolean } | undefined {
  const limit = modes.indexOf(wanted);
  let best: M | undefined;
  for (const mode of offered) {
    const at = modes.indexOf(mode);
    if (at <= limit && (best === undefined || at > modes.indexOf(best))) best = mode;
  }
  return best === undefined ? undefined : { mode: best, exact: best === wanted };
}

/** The nearest of `offered`, the lower one of two equally near. */
export function nearestLevel<L extends ThoughtLevel>(
  wanted: ThoughtLevel,
  offered: readonly L[],
): { level: L; exact: boolean } | undefined {
  const target = thoughtLevels.indexOf(wanted);
  let best: L | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const level of [...offered].sort((a, b) => thoughtLevels.indexOf(a) - thoughtLevels.indexOf(b))) {
    const d = Math.abs(thoughtLevels.indexOf(level) - target);
    if (d < distance) [best, distance] = [level, d];
  }
  return best === undefined ? undefined : { level: best, exact: best === wanted };
}

export function isMode(word: string | undefined): word is Mode {
  return (modes as readonly (string | undefined)[]).includes(word);
}

export function isThoughtLevel(word: string | undefined): word is ThoughtLevel {
  return (thoughtLevels as readonly (string | undefined)[]).includes(word);
}

export type Scalar = string | boolean | number;

/** `compaction: {auto: true}` as `compaction.auto`; undefined for what is no plain value. */
export function scalarsIn(key: string, value: unknown): [id: string, value: Scalar | undefined][] {
  if (isScalar(value)) return [[key, value]];
  const inner = isObject(value) ? Object.entries(value) : [];
  if (inner.length === 0 || !inner.every(([name, one]) => isScalar(one) && /^\w+$/.test(name)))
    return [[key, undefined]];
  return inner.map(([name, one]) => [`${key}.${name}`, one as Scalar]);
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number";
}
