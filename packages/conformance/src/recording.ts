/** A ledger that remembers every entry: the core's own keeps sums and the first places only. */
import { type Axis, type EventOf, type EventType, type Loss, LossLedger } from "@asp-convert/core";

type Words = Pick<Loss, "axis" | "level" | "reason"> & { count?: number };
type WithOrigin = Pick<EventOf<EventType>, "origin">;

export interface LossEntry extends Words {
  /** `left`: of a whole event. `noted`: of a part of something that arrived otherwise. */
  how: "left" | "noted";
  /** Ordinals; empty if the entry names none. */
  records: readonly number[];
}

export class RecordingLedger extends LossLedger {
  /** Ordinals that `mapped` was called with. */
  readonly arrived = new Set<number>();
  readonly entries: LossEntry[] = [];
  /** How many records were counted. */
  records = 0;

  override record(): number {
    this.records++;
    return super.record();
  }

  override mapped(event: WithOrigin, ...axes: readonly Axis[]): void {
    for (const { record } of event.origin) this.arrived.add(record);
    super.mapped(event, ...axes);
  }

  override leave(event: WithOrigin, loss: Words): void {
    this.entries.push({ ...loss, how: "left", records: event.origin.map(({ record }) => record) });
    super.leave(event, loss);
  }

  override note(loss: Words, record?: number, item?: string): void {
    this.entries.push({ ...loss, how: "noted", records: record === undefined ? [] : [record] });
    super.note(loss, record, item);
  }
}
