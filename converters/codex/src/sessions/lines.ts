/** The lines of a rollout in the making, dated. */
import { TextPieces } from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";

export class Lines {
  readonly #bytes = new TextPieces();
  #time: string;
  #last: string;

  constructor(created: string) {
    this.#time = created;
    this.#last = created;
  }

  /** Of what is being written: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  /** From here on, lines are of this time. False: it is none, and the one before holds on. */
  at(time: string | undefined): boolean {
    const valid = isoTime(time);
    if (valid !== undefined) this.#time = valid;
    return valid !== undefined;
  }

  /** Of the last line that was added. */
  get last(): string {
    return this.#last;
  }

  /** @param payload JSON text. @param time of the line, if not the one at hand. */
  add(type: string, payload: string, time: string = this.#time): void {
    this.#last = time;
    // One by one: joined, they would be copied once more.
    this.#bytes.add(`{"timestamp":"${time}","type":"${type}","payload":`);
    this.#bytes.add(payload);
    this.#bytes.add("}\n");
  }

  /** What there is to write so far. */
  take(): readonly Buffer[] {
    return this.#bytes.take();
  }

  end(): readonly Buffer[] {
    return this.#bytes.end();
  }
}
