/** The lines of a rollout in the making, dated. They stay apart: joined, they would only be taken apart again to be encoded. */
import { isoTime } from "@asp-convert/core/values";

export class Lines {
  #lines: string[] = [];
  #size = 0;
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
    const line = `{"timestamp":"${time}","type":"${type}","payload":${payload}}\n`;
    this.#lines.push(line);
    this.#size += line.length;
  }

  /** UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  take(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#size = 0;
    return lines;
  }
}
