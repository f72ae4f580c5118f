/** The sessions of this machine as they become known, and which of them fit what was typed. */
import { Worker } from "node:worker_threads";
import type { SessionRef } from "@asp-convert/core";
import { indexPath, SearchIndex } from "../search/index-file.js";
import { literal } from "../search/pattern.js";
import { type Find, foundInHead, ranked } from "../search/rank.js";
import type { Terminal } from "../terminal.js";
import { nameOf } from "../toolkit.js";
import type { FromStores, Preview, PreviewTask, Task } from "./messages.js";

/** In the bundle it stands beside its one chunk. */
const ENTRY = import.meta.url.includes("/dist/start/") ? "./picker-worker.js" : "./worker.js";

export interface Item extends Find {
  harness: string;
  root: string;
  /** As much of the id as no other session of the store begins with. */
  shortId: string;
}

/** Characters of an id at least. */
const SHORT = 8;

interface Known {
  harness: string;
  root: string;
  ref: SessionRef;
  /** Its store told of it in this run; before that it is what the index remembers. */
  now: boolean;
}

export class Found {
  readonly #known = new Map<string, Known>();
  readonly #names = new Map<string, string>();
  #index: SearchIndex | undefined;
  /** Of the index: its rows' keys. */
  #rows: Map<number, string> | undefined;
  readonly #beginning: NodeJS.Immediate;
  readonly #workers: Worker[] = [];
  #preview: Worker | undefined;
  #turn = 0;
  readonly problems: string[] = [];
  done = false;
  reading: { done: number; total: number } | undefined;
  onChange: () => void = () => {};

  constructor({ environment }: Terminal, index: boolean) {
    // The screen is painted first: what was there the last time takes a moment to be read.
    this.#beginning = setImmediate(() => {
      this.#index = index ? opened(indexPath(environment)) : undefined;
      this.#remembered();
      this.onChange();
      const worker = this.#start({ kind: "stores", index });
      worker.on("message", (message: FromStores) => this.#take(message));
      worker.on("error", (error) => this.problems.push(error.message));
      worker.on("exit", () => {
        this.done = true;
        this.onChange();
      });
    });
  }

  get size(): number {
    return this.#known.size;
  }

  get harnesses(): number {
    return new Set([...this.#known.values()].map(({ harness }) => harness)).size;
  }

  nameOf(harness: string): string {
    return this.#names.get(harness) ?? nameOf(harness);
  }

  /** The newest first; with words: those that have all of them in their heads or texts, the best first. */
  matching(query: string, texts: ReadonlyMap<string, string>): Item[] {
    const words = wordsOf(query);
    const finds = [...this.#known].flatMap(([key, { harness, root, ref }]): Item[] => {
      if (words.length === 0) return [{ ref, harness, root, shortId: ref.id, in: "title" }];
      const heads = words.map((word) => foundInHead(ref, word) ?? (word.test(this.nameOf(harness)) && "cwd"));
      const snippet = texts.get(key);
      const [first] = heads;
      if (first && heads.every(Boolean))
        return [
          { ref, harness, root, shortId: ref.id, in: first, ...(snippet !== undefined && { snippet }) },
        ];
      return snippet === undefined ? [] : [{ ref, harness, root, shortId: ref.id, in: "text", snippet }];
    });
    if (words.length > 0) return ranked(finds) as Item[];
    const time = ({ ref }: Item) => ref.updatedAt ?? ref.createdAt ?? "";
    return finds.sort((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
  }

  /** Where all words stand in texts: a key and what stands around the first word. */
  inTexts(query: string): Map<string, string> {
    const words = wordsOf(query);
    if (!this.#index || words.length === 0) return new Map();
    try {
      this.#rows ??= this.#rowsNow();
      let rows: Set<number> = new Set(this.#rows.keys());
      let first: Map<number, string> | undefined;
      for (const word of words) {
        const found = this.#index.find(word, rows);
        first ??= found;
        rows = new Set(found.keys());
      }
      return new Map([...rows].map((row) => [this.#rows?.get(row) ?? "", first?.get(row) ?? ""]));
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
      return new Map();
    }
  }

  /** It, as it is to be gone on with. */
  chosen(item: Item): Item {
    const { harness, root, ref } = item;
    const others = [...this.#known.values()].filter(
      (each) => each.harness === harness && each.root === root && each.ref.id !== ref.id,
    );
    let length = Math.min(SHORT, ref.id.length);
    const taken = () => others.some((each) => each.ref.id.startsWith(ref.id.slice(0, length)));
    while (length < ref.id.length && taken()) length++;
    return { ...item, shortId: ref.id.slice(0, length) };
  }

  /** The last exchange of a session; undefined when another one was asked for meanwhile. */
  preview({ harness, root, ref }: Item): Promise<Preview | undefined> {
    const turn = ++this.#turn;
    this.#preview ??= this.#start({ kind: "preview" });
    const worker = this.#preview;
    worker.postMessage({ turn, harness, root, ref } satisfies PreviewTask);
    return new Promise((resolve) => {
      const take = (preview: Preview) => {
        if (preview.turn < turn) return;
        worker.off("message", take);
        resolve(preview.turn === turn ? preview : undefined);
      };
      worker.on("message", take);
    });
  }

  async close(): Promise<void> {
    this.onChange = () => {};
    clearImmediate(this.#beginning);
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    this.#index?.close();
  }

  #start(task: Task): Worker {
    const worker = new Worker(new URL(ENTRY, import.meta.url), { workerData: task });
    this.#workers.push(worker);
    worker.setMaxListeners(0);
    return worker;
  }

  #take(message: FromStores): void {
    if (message.kind === "refs") {
      const { harness, root, name } = message;
      this.#names.set(harness, name);
      for (const ref of message.refs)
        this.#known.set(keyOf(harness, root, ref), { harness, root, ref, now: true });
    } else if (message.kind === "listed") {
      for (const [key, { now, harness, root }] of this.#known)
        if (!now && harness === message.harness && root === message.root) this.#known.delete(key);
    } else if (message.kind === "reading") this.reading = message;
    else if (message.kind === "problem") this.problems.push(message.text);
    else if (message.kind === "done") {
      this.reading = undefined;
      // A store that is remembered and was not found any more.
      for (const [key, { now }] of this.#known) if (!now) this.#known.delete(key);
      this.#rows = undefined;
    } else this.#rows = undefined;
    this.onChange();
  }

  /** What was there the last time, until the stores have told. */
  #remembered(): void {
    try {
      for (const [key, { id, root }] of this.#index?.stores() ?? []) {
        const harness = key.split("\0")[0] ?? "";
        for (const { ref } of this.#index?.sessions(id) ?? [])
          this.#known.set(keyOf(harness, root, ref), { harness, root, ref, now: false });
      }
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
  }

  #rowsNow(): Map<number, string> {
    const rows = new Map<number, string>();
    for (const [key, { id, root }] of this.#index?.stores() ?? []) {
      const harness = key.split("\0")[0] ?? "";
      for (const { row, ref } of this.#index?.sessions(id) ?? []) rows.set(row, keyOf(harness, root, ref));
    }
    return rows;
  }
}

function opened(path: string): SearchIndex | undefined {
  try {
    return SearchIndex.open(path);
  } catch {
    return undefined; // the thread that fills it says why
  }
}

function wordsOf(query: string): RegExp[] {
  return query.split(/\s+/).filter(Boolean).map(literal);
}

export function keyOf(harness: string, root: string, { id, path }: SessionRef): string {
  return [harness, root, id, path].join("\0");
}
