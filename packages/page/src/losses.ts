/** Every loss of a conversion where it was, gathered while it is planned. */
import type { Loss, LossWatcher } from "@asp-convert/core";

export type LossKind = Pick<Loss, "axis" | "level" | "reason">;

/** `kind` indexes the kinds of the page's losses. */
export interface Mark {
  kind: number;
  count: number;
  item?: string;
}

type Places = Map<number, Mark[]>;

/** Where no record is known. */
export const NOWHERE = -1;

export class SeenLosses {
  readonly kinds: LossKind[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #sessions = new Map<string, Places>();

  /** For `watchLosses` of a request: a session that is begun anew loses what was told of it before. */
  readonly watch = (session: string): LossWatcher => {
    const places: Places = new Map();
    this.#sessions.set(session, places);
    return ({ axis, level, reason, count }, record = NOWHERE, item) => {
      const kind = this.#indexOf({ axis, level, reason });
      const marks = places.get(record) ?? [];
      places.set(record, marks);
      const same = marks.find((mark) => mark.kind === kind && mark.item === item);
      if (same) same.count += count;
      else marks.push({ kind, count, ...(item !== undefined && { item }) });
    };
  };

  /** What was lost of a record; it is not given again. */
  take(session: string, record: number): Mark[] {
    const places = this.#sessions.get(session);
    const marks = places?.get(record) ?? [];
    places?.delete(record);
    return marks;
  }

  /** What no record that was shown is the place of. */
  rest(session: string): [record: number, marks: Mark[]][] {
    const places = this.#sessions.get(session) ?? new Map<number, Mark[]>();
    const rest = [...places];
    places.clear();
    return rest;
  }

  /** By kind, over all sessions: the same sums as a comparison's losses. Asked before anything is taken. */
  sums(): number[] {
    const sums = this.kinds.map(() => 0);
    for (const places of this.#sessions.values())
      for (const marks of places.values())
        for (const { kind, count } of marks) sums[kind] = (sums[kind] ?? 0) + count;
    return sums;
  }

  #indexOf(kind: LossKind): number {
    const key = `${kind.axis} ${kind.level} ${kind.reason}`;
    const index = this.#indexes.get(key) ?? this.kinds.push(kind) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
