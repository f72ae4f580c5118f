/** The lines of a session in the making, each below the one it follows. */
import { digest } from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";

interface Entry {
  type: string;
  [key: string]: unknown;
}

export class Tree {
  #text = "";
  readonly #base: number;
  #made = 0;
  #time: string;
  /** The leaf of the talk, and of the branch that is being written. */
  #main: string | null = null;
  #leaf: string | null = null;
  #branch: string | undefined;
  /** By id in the source: the entry here, or for what was not written the one it would have followed. */
  readonly #ids = new Map<string, string | null>();
  /** Source ids of what the model was sent since the root of the talk, in order. */
  #talk: (string | undefined)[] = [];

  constructor(seed: string, created: string) {
    this.#base = Number.parseInt(digest(seed).slice(0, 8), 16);
    this.#time = created;
  }

  get size(): number {
    return this.#text.length;
  }

  /** Of the last entry: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** From here on, entries are of this time. False: it is none, and the one before holds on. */
  at(time: string | undefined): boolean {
    const valid = isoTime(time);
    if (valid !== undefined) this.#time = new Date(valid).toISOString();
    return valid !== undefined;
  }

  line(record: object): void {
    this.#text += `${JSON.stringify(record)}\n`;
  }

  /**
   * From here on, entries belong to this branch of the source; undefined: to the talk.
   * @returns true if that is another one than before.
   */
  branch(branch: string | undefined, from: string | undefined): boolean {
    if (branch === this.#branch) return false;
    if (this.#branch === undefined) this.#main = this.#leaf;
    this.#branch = branch;
    this.#leaf =
      branch === undefined ? this.#main : ((from === undefined ? null : this.#ids.get(from)) ?? null);
    return true;
  }

  /** The next entry begins anew. */
  root(): void {
    this.#leaf = null;
    if (this.#branch === undefined) this.#talk = [];
  }

  /** Does the file end where the talk does? */
  isLast(): boolean {
    return this.#made === 0 || this.#leaf === this.#idOf(this.#made - 1);
  }

  entry({ type, ...fields }: Entry, nativeId?: string): string {
    const id = this.#idOf(this.#made++);
    this.line({ type, id, parentId: this.#leaf, timestamp: this.#time, ...fields });
    this.#leaf = id;
    if (nativeId !== undefined) this.#ids.set(nativeId, id);
    return id;
  }

  /** An entry that the model is sent. */
  said(entry: Entry, nativeId: string | undefined): string {
    const id = this.entry(entry, nativeId);
    if (this.#branch === undefined) this.#talk.push(nativeId);
    return id;
  }

  message(message: object, nativeId: string | undefined): string {
    return this.said(this.#messageEntry(message), nativeId);
  }

  /** A message that Pi shows and never sends. */
  failed(message: object, nativeId: string | undefined): string {
    return this.entry(this.#messageEntry(message), nativeId);
  }

  /** A message that is shown, and of which the model is sent something else, or nothing. */
  shown(message: object, sent: readonly object[] | undefined, nativeId: string | undefined): void {
    const entry = this.#messageEntry(message);
    const targetId = sent ? this.said(entry, nativeId) : this.entry(entry, nativeId);
    this.entry({ type: "context_edit", targetId, replacement: sent ? { content: sent } : null });
  }

  #messageEntry(message: object): Entry {
    return { type: "message", message: { ...message, timestamp: Date.parse(this.#time) } };
  }

  /** Something of the source was not written: what departs from it departs from what is before it. */
  passed(nativeId: string | undefined): void {
    if (nativeId !== undefined && !this.#ids.has(nativeId)) this.#ids.set(nativeId, this.#leaf);
  }

  /** The entry here from which on the talk is just these messages of the source; `""` for none, undefined if it is not. */
  suffix(nativeIds: readonly (string | undefined)[]): string | undefined {
    if (nativeIds.length === 0) return "";
    const end = this.#talk.slice(-nativeIds.length);
    const [first] = nativeIds;
    if (first === undefined || end.length < nativeIds.length) return undefined;
    if (end.some((id, index) => id === undefined || id !== nativeIds[index])) return undefined;
    return this.#ids.get(first) ?? undefined;
  }

  /** @param keptFrom the first entry that the model still sees; `""`: none. */
  compaction(summary: string, keptFrom: string, nativeId: string | undefined): void {
    const own = this.#idOf(this.#made);
    this.entry(
      { type: "compaction", summary, firstKeptEntryId: keptFrom === "" ? own : keptFrom, tokensBefore: 0 },
      nativeId,
    );
  }

  #idOf(place: number): string {
    return ((this.#base + place) >>> 0).toString(16).padStart(8, "0");
  }
}
