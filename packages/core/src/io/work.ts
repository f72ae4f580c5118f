/** What all parts of a transaction share: its journal, and the folders and temp files that it makes. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { lstatOf } from "./inside.js";
import type { JournalWriter } from "./journal.js";
import { removeEmpty } from "./takeback.js";
import { writeError } from "./write-error.js";

export interface WorkOptions {
  signal?: AbortSignal | undefined;
  /** Called around each change of the disk: where a test stops the world. */
  onStep?: ((what: string) => Promise<void> | void) | undefined;
}

export class Work {
  readonly journal: JournalWriter;
  readonly options: WorkOptions;
  readonly #made = new Set<string>();
  #temps = 0;

  constructor(journal: JournalWriter, options: WorkOptions) {
    this.journal = journal;
    this.options = options;
  }

  /** Makes folders that are not there, outermost first, each after the journal was told of it. */
  async makeFolders(missing: readonly string[]): Promise<void> {
    const folders = missing.filter((folder) => !this.#made.has(folder));
    this.journal.note(...folders.map((path) => ({ t: "folder", path }) as const));
    for (const path of folders) {
      await this.at(`before folder ${path}`);
      try {
        mkdirSync(path, { mode: 0o777 });
      } catch (error) {
        if (!(lstatOf(path)?.isDirectory() ?? false)) throw writeError(path, error);
      }
      this.#made.add(path);
      await this.at(`after folder ${path}`);
    }
  }

  /** Folders above a path that are not there are made too. */
  async makeRoom(path: string): Promise<void> {
    const missing: string[] = [];
    let folder = dirname(path);
    for (; lstatOf(folder) === undefined && dirname(folder) !== folder; folder = dirname(folder))
      missing.unshift(folder);
    await this.makeFolders(missing);
  }

  get madeFolders(): Iterable<string> {
    return this.#made;
  }

  /** Folders that were made for a plan which then found its place taken. */
  removeEmptyFolders(): void {
    for (const folder of [...this.#made].reverse()) removeEmpty(folder);
  }

  /** The name of a temp file beside a path. */
  async temp(path: string): Promise<string> {
    const temp = join(dirname(path), `.asp-${this.journal.id}-${this.#temps++}.tmp`);
    this.journal.note({ t: "temp", path: temp });
    await this.at(`before temp ${temp}`);
    return temp;
  }

  async at(what: string): Promise<void> {
    if (this.options.onStep) await this.options.onStep(what);
  }
}
