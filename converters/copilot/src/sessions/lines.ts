/** The lines of an event file in the making: each with its id, its time, and the one before it. */
import { uuidFrom } from "@asp-convert/core";

export class Lines {
  readonly #seed: string;
  #text = "";
  #time: string;
  #made = 0;
  #last: string | null;

  /** @param time ISO 8601, with zone. @param last the id of the event that they follow. */
  constructor(seed: string, time: string, last: string | null = null) {
    this.#seed = seed;
    this.#time = time;
    this.#last = last;
  }

  get size(): number {
    return this.#text.length;
  }

  /** Of the last line: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  at(time: string): void {
    this.#time = time;
  }

  /** An id that no line has. */
  id(): string {
    return uuidFrom(`${this.#seed} id ${this.#made++}`);
  }

  /** @param agent whose line it is; undefined: the session's own. */
  add(type: string, data: object, agent: string | undefined): void {
    const id = this.id();
    const own = agent === undefined ? {} : { agentId: agent };
    this.#text += `${JSON.stringify({ type, data, ...own, id, timestamp: this.#time, parentId: this.#last })}\n`;
    this.#last = id;
  }
}
