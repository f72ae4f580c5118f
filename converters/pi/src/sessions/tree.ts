/** The lines of a session in the making, each below the one it follows. */
import { digest } from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";

export class Tree {
  #text = "";
  readonly #base: number;
  #made = 0;
  #time: string;
  /** The leaf of the talk, and of the branch that is being written. */
  #main: string | null = null;
  #leaf: string | null = null;
  #branch: string | undefined;
  /** Ids here by ids in the source. */
  readonly #ids = new Map<string, string>();
  /** Source ids of the messages of the talk since its root, in order. */
  #talk: string[] = [];

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

  /** From here on, entries belong to this branch of the source; undefined: to the talk. */
  branch(branch: string | undefined, from: string | undefined): void {
    if (branch === this.#branch) return;
    if (this.#branch === undefined) this.#main = this.#leaf;
    this.#branch = branch;
    this.#leaf = branch === undefined ? this.#main : (from !== undefined && this.#ids.get(from)) || null;
  }

  /** The next entry begins anew. */
  root(): void {
    this.#leaf = null;
    if (this.#branch === undefined) this.#talk = [];
  }

  entry(fields: { type: string; [key: string]: unknown }, nativeId?: string): string {
    const id = ((this.#base + this.#made++) >>> 0).toString(16).padStart(8, "0");
    const { type, ...rest } = fields;
    this.line({ type, id, parentId: this.#leaf, timestamp: this.#time, ...rest });
    this.#leaf = id;
    if (nativeId !== undefined) this.#ids.set(nativeId, id);
    return id;
  }

  message(message: object, nativeId: string | undefined): void {
    this.entry({ type: "message", message: { ...message, timestamp: Date.parse(this.#time) } }, nativeId);
    if (nativeId !== undefined && this.#branch === undefined) this.#talk.push(nativeId);
  }

  /** The entry here from which on the talk is just these messages of the source; `""` for none, undefined if it is not. */
  suffix(nativeIds: readonly (string | undefined)[]): string | undefined {
    if (nativeIds.length === 0) return "";
    const end = this.#talk.slice(-nativeIds.length);
    if (end.length < nativeIds.length || end.some((id, index) => id !== nativeIds[index])) return undefined;
    return this.#ids.get(end[0] as string);
  }

  /** @param keptFrom the first entry that the model still sees; `""`: none. */
  compaction(summary: string, keptFrom: string): void {
    const own = ((this.#base + this.#made) >>> 0).toString(16).padStart(8, "0");
    this.entry({
      type: "compaction",
      summary,
      firstKeptEntryId: keptFrom === "" ? own : keptFrom,
      tokensBefore: 0,
    });
  }
}
