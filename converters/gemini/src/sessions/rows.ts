/** The lines of a Gemini CLI session in the making: messages, lists that replace them, and what is taken back. */
import { uuidFrom } from "@asp-convert/core";

export interface Row {
  id: string;
  timestamp: string;
  type: string;
  [key: string]: unknown;
}

export class Rows {
  readonly #seed: string;
  #text = "";
  #made = 0;
  /** Where rows go instead of the file: into a list that replaces the one there. */
  #list: Row[] | undefined;
  #branch: { id: string; from: string | undefined; first: string | undefined } | undefined;
  #isSaid = false;

  constructor(seed: string) {
    this.#seed = seed;
  }

  get size(): number {
    return this.#text.length;
  }

  /** Someone said something in it: the program lists no other sessions. */
  get isSaid(): boolean {
    return this.#isSaid;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  line(record: object): void {
    this.#text += `${JSON.stringify(record)}\n`;
  }

  /** Is it another branch, or the talk again, to which the next rows belong? */
  turns({ branch }: { branch?: string }): boolean {
    return branch !== this.#branch?.id;
  }

  /**
   * A branch is written after the talk, and taken back: the program sends it to nobody.
   * @returns true if one was.
   */
  turnTo({ branch, branchFrom }: { branch?: string; branchFrom?: string }): boolean {
    const first = this.#branch?.first;
    if (first !== undefined) this.line({ $rewindTo: first });
    const from = branchFrom === undefined ? undefined : this.#idOf(branchFrom);
    this.#branch = branch === undefined ? undefined : { id: branch, from, first: undefined };
    return first !== undefined;
  }

  /** A row with its place. @param own what our own reader is to know of it. */
  row(
    type: string,
    timestamp: string,
    body: object,
    own: object = {},
    nativeId: string | undefined = undefined,
  ): Row {
    this.#isSaid ||= type === "user" || type === "gemini";
    const place = this.#made++;
    const id = this.#idOf(nativeId === undefined || this.#list ? `#${place}` : nativeId);
    const from = this.#branch && this.#branch.first === undefined ? this.#branch.from : undefined;
    if (this.#branch) this.#branch.first ??= id;
    const asp = { ...own, ...(from !== undefined && { from }) };
    return { id, timestamp, type, ...body, ...(Object.keys(asp).length > 0 && { asp }) };
  }

  put(row: Row): void {
    if (this.#list) this.#list.push(row);
    else this.line(row);
  }

  /** The list of messages is another one now: what was said before stays in the file, and is sent no more. */
  replace(fill: () => void): void {
    const messages: Row[] = [];
    this.#list = messages;
    fill();
    this.#list = undefined;
    this.line({ $set: { messages } });
  }

  /** Made of the id in the source: what departs from a message is told by that. */
  #idOf(nativeId: string): string {
    return uuidFrom(`${this.#seed} ${nativeId}`);
  }
}
