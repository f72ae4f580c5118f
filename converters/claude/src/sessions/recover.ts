/**
 * Parallel calls make false forks: each result hangs on its own call's record, and the next message only on
 * one of them. The program gathers what belongs to a message that is on its path, and so does this: the
 * message's other records, the results of its calls, and what hangs on these that no person typed.
 */
import { flag, isChain, kinds } from "./kinds.js";
import type { Links } from "./leaf.js";
import { NO_GROUP, type Records } from "./records.js";

/** The path with what was gathered put in its place. Marks that as used. */
export function recover(records: Records, links: Links, path: readonly number[], used: Uint8Array): number[] {
  if (path.length === 0) return [];
  const strays = straysOf(records, links, path, used);
  if (strays.size === 0) return [...path];
  const places = placesOf(records, path, strays);

  const out: number[] = [];
  let waiting: number[] = []; // gathered, in file order, for the stretch being passed
  const settle = (before: number): void => {
    while (waiting.length > 0 && (waiting[0] as number) < before) out.push(waiting.shift() as number);
  };
  for (const record of path) {
    settle(
      records.kind[record] === kinds.assistant || !follows(records, record)
        ? Number.POSITIVE_INFINITY
        : record,
    );
    out.push(record);
    const found = places.get(record);
    if (!found) continue;
    // The message's other records come right after it, the rest in file order among what follows.
    out.push(...found.filter((i) => records.kind[i] === kinds.assistant));
    waiting = found.filter((i) => records.kind[i] !== kinds.assistant);
  }
  settle(Number.POSITIVE_INFINITY);
  return out;
}

/**
 * Record of a message on the path → what is put after it: the last of the message's records that stands before
 * the stray in the file, or the first one. (Some gateways give every message of a session one id.)
 */
function placesOf(
  records: Records,
  path: readonly number[],
  strays: ReadonlyMap<number, readonly number[]>,
): Map<number, number[]> {
  const members = new Map<number, number[]>();
  for (const i of path) {
    if (records.kind[i] !== kinds.assistant) continue;
    const group = groupOf(records, i);
    if (!strays.has(group)) continue;
    const known = members.get(group);
    if (known) known.push(i);
    else members.set(group, [i]);
  }
  const places = new Map<number, number[]>();
  for (const [group, found] of strays) {
    const own = members.get(group) ?? [];
    for (const i of found) {
      const place = own.findLast((member) => member < i) ?? own[0];
      if (place === undefined) continue;
      const there = places.get(place);
      if (there) there.push(i);
      else places.set(place, [i]);
    }
  }
  return places;
}

/** Records that may stand between a call and the next message: results, attachments, what nobody typed. */
function follows(records: Records, i: number): boolean {
  const flags = records.flags[i] as number;
  return records.kind[i] !== kinds.user || (flags & (flag.result | flag.meta)) !== 0;
}

/** A number per message; a record without `message.id` is a message of its own. */
function groupOf(records: Records, i: number): number {
  const group = records.group[i];
  return group === undefined || group === NO_GROUP ? -2 - i : group;
}

/** Per message on the path: what belongs to it but lies beside the path, in file order. */
function straysOf(
  records: Records,
  links: Links,
  path: readonly number[],
  used: Uint8Array,
): Map<number, number[]> {
  const onPath = new Set<number>();
  for (const i of path) if (records.kind[i] === kinds.assistant) onPath.add(groupOf(records, i));
  /** Which message a record hangs on: calls, results and what follows them. */
  const owner = new Map<number, number>();
  const resultOwner = (i: number): number | undefined => {
    if (records.kind[i] === kinds.assistant)
      return onPath.has(groupOf(records, i)) && hasCall(records, i) ? groupOf(records, i) : undefined;
    return owner.get(i);
  };
  const strays = new Map<number, number[]>();
  const followers: number[] = [];
  const hangs = hangingOn(records, links, path);
  for (let i = 0; i < records.count; i++) {
    const kind = records.kind[i] as number;
    const flags = records.flags[i] as number;
    if (!isChain(kind) || flags & flag.replaced) continue;
    if (kind === kinds.assistant) {
      if (!used[i] && records.group[i] !== NO_GROUP && onPath.has(groupOf(records, i)) && hangs(i))
        take(groupOf(records, i), i);
      continue;
    }
    const parent = links.parentOf(i);
    if (parent < 0) continue;
    const message = resultOwner(parent);
    if (message === undefined) continue;
    if (kind === kinds.user && flags & flag.result) {
      if (records.kind[parent] !== kinds.assistant && used[i] === 0) continue;
      owner.set(i, message);
      if (!used[i]) take(message, i);
    } else if (kind !== kinds.user || flags & flag.meta) {
      if (used[i]) continue;
      owner.set(i, message);
      followers.push(i);
    }
  }
  takeFollowers();
  for (const found of strays.values()) found.sort((a, b) => a - b);
  return strays;

  function take(message: number, i: number): void {
    const found = strays.get(message);
    if (found) found.push(i);
    else strays.set(message, [i]);
    used[i] = 1;
  }

  /** Not those that lead on to something said: that is a branch. */
  function takeFollowers(): void {
    if (followers.length === 0) return;
    const leading = new Set<number>();
    for (let i = records.count - 1; i >= 0; i--) {
      if (used[i] || !isChain(records.kind[i] as number)) continue;
      const parent = links.parentOf(i);
      if (parent >= 0 && (leading.has(i) || !owner.has(i))) leading.add(parent);
    }
    for (const i of followers) if (!leading.has(i)) take(owner.get(i) as number, i);
  }
}

/** Is a record of the path somewhere above it? Another tree's message of the same id is another message. */
function hangingOn(records: Records, links: Links, path: readonly number[]): (record: number) => boolean {
  const known = new Uint8Array(records.count); // 0: not known, YES or NO
  for (const i of path) known[i] = YES;
  return (record) => {
    const passed: number[] = [];
    let at = record;
    while (at >= 0 && known[at] === 0) {
      passed.push(at);
      known[at] = NO; // a circle hangs on nothing
      at = links.parentOf(at);
    }
    const answer = at >= 0 ? (known[at] as number) : NO;
    for (const each of passed) known[each] = answer;
    return answer === YES;
  };
}

const YES = 1;
const NO = 2;

function hasCall(records: Records, i: number): boolean {
  return ((records.flags[i] as number) & flag.call) !== 0;
}
