/**
 * The account of one session's conversion. Every native record that was read must end as mapped, as
 * evidence only, or as declared lost; a record in none of the three is a bug and fails the conversion.
 * A record that several events were made of counts as mapped if any of them was.
 */
import type { EventOf, EventType, Origin } from "../session/event.js";
import type { Axis, Level } from "./axes.js";
import type { Reason } from "./reasons.js";

/** What was lost, summed over places. `places` holds the first few only; `count` is exact. */
export interface Loss {
  kind: "sessions" | "instructions" | "skills" | "tools" | "memory" | "settings";
  axis: Axis;
  level: Exclude<Level, "preserved">;
  reason: Reason;
  count: number;
  places: Place[];
}

export interface Place {
  session?: string | undefined;
  record?: number | undefined;
  /** For what is no record: a name, a path, a key. */
  item?: string | undefined;
}

export interface Account {
  read: number;
  mapped: number;
  evidence: number;
  lost: number;
}

/** A loss as it is told, one call at a time: what adds up to `losses`. */
export type LossWatcher = (
  loss: Omit<Loss, "kind" | "places">,
  record: number | undefined,
  item: string | undefined,
) => void;

type LossWords = Pick<Loss, "axis" | "level" | "reason"> & { count?: number };
type WithOrigin = Pick<EventOf<EventType>, "origin">;

const PLACES_KEPT = 5;
const PENDING = 1;
const LOST = 2;
const EVIDENCE = 3;
const MAPPED = 4;

/** Thrown when the account does not add up: a reader or writer forgot records. */
export class AccountError extends Error {
  override name = "AccountError";
  /** The session, and the ordinals of the first unaccounted records. */
  readonly session: string;
  readonly records: readonly number[];
  constructor(session: string, records: readonly number[], total: number) {
    super(
      `session ${session}: ${total} native record(s) were read but neither mapped, kept as evidence nor declared lost ` +
        `(first: ${records.join(", ")}). This is a bug of the converter; nothing was written.`,
    );
    this.session = session;
    this.records = records;
  }
}

export class LossLedger {
  readonly session: string;
  readonly #kept = new Map<Axis, number>();
  /** A few dozen at most: they are found sooner by looking at each than by a key made of three words. */
  readonly #losses: Loss[] = [];
  #state = new Uint8Array(1024);
  #records = 0;
  readonly #watcher: LossWatcher | undefined;

  constructor(session: string, watcher?: LossWatcher) {
    this.session = session;
    this.#watcher = watcher;
  }

  /** A native record was read. Returns its ordinal, to be put into the events made of it. */
  record(): number {
    if (this.#records === this.#state.length) {
      const larger = new Uint8Array(this.#state.length * 2);
      larger.set(this.#state);
      this.#state = larger;
    }
    this.#state[this.#records] = PENDING;
    return this.#records++;
  }

  /** The writer took this event; `axes` are what of it arrived, for the tally people see. */
  mapped(event: WithOrigin, ...axes: readonly Axis[]): void {
    this.#settle(event.origin, MAPPED);
    for (const axis of axes) this.keep(axis);
  }

  /** Counts something that arrived, on top of `mapped` (a block of a message, the title …). */
  keep(axis: Axis, count = 1): void {
    this.#kept.set(axis, (this.#kept.get(axis) ?? 0) + count);
  }

  /** The writer did not take this event as a whole: its records become evidence or lost. */
  leave(event: WithOrigin, loss: LossWords): void {
    this.#settle(event.origin, loss.level === "evidence-only" || loss.level === "partial" ? EVIDENCE : LOST);
    this.#add(loss, event.origin[0]?.record);
  }

  /** A part of something that was otherwise mapped did not arrive as it was. `item`: for what is no record, a name or path. */
  note(loss: LossWords, record?: number, item?: string): void {
    this.#add(loss, record, item);
  }

  get kept(): ReadonlyMap<Axis, number> {
    return this.#kept;
  }

  get losses(): Loss[] {
    return [...this.#losses];
  }

  /** The sums. @throws AccountError if a record is in none of the three. */
  settle(): Account {
    const sums = [0, 0, 0, 0, 0];
    const open: number[] = [];
    for (let i = 0; i < this.#records; i++) {
      const state = this.#state[i] as number;
      sums[state] = (sums[state] as number) + 1;
      if (state === PENDING && open.length < PLACES_KEPT) open.push(i);
    }
    if (sums[PENDING]) throw new AccountError(this.session, open, sums[PENDING]);
    return {
      read: this.#records,
      mapped: sums[MAPPED] as number,
      evidence: sums[EVIDENCE] as number,
      lost: sums[LOST] as number,
    };
  }

  #settle(origin: readonly Origin[], state: number): void {
    for (const { record } of origin) {
      if (state > (this.#state[record] as number)) this.#state[record] = state;
    }
  }

  #add({ axis, level, reason, count = 1 }: LossWords, record: number | undefined, item?: string): void {
    let loss = this.#losses.find(
      (each) => each.axis === axis && each.reason === reason && each.level === level,
    );
    if (!loss) {
      loss = { kind: "sessions", axis, level: level as Loss["level"], reason, count: 0, places: [] };
      this.#losses.push(loss);
    }
    loss.count += count;
    this.#watcher?.({ axis, level: loss.level, reason, count }, record, item);
    if ((record !== undefined || item !== undefined) && loss.places.length < PLACES_KEPT) {
      loss.places.push({
        session: this.session,
        ...(record !== undefined && { record }),
        ...(item !== undefined && { item }),
      });
    }
  }
}
