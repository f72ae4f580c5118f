/** The lines of a rollout in the making, dated. They stay apart: joined, they would only be taken apart again to be encoded. */
import { isoTime } from "@asp-convert/core/values";

export class Lines {
  #lines: string[] = [];
  #size = 0;
  #time: string;

  constructor(created: string) {
    this.#time = created;
  }

  /** Of the last line: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  /** From here on, lines are of this time. False: it is none, and the one before holds on. */
  at(time: string | undefined): boolean {
    const valid = isoTime(time);
    if (valid !== undefined) this.#time = valid;
    return valid !== undefined;
  }

  /** @param payload JSON text. */
  add(type: string, payload: string): void {
    const line = `{"timestamp":"${this.#time}","type":"${type}","payload":${payload}}\n`;
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
