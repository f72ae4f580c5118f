/** Which record a resume would start from, and how records are linked: the rules of the program, measured (README). */
import { flag, isChain, isTalk, kinds } from "./kinds.js";
import { DANGLING, type Records, ROOT } from "./records.js";

/** A record whose parent is missing is joined to the newest one at most so much older. */
const REJOIN_MS = 5000;

/** The links between records: progress records bridged, missing parents replaced where the program does it. */
export class Links {
  readonly records: Records;
  /** Records whose missing parent was replaced by a neighbour. */
  readonly rejoined = new Set<number>();
  readonly #joined = new Map<number, number>();
  #byTime: number[] | undefined;

  constructor(records: Records) {
    this.records = records;
  }

  /** The parent of a record as the program sees it, or ROOT. */
  parentOf(record: number): number {
    const { parent, kind } = this.records;
    let at = parent[record] as number;
    let steps = 0;
    while (at >= 0 && kind[at] === kinds.progress && steps++ <= this.records.count) at = parent[at] as number;
    if (at === DANGLING || at === record || steps > this.records.count) return this.rejoin(record);
    return at;
  }

  /**
   * Instead of a parent that is missing, or that would close a circle: the program's own choice; where it finds
   * none, and would silently lose all that came before, what was last said before it in the file.
   */
  rejoin(record: number): number {
    let found = this.#joined.get(record);
    if (found !== undefined) return found;
    found = this.#neighbour(record);
    if (found === ROOT) found = this.saidBefore(record);
    this.#joined.set(record, found);
    if (found !== ROOT) this.rejoined.add(record);
    return found;
  }

  /** What was last said in the file before a record, by the same agent. */
  saidBefore(record: number): number {
    const { kind, flags } = this.records;
    const side = (flags[record] as number) & flag.sidechain;
    for (let i = record - 1; i >= 0; i--) {
      const own = flags[i] as number;
      if (!isTalk(kind[i] as number) || own & flag.replaced || (own & flag.sidechain) !== side) continue;
      if (!this.#descends(i, record)) return i;
    }
    return ROOT;
  }

  #neighbour(record: number): number {
    const { time, flags } = this.records;
    const own = time[record] as number;
    if (Number.isNaN(own)) return ROOT;
    this.#byTime ??= this.#sorted();
    const order = this.#byTime;
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((time[order[middle] as number] as number) <= own) low = middle + 1;
      else high = middle;
    }
    const side = (flags[record] as number) & flag.sidechain;
    for (let i = low - 1; i >= 0; i--) {
      const other = order[i] as number;
      if (own - (time[other] as number) > REJOIN_MS) break;
      if (
        other !== record &&
        ((flags[other] as number) & flag.sidechain) === side &&
        !this.#descends(other, record)
      )
        return other;
    }
    return ROOT;
  }

  #sorted(): number[] {
    const { count, kind, flags, time } = this.records;
    const order: number[] = [];
    for (let i = 0; i < count; i++) {
      if (
        isChain(kind[i] as number) &&
        !((flags[i] as number) & flag.replaced) &&
        !Number.isNaN(time[i] as number)
      )
        order.push(i);
    }
    return order.sort((a, b) => (time[a] as number) - (time[b] as number) || a - b);
  }

  /** By written links only: `record` stands somewhere above `below`. */
  #descends(below: number, record: number): boolean {
    const { parent, count } = this.records;
    for (let at = below, steps = 0; at >= 0 && steps <= count; at = parent[at] as number, steps++)
      if (at === record) return true;
    return false;
  }
}

/**
 * The record a resume starts from, or -1 if nothing was said: the last one in file order, unless the last
 * `last-prompt` names one that it does not descend from.
 */
export function leafOf(records: Records, links: Links): number {
  const last = lastInFile(records, links);
  const pointer = records.lastPrompt;
  const named = pointer ? records.byUuid.get(pointer.leaf) : undefined;
  if (!pointer || named === undefined || !isChain(records.kind[named] as number)) return last;
  // On a subagent's record the program finds no conversation at all; the main line is of more use.
  if (
    (records.flags[named] as number) & flag.sidechain &&
    last !== -1 &&
    !((records.flags[last] as number) & flag.sidechain)
  )
    return last;
  if (last === -1) return named;
  const follows = descends(links, last, named);
  return follows && (!pointer.explicit || last > pointer.at) ? last : named;
}

function lastInFile(records: Records, links: Links): number {
  const { count, kind, flags } = records;
  let sidechain = -1;
  for (let i = count - 1; i >= 0; i--) {
    if (!isChain(kind[i] as number) || (flags[i] as number) & flag.replaced) continue;
    if ((flags[i] as number) & flag.sidechain) {
      if (sidechain === -1) sidechain = i;
    } else if (hasTalk(links, i)) return i;
  }
  return sidechain;
}

/** It or one above it says something: a boundary written last, without its summary, is no leaf. */
function hasTalk(links: Links, from: number): boolean {
  const { kind, count } = links.records;
  for (let at = from, steps = 0; at >= 0 && steps <= count; at = links.parentOf(at), steps++) {
    if (isTalk(kind[at] as number)) return true;
  }
  return false;
}

function descends(links: Links, from: number, ancestor: number): boolean {
  const { count } = links.records;
  for (let at = from, steps = 0; at >= 0 && steps <= count; at = links.parentOf(at), steps++)
    if (at === ancestor) return true;
  return false;
}
