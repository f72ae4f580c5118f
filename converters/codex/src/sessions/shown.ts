/**
 * What Codex's screen showed of the talk, beside what the model was sent. Both copies stand in the file; here each
 * screen record finds the item it shows, by id where there is one, else by its place in the turn. Two equal texts
 * are two texts: nothing is dropped because it was said before.
 */
import type { Origin } from "@asp-convert/core";

export interface Shown {
  text: string;
  id?: string;
  origin: Origin;
  time?: string;
}

/** Screen records and items of one kind, in the order they come, each waiting for its other half. */
export class ShownQueue {
  #waiting: Shown[] = [];
  /** Items of this turn whose screen record is still to come. */
  readonly #owed: { id?: string; text: string }[] = [];
  #ids = false;

  /** A screen record. True: it shows an item that was there before. */
  show(shown: Shown): boolean {
    let at = shown.id === undefined ? -1 : this.#owed.findIndex(({ id }) => id === shown.id);
    if (at !== -1) this.#ids = true;
    else if (!(this.#ids && shown.id !== undefined)) {
      at = this.#owed.findIndex(({ text }) => text === shown.text);
      if (at === -1 && this.#owed.length > 0) at = 0;
    }
    if (at !== -1) {
      this.#owed.splice(at, 1);
      return true;
    }
    this.#waiting.push(shown);
    return false;
  }

  /** An item (or a part of one). Gives the screen record that came before it, if any did. */
  say(text: string, id: string | undefined): Shown | undefined {
    let at = id === undefined ? -1 : this.#waiting.findIndex((shown) => shown.id === id);
    if (at !== -1) this.#ids = true;
    else if (!this.#ids || id === undefined) {
      at = this.#waiting.findIndex((shown) => shown.text === text);
      if (at === -1 && this.#waiting.length > 0) at = 0;
    }
    if (at !== -1) return this.#waiting.splice(at, 1)[0];
    this.#owed.push(id === undefined ? { text } : { id, text });
    return undefined;
  }

  /** The turn is over: what the screen showed that no item holds. */
  settle(): Shown[] {
    const left = this.#waiting;
    this.#waiting = [];
    this.#owed.length = 0;
    return left;
  }
}
