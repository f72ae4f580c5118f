/**
 * What was taken back in a journal: nothing is ever removed from it. Today a record says that the talk goes on from an
 * earlier line; before, one said how many turns back it went. Lines are counted from 1.
 */
import { type Fields, name } from "@asp-convert/core/values";

export interface Track {
  /** What a person said, and where it begins; without a place: beyond this nothing can be taken back. */
  anchors: { at: number; cut: number | undefined }[];
  undos: { at: number; count: number }[];
  /** From this line on the talk is `branch`, and what it hangs on. `undo`: the line that says the same in the old way. */
  switches: { at: number; branch: string; from: string; line: number; undo?: number }[];
  /** The last line. */
  end: number;
}

/** Lines that the model no longer sees. */
export interface Stretch {
  from: number;
  to: number;
  /** What they hang on. */
  base: number;
}

const MAIN = "main";

/** The earliest first: of one inside another the inner one was taken back before. */
export function stretchesOf(track: Track): Stretch[] {
  const away = track.switches.length > 0 ? switched(track) : [];
  const paired = new Set(track.switches.flatMap(({ undo }) => undo ?? []));
  const isAway = (at: number) => away.some(({ from, to }) => at >= from && at <= to);
  let stack: number[] = [];
  let next = 0;
  for (const { at, count } of track.undos) {
    if (paired.has(at) || isAway(at) || !Number.isSafeInteger(count) || count <= 0) continue;
    for (let anchor = track.anchors[next]; anchor && anchor.at < at; anchor = track.anchors[++next]) {
      if (anchor.cut === undefined) stack = [];
      else if (!isAway(anchor.at)) stack.push(anchor.cut);
    }
    const cut = stack.at(-count);
    if (cut === undefined) continue;
    stack.length -= count;
    away.push({ from: cut, to: at - 1, base: cut - 1 });
  }
  return away.sort((a, b) => a.to - b.to);
}

/** All lines that the way back from the last one does not pass. A way that leads nowhere changes nothing. */
function switched({ switches, end }: Track): Stretch[] {
  const segments = new Map<string, { first: number; last: number; from: string | undefined; line: number }>();
  let open = { branch: MAIN, first: 1, from: undefined as string | undefined, line: 0 };
  const close = (last: number) => segments.set(open.branch, { ...open, last });
  for (const { at, branch, from, line } of switches) {
    close(at - 1);
    open = { branch, first: at + 1, from, line };
  }
  close(end);
  const kept: { first: number; last: number }[] = [];
  const seen = new Set<string>();
  let upTo = Number.POSITIVE_INFINITY;
  for (let branch: string | undefined = open.branch; branch !== undefined; ) {
    const segment = segments.get(branch);
    if (!segment || seen.has(branch)) return [];
    seen.add(branch);
    kept.push({ first: segment.first, last: Math.min(segment.last, upTo) });
    upTo = segment.line;
    branch = segment.from;
  }
  const away: Stretch[] = [];
  for (const { first, last, line } of segments.values()) {
    const own = kept.find((each) => each.first === first);
    if (!own) away.push({ from: first, to: last, base: line });
    else if (own.last < last) away.push({ from: own.last + 1, to: last, base: own.last });
  }
  return away.filter(({ from, to }) => from <= to);
}

/** Does a message of this origin begin a turn that can be taken back? */
export function isUndone(origin: Fields | undefined): boolean {
  if (origin?.inTurn === true) return false;
  if (origin === undefined || origin.kind === "user") return true;
  return (
    (origin.kind === "skill_activation" || origin.kind === "plugin_command") &&
    name(origin.trigger) === "user-slash"
  );
}
