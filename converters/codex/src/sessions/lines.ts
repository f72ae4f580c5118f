/** The lines of a rollout in the making, dated. */
import { TextPieces } from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";

export class Lines {
  readonly #bytes = new TextPieces();
  #time: string;
  #last: string;

  #ordinal: number | undefined;

  /** @param ordinal of the first line, where lines are numbered. */
  constructor(created: string, ordinal?: number) {
    this.#time = created;
    this.#last = created;
    this.#ordinal = ordinal;
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
    const numbered = this.#ordinal === undefined ? "" : `"ordinal":${this.#ordinal++},`;
    // One by one: joined, they would be copied once more.
    this.#bytes.add(`{"timestamp":"${time}",${numbered}"type":"${type}","payload":`);
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
