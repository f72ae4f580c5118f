/**
 * The order in which a transcript's records are to be read: what came before compactions (shown, no longer
 * sent), what the program sends, then the branches a person left, and where the rest belongs.
 */
import { flag, isChain, isTalk, kinds } from "./kinds.js";
import { Links, leafOf } from "./leaf.js";
import { type Records, ROOT } from "./records.js";
import { recover } from "./recover.js";

/** A compaction: the model sees nothing from before it. */
export interface Cut {
  /** The boundary's record. */
  boundary: number;
  /** What the model is given in place of what was before: the summary, and messages kept word for word. */
  context: readonly number[];
}

export interface Segment {
  /** What the segment begins with; undefined for the first. */
  cut?: Cut;
  /** Its records in order. */
  records: readonly number[];
}

export interface Branch {
  /** The record it departs from, or ROOT. */
  from: number;
  records: readonly number[];
}

export interface Chain {
  segments: readonly Segment[];
  branches: readonly Branch[];
  /** Records of subagents that stand in the file itself (old versions): root → all of its tree, in file order. */
  sidechains: ReadonlyMap<number, readonly number[]>;
  /** Records whose missing parent was replaced. */
  rejoined: ReadonlySet<number>;
}

/** What a boundary says was kept: `preservedMessages.uuids`, or the two ends of `preservedSegment`. */
export interface Preserved {
  anchor: string;
  uuids?: readonly string[];
  head?: string;
  tail?: string;
}

export interface ChainOptions {
  /** Read from the boundary's record. */
  preserved: (boundary: number) => Preserved | undefined;
  /** Start here instead of at the leaf: an inline subagent's last record. */
  leaf?: number;
  /** Sidechain records are the conversation itself (a subagent's own file). */
  sidechain?: boolean;
}

export function chainOf(records: Records, options: ChainOptions): Chain {
  const links = new Links(records);
  const used = new Uint8Array(records.count);
  const leaf = options.leaf ?? leafOf(records, links);
  const segments = new Segments(records, links, options, used).from(leaf);
  for (const { cut } of segments) {
    for (const i of cut?.context ?? []) used[i] = 1;
    if (cut) used[cut.boundary] = 1;
  }
  const whole = segments.map((segment) => ({
    ...segment,
    records: recover(records, links, segment.records, used),
  }));
  const own = options.sidechain || options.leaf !== undefined;
  const sidechains = own ? new Map<number, number[]>() : inlineSidechains(records, links, used);
  return {
    segments: whole,
    branches: branchesOf(records, links, used),
    sidechains,
    rejoined: links.rejoined,
  };
}

class Segments {
  readonly #records: Records;
  readonly #links: Links;
  readonly #used: Uint8Array;
  /** Boundary → what it kept, found in the file. */
  readonly #kept = new Map<number, readonly number[]>();
  readonly #relinked = new Map<number, number>();
  /** Summary → the last record that was kept, which is sent after it. */
  readonly #tails = new Map<number, number>();

  constructor(records: Records, links: Links, options: ChainOptions, used: Uint8Array) {
    this.#records = records;
    this.#links = links;
    this.#used = used;
    for (const boundary of records.boundaries) {
      const kept = keptOf(records, links, options.preserved(boundary));
      if (!kept) continue;
      this.#kept.set(boundary, kept.records);
      relink(records, kept, this.#relinked);
      this.#tails.set(kept.anchor, kept.records.at(-1) as number);
    }
  }

  from(leaf: number): Segment[] {
    // Where nothing was said after it, a summary is followed by what was kept all the same.
    const path = this.#walk(this.#tails.get(leaf) ?? leaf, this.#relinked);
    const cutAt = path.findLastIndex((i) => isBoundary(this.#records, i));
    const sent = path.slice(cutAt + 1);
    if (cutAt === -1) {
      this.#use(sent);
      return [{ records: sent }];
    }
    const boundary = path[cutAt] as number;
    const kept = new Set(this.#kept.get(boundary));
    const last = sent.findLastIndex((i) => kept.has(i) || isSummary(this.#records, i));
    const records = sent.slice(last + 1);
    this.#use(records);
    return [
      ...this.#history(this.#above(path, cutAt)),
      { cut: { boundary, context: sent.slice(0, last + 1) }, records },
    ];
  }

  /** The history that ends with `last`, by the records' own links and across boundaries, oldest segment first. */
  #history(last: number): Segment[] {
    const segments: Segment[] = [];
    for (let from = last; from >= 0; ) {
      const path = this.#walk(from, new Map());
      if (path.length === 0) break;
      const cutAt = path.findLastIndex((i) => isBoundary(this.#records, i));
      if (cutAt === -1) {
        this.#use(path);
        segments.unshift({ records: path });
        break;
      }
      const boundary = path[cutAt] as number;
      const after = path.slice(cutAt + 1);
      const summary = after.findIndex((i) => isSummary(this.#records, i));
      const records = after.slice(summary + 1);
      this.#use(records);
      const context = [...after.slice(0, summary + 1), ...(this.#kept.get(boundary) ?? [])];
      this.#used[boundary] = 1;
      segments.unshift({ cut: { boundary, context }, records });
      from = this.#above(path, cutAt);
    }
    return segments;
  }

  /** The record that a boundary stands after. */
  #above(path: readonly number[], cutAt: number): number {
    if (cutAt > 0) return path[cutAt - 1] as number;
    const boundary = path[0] as number;
    const named = this.#records.logicalParent.get(boundary);
    if (named !== undefined) return named;
    const before = this.#links.saidBefore(boundary);
    if (before !== ROOT) this.#links.rejoined.add(boundary);
    return before;
  }

  /** From `leaf` up to a root or to what is used already; records in reading order. */
  #walk(leaf: number, relinked: ReadonlyMap<number, number>): number[] {
    const path: number[] = [];
    const seen = new Uint8Array(this.#records.count);
    for (let at = leaf; at >= 0 && !this.#used[at]; ) {
      path.push(at);
      seen[at] = 1;
      let next = relinked.get(at) ?? this.#links.parentOf(at);
      if (next >= 0 && seen[next]) next = this.#links.rejoin(at);
      at = next >= 0 && seen[next] ? ROOT : next;
    }
    return path.reverse();
  }

  #use(records: readonly number[]): void {
    for (const i of records) this.#used[i] = 1;
  }
}

interface Kept {
  anchor: number;
  records: number[];
}

function keptOf(records: Records, links: Links, preserved: Preserved | undefined): Kept | undefined {
  const anchor = preserved && records.byUuid.get(preserved.anchor);
  if (anchor === undefined) return undefined;
  if (preserved?.uuids) {
    const found = preserved.uuids.map((uuid) => records.byUuid.get(uuid));
    return found.every((i) => i !== undefined) && found.length > 0 ? { anchor, records: found } : undefined;
  }
  const head = records.byUuid.get(preserved?.head ?? "");
  const tail = records.byUuid.get(preserved?.tail ?? "");
  if (head === undefined || tail === undefined) return undefined;
  const chain: number[] = [];
  for (let at = tail; at >= 0 && chain.length <= records.count; at = links.parentOf(at)) {
    chain.push(at);
    if (at === head) return { anchor, records: chain.reverse() };
  }
  return undefined;
}

/** What was kept is hung in after the anchor: the anchor's own children follow it. */
function relink(records: Records, { anchor, records: kept }: Kept, relinked: Map<number, number>): void {
  const own = new Set(kept);
  const tail = kept.at(-1) as number;
  for (let i = 0; i < records.count; i++) {
    if (
      isChain(records.kind[i] as number) &&
      !own.has(i) &&
      (relinked.get(i) ?? records.parent[i]) === anchor
    )
      relinked.set(i, tail);
  }
  kept.forEach((i, n) => {
    relinked.set(i, n === 0 ? anchor : (kept[n - 1] as number));
  });
}

function isBoundary(records: Records, i: number): boolean {
  return records.kind[i] === kinds.system && ((records.flags[i] as number) & flag.boundary) !== 0;
}

function isSummary(records: Records, i: number): boolean {
  return records.kind[i] === kinds.user && ((records.flags[i] as number) & flag.summary) !== 0;
}

function inlineSidechains(records: Records, links: Links, used: Uint8Array): Map<number, number[]> {
  const trees = new Map<number, number[]>();
  const rootOf = new Map<number, number>();
  for (let i = 0; i < records.count; i++) {
    const flags = records.flags[i] as number;
    if (used[i] || !isChain(records.kind[i] as number) || !(flags & flag.sidechain) || flags & flag.replaced)
      continue;
    const seen: number[] = [];
    let at = i;
    let root = i;
    while (
      at >= 0 &&
      !used[at] &&
      (records.flags[at] as number) & flag.sidechain &&
      seen.length <= records.count
    ) {
      const known = rootOf.get(at);
      root = known ?? at;
      if (known !== undefined) break;
      seen.push(at);
      at = links.parentOf(at);
    }
    for (const each of seen) rootOf.set(each, root);
    const tree = trees.get(root);
    if (tree) tree.push(i);
    else trees.set(root, [i]);
  }
  for (const tree of trees.values()) for (const i of tree) used[i] = 1;
  return trees;
}

/** What is left of the conversation, by the leaves it ends in, oldest leaf first. */
function branchesOf(records: Records, links: Links, used: Uint8Array): Branch[] {
  const hasChild = new Uint8Array(records.count);
  for (let i = 0; i < records.count; i++) {
    if (!isChain(records.kind[i] as number) || used[i]) continue;
    const parent = links.parentOf(i);
    if (parent >= 0) hasChild[parent] = 1;
  }
  const branches: Branch[] = [];
  for (let i = 0; i < records.count; i++) {
    if (
      used[i] ||
      hasChild[i] ||
      !isChain(records.kind[i] as number) ||
      (records.flags[i] as number) & flag.replaced
    )
      continue;
    const path: number[] = [];
    let at = i;
    while (at >= 0 && !used[at]) {
      path.push(at);
      used[at] = 1;
      at = links.parentOf(at);
    }
    path.reverse();
    if (path.some((each) => isTalk(records.kind[each] as number))) branches.push({ from: at, records: path });
    else for (const each of path) used[each] = 0;
  }
  return branches;
}
