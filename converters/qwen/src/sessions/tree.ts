/** The records of a Qwen Code session in the making, each below the one it follows. */
import { digest, uuidFrom } from "@asp-convert/core";
import { VERSION } from "../version.js";

export interface TreeOptions {
  /** Of the session that the records are of; a subagent's are of the one above it. */
  id: string;
  cwd: string;
  seed: string;
  gitBranch: string | undefined;
  /** A subagent's name in its session. */
  agent: string | undefined;
}

export type Body = Readonly<Record<string, unknown>>;

const NONE = -1;

export class Tree {
  readonly #options: TreeOptions;
  #text = "";
  #made = 0;
  /** The last record of the talk, of the branch that is being written, and of the file: by their order; -1: none. */
  #main = NONE;
  #leaf = NONE;
  #last = NONE;
  #branch: string | undefined;
  /** By the head of a hash of the source's id: the record here, or for what was not written the one it would follow. */
  readonly #ids = new Map<number, number>();

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#text.length;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Does the file end where the talk does? */
  get isAtEnd(): boolean {
    return this.#last === this.#leaf;
  }

  /**
   * From here on, records belong to this branch of the source; undefined: to the talk.
   * @returns true if that is another one than before.
   */
  turnTo(branch: string | undefined, from: string | undefined): boolean {
    if (branch === this.#branch) return false;
    if (this.#branch === undefined) this.#main = this.#leaf;
    this.#branch = branch;
    const departs = from === undefined ? undefined : this.#ids.get(keyOf(from));
    this.#leaf = branch === undefined ? this.#main : (departs ?? NONE);
    return true;
  }

  /** Something of the source was not written: what departs from it departs from what is before it. */
  passed(nativeId: string): void {
    const key = keyOf(nativeId);
    if (!this.#ids.has(key)) this.#ids.set(key, this.#leaf);
  }

  put(type: string, timestamp: string, { provenance, ...body }: Body, nativeId: string | undefined): void {
    const { id, cwd, agent, gitBranch } = this.#options;
    const place = this.#made++;
    const record = {
      uuid: this.#uuidOf(place),
      parentUuid: this.#leaf === NONE ? null : this.#uuidOf(this.#leaf),
      sessionId: id,
      timestamp,
      type,
      ...(provenance !== undefined && { provenance }),
      cwd,
      version: VERSION,
      ...(gitBranch !== undefined && { gitBranch }),
      ...body,
      ...(agent !== undefined && { isSidechain: true, agentId: agent, agentName: "agent" }),
    };
    this.#text += `${JSON.stringify(record)}\n`;
    this.#leaf = place;
    this.#last = place;
    if (nativeId !== undefined) this.#ids.set(keyOf(nativeId), place);
  }

  #uuidOf(place: number): string {
    return uuidFrom(`${this.#options.seed} ${place}`);
  }
}

/** Of all ids that were met one must be found again, and there may be a million: a number is little to keep. */
function keyOf(nativeId: string): number {
  return Number.parseInt(digest(nativeId).slice(0, 12), 16);
}
