/** Conversations on their way in: parts are kept in private temporary files until the last one is there. */
import { lineBatches, type Source, type Spooled, spool } from "@asp-convert/core";
import type { WireSession } from "../forms/state.js";

/** One conversation that is whole: what it says of itself, and its updates as often as they are asked for. */
export interface Arrived {
  head: WireSession;
  updates: () => AsyncIterable<unknown>;
  children: Arrived[];
}

interface Coming {
  head: WireSession;
  parts: Spooled[];
}

/** Parts of one session; a peer that sends more than this means no good. */
const MAX_PARTS = 10_000;
/** Sessions that wait for their next part, or for the one they belong to. */
const MAX_WAITING = 10_000;

export class Staging {
  readonly #source: Source;
  readonly #coming = new Map<string, Coming>();
  /** Sessions of subagents that are whole, by the session they belong to. */
  readonly #children = new Map<string, Arrived[]>();
  readonly #spooled: Spooled[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  /** Ids of those that are not whole yet. */
  get waiting(): string[] {
    return [...this.#coming.values()].map(({ head }) => head.sessionId);
  }

  /** Takes in what came; gives back the conversations that are whole now. @throws Error in words. */
  async add(sessions: readonly WireSession[], children: readonly WireSession[]): Promise<Arrived[]> {
    for (const child of children) {
      const arrived = await this.#take(child, "child");
      const parent = child._meta?.asp?.parent?.id;
      if (!arrived || parent === undefined) continue;
      const siblings = this.#children.get(parent) ?? [];
      siblings.push({ ...arrived, children: this.#belonging(child.sessionId) });
      this.#children.set(parent, siblings);
      if (this.#children.size > MAX_WAITING)
        throw new Error("too many sessions wait for the one they belong to");
    }
    const whole: Arrived[] = [];
    for (const session of sessions) {
      const arrived = await this.#take(session, "session");
      if (arrived) whole.push({ ...arrived, children: this.#belonging(session.sessionId) });
    }
    return whole;
  }

  /** Removes every temporary file. */
  clear(): void {
    for (const { remove } of this.#spooled.splice(0)) remove();
    this.#coming.clear();
    this.#children.clear();
  }

  #belonging(id: string): Arrived[] {
    const children = this.#children.get(id) ?? [];
    this.#children.delete(id);
    return children;
  }

  async #take(session: WireSession, as: string): Promise<Arrived | undefined> {
    const { part, more } = session._meta?.asp ?? {};
    const { updates } = session;
    if (part === undefined) return { head: session, updates: () => each(updates), children: [] };
    const key = `${as} ${session.sessionId}`;
    if (part === 0) this.#coming.set(key, { head: { ...session, updates: [] }, parts: [] });
    const coming = this.#coming.get(key);
    if (coming?.parts.length !== part)
      throw new Error(
        `session ${session.sessionId}: part ${part} came, and not ${coming?.parts.length ?? 0}`,
      );
    if (part >= MAX_PARTS || this.#coming.size > MAX_WAITING) throw new Error("too many parts");
    const kept = await spool(asLines(updates), "updates.ndjson");
    this.#spooled.push(kept);
    coming.parts.push(kept);
    if (more === true) return undefined;
    this.#coming.delete(key);
    const source = this.#source;
    return { head: coming.head, updates: () => fromLines(coming.parts, source), children: [] };
  }
}

async function* each(values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
}

async function* asLines(values: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

async function* fromLines(parts: readonly Spooled[], source: Source): AsyncGenerator<unknown> {
  for (const { path } of parts) {
    const file = await source.open(path);
    try {
      for (const batch of lineBatches(file))
        for (const { bytes } of batch) if (bytes) yield JSON.parse(bytes.toString("utf8")) as unknown;
    } finally {
      file.close();
    }
  }
}
