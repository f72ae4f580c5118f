/** The lines of a rollout in the making: dated, and joined into pieces that are worth a write. */
import { isoTime } from "@asp-convert/core/values";

export class Lines {
  #text = "";
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
    this.#text += `{"timestamp":"${this.#time}","type":"${type}","payload":${payload}}\n`;
  }

  get size(): number {
    return this.#text.length;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}
