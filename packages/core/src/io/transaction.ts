/**
 * All of a run's writes or none. Contents go to temp files beside their places; then, in this order: new files,
 * links, rows, edits, lines appended to indexes (an index must not name what is not there). Before each step the journal
 * says what it will be, so that the next run can take back what a crash left.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type {
  Action,
  AppendAction,
  CreateAction,
  EditAction,
  LinkAction,
  RowsAction,
} from "../pipeline/plan.js";
import type { Receipt } from "../pipeline/receipt.js";
import { ConflictError, type Stager, type Written } from "../pipeline/stage.js";
import { sameContent, writeNew } from "./create.js";
import { diskSource } from "./disk.js";
import { doStep } from "./do-step.js";
import { followed, lstatOf, type Placed, placeInside, type Root, rootAt } from "./inside.js";
import {
  dropReceipt,
  type JournalWriter,
  moveReceipt,
  openJournal,
  readJournal,
  receiptOf,
  receiptsFolder,
  type Step,
} from "./journal.js";
import { borrowLocks, type HeldLocks, type LockMark, lockRoots } from "./lock.js";
import type { Environment } from "./paths.js";
import { removeFile, syncFolder } from "./place.js";
import { DEFAULT_MODE, type Gathered, planAppends, planEdits, planRows } from "./plan-steps.js";
import { recover } from "./recover.js";
import { RowStage } from "./rows.js";
import { stateFolder } from "./state.js";
import { hashBytes, takeBack } from "./takeback.js";
import { Work, type WorkOptions } from "./work.js";
import { WriteError } from "./write-error.js";

export interface TransactionOptions extends WorkOptions {
  environment: Environment;
  /** Nothing is written outside these. */
  roots: readonly string[];
  /** For the receipt, for people, until `commit` knows better. */
  what: string;
  now?: (() => Date) | undefined;
  /** Over all of `roots`, held by the caller for longer than this run: none is taken. @see holdTarget */
  locks?: readonly LockMark[] | undefined;
  /** Several runs under one lock take turns at changing the target. */
  inTurn?: (<T>(commit: () => Promise<T>) => Promise<T>) | undefined;
}

export interface Transaction extends Stager {
  commit(what?: string): Promise<Receipt>;
}

/** @throws BusyError, WriteError */
export async function beginTransaction(options: TransactionOptions): Promise<Transaction> {
  const { environment, onStep } = options;
  const state = stateFolder(environment);
  const roots = options.roots.map(rootAt);
  const real = roots.map((root) => root.real);
  if (!options.locks) await recover(state, real, onStep);
  const locks = options.locks ? borrowLocks(options.locks) : lockRoots(state, real);
  try {
    const journal = openJournal(state, { roots: real, what: options.what }, options.now?.() ?? new Date());
    return new DiskTransaction(options, state, roots, locks, journal);
  } catch (error) {
    locks.release();
    throw error;
  }
}

/**
 * Takes a target for many runs, one after the other or side by side; what dead ones left in it is taken back first.
 * @param roots as in TransactionOptions. @throws BusyError, WriteError
 */
export async function holdTarget(environment: Environment, roots: readonly string[]): Promise<HeldLocks> {
  const state = stateFolder(environment);
  const real = roots.map((root) => rootAt(root).real);
  await recover(state, real);
  return lockRoots(state, real);
}

class DiskTransaction implements Transaction {
  readonly #options: TransactionOptions;
  readonly #state: string;
  readonly #roots: readonly Root[];
  readonly #locks: HeldLocks;
  readonly #journal: JournalWriter;
  /** By real path: what this run will put there. Two plans may want the same file (a fork's ancestor). */
  readonly #creates = new Map<string, Step & { do: "create" }>();
  readonly #links: { path: string; to: string }[] = [];
  readonly #edits = new Map<string, EditAction[]>();
  readonly #rows = new Map<string, Gathered>();
  readonly #appends = new Map<string, AppendAction[]>();
  readonly #work: Work;
  #ended = false;

  constructor(
    options: TransactionOptions,
    state: string,
    roots: readonly Root[],
    locks: HeldLocks,
    journal: JournalWriter,
  ) {
    this.#options = options;
    this.#state = state;
    this.#roots = roots;
    this.#locks = locks;
    this.#journal = journal;
    this.#work = new Work(journal, options);
  }

  async stage(actions: readonly Action[]): Promise<"created" | "unchanged"> {
    const staged: (Step & { do: "create" })[] = [];
    const same: string[] = [];
    const links: { path: string; to: string }[] = [];
    const gathering = new Set<RowStage>();
    let rows = 0;
    try {
      for (const action of actions) {
        this.#options.signal?.throwIfAborted();
        const placed = placeInside(action.path, this.#roots);
        if (action.do === "create") {
          const step = await this.#create(action, placed);
          if (step) staged.push(step);
          else same.push(placed.path);
        } else if (action.do === "link") {
          if (this.#sameLink(action, placed)) same.push(placed.path);
          else links.push({ path: placed.path, to: action.to });
        } else if (action.do === "rows") {
          if ((await this.#gather(action, placed, gathering)) === "created") rows++;
          else same.push(placed.path);
        }
      }
    } catch (error) {
      // Only these actions: what earlier plans staged stays.
      for (const { path, temp } of staged) {
        this.#creates.delete(path);
        removeFile(temp);
      }
      for (const stage of gathering) stage.reject();
      throw error;
    }
    for (const stage of gathering) stage.accept();
    this.#journal.note(...same.map((path) => ({ t: "same", path }) as const));
    this.#links.push(...links);
    let more = staged.length + links.length + rows;
    for (const action of actions) {
      if (action.do !== "edit" && action.do !== "append") continue;
      const { path } = this.#real(placeInside(action.path, this.#roots));
      if (action.do === "edit") keep(this.#edits, path, action);
      else keep(this.#appends, path, action);
      // Whether they change anything is known only when all contents were pulled; new files come with them.
      if (staged.length === 0 && same.length === 0) more++;
    }
    return more > 0 ? "created" : "unchanged";
  }

  written(path: string): Written | undefined {
    return this.#creates.get(placeInside(path, this.#roots).path);
  }

  commit(what?: string): Promise<Receipt> {
    const { inTurn } = this.#options;
    return inTurn ? inTurn(() => this.#commit(what)) : this.#commit(what);
  }

  async #commit(what?: string): Promise<Receipt> {
    const steps: Step[] = [
      ...this.#creates.values(),
      ...this.#planLinks(),
      ...planRows(this.#rows, this.#work),
    ];
    for (const path of this.#edits.keys()) {
      if (this.#creates.has(path))
        throw new Error(`bug of a converter: its plan both creates and edits ${path}`);
    }
    steps.push(
      ...(await planEdits(this.#edits, this.#work)),
      ...(await planAppends(this.#appends, this.#work)),
    );
    this.#locks.verify();
    this.#options.signal?.throwIfAborted();
    if (what !== undefined) this.#journal.note({ t: "what", what });
    if (steps.length > 0) {
      this.#journal.write(...steps, { t: "state", state: "committing" });
      await this.#work.at("committing");
      const folders = new Set<string>();
      for (const step of steps) {
        this.#options.signal?.throwIfAborted();
        await doStep(step, this.#work);
        folders.add(dirname(step.path));
      }
      for (const folder of this.#work.madeFolders) folders.add(dirname(folder));
      for (const folder of folders) syncFolder(folder);
    }
    this.#work.removeEmptyFolders();
    this.#journal.write({ t: "state", state: "done" });
    await this.#work.at("done");
    return this.#finish(steps.length > 0);
  }

  async rollback(): Promise<readonly string[]> {
    if (this.#ended) return [];
    this.#ended = true;
    for (const { stage } of this.#rows.values()) stage.close();
    this.#journal.close();
    const { folder } = this.#journal;
    try {
      const left = await takeBack(readJournal(folder), { unfinished: true, onStep: this.#options.onStep });
      // Kept if it holds what an edited file was before.
      if (left.length === 0) dropReceipt(folder);
      else moveReceipt(folder, receiptsFolder(this.#state));
      return left;
    } finally {
      this.#locks.release();
    }
  }

  #finish(keep: boolean): Receipt {
    this.#ended = true;
    const { folder } = this.#journal;
    this.#journal.close();
    try {
      const receipt = receiptOf(readJournal(folder));
      if (!receipt) throw new Error(`the receipt ${folder} cannot be read back`);
      if (keep) fileAway(folder, this.#state);
      else dropReceipt(folder);
      return receipt;
    } finally {
      this.#locks.release();
    }
  }

  /** undefined: the very same is there already. @throws ConflictError */
  async #create(action: CreateAction, placed: Placed): Promise<(Step & { do: "create" }) | undefined> {
    const { content, mode = DEFAULT_MODE, mtimeMs } = action;
    const { signal } = this.#options;
    const pending = this.#creates.get(placed.path);
    if (pending || placed.info) {
      // A link is not looked through: what it points to is somebody else's.
      if (placed.info?.isSymbolicLink()) throw new ConflictError(placed.path);
      checkFile(placed);
      const file = await diskSource.open(pending?.temp ?? placed.path);
      try {
        if (await sameContent(content, file, signal)) return undefined;
      } finally {
        file.close();
      }
      throw new ConflictError(placed.path);
    }
    await this.#work.makeFolders(placed.missing);
    const temp = await this.#work.temp(placed.path);
    try {
      const written = await writeNew(temp, content, {
        mode,
        mtimeMs,
        signal,
        as: placed.path,
        onPiece: () => this.#work.at(`writing ${placed.path}`),
      });
      const inode = String(lstatSync(temp, { bigint: true }).ino);
      const step = { t: "step", do: "create", path: placed.path, temp, inode, ...written } as const;
      this.#creates.set(placed.path, step);
      await this.#work.at(`staged ${placed.path}`);
      return step;
    } catch (error) {
      removeFile(temp);
      throw error;
    }
  }

  #sameLink({ to }: LinkAction, { path, info }: Placed): boolean {
    const target = resolve(dirname(path), to);
    const inside = lstatOf(target)?.isSymbolicLink() ? followed(target, this.#roots) : target;
    placeInside(inside, this.#roots);
    if (!info) return false;
    if (info.isSymbolicLink() && readlinkSync(path) === to) return true;
    throw new ConflictError(path);
  }

  #planLinks(): Step[] {
    return this.#links.map(({ path, to }) => ({
      t: "step",
      do: "link",
      path,
      to,
      sha256: hashBytes(Buffer.from(to)),
      bytes: Buffer.byteLength(to),
    }));
  }

  async #gather(
    action: RowsAction,
    placed: Placed,
    gathering: Set<RowStage>,
  ): Promise<"created" | "unchanged"> {
    const { path } = this.#real(placed);
    let rows = this.#rows.get(path);
    if (!rows) {
      const isNew = placed.info === undefined;
      await this.#work.makeFolders(placed.missing);
      const temp = await this.#work.temp(path);
      const target = isNew ? undefined : await diskSource.openDatabase(path);
      rows = { stage: new RowStage(path, temp, target, action.create), temp, isNew };
      this.#rows.set(path, rows);
    }
    if (!gathering.has(rows.stage)) {
      rows.stage.begin();
      gathering.add(rows.stage);
    }
    return rows.stage.add(action, this.#options.signal);
  }

  /** A link at the end of an edited path is followed, if what it points to is inside. */
  #real(placed: Placed): Placed {
    if (!placed.info?.isSymbolicLink()) return checkFile(placed);
    const path = followed(placed.path, this.#roots);
    const info = lstatOf(path);
    return checkFile({ path, missing: [], ...(info && { info }) });
  }
}

/** What may be compared with, edited, appended to: a regular file, or nothing yet. */
function checkFile(placed: Placed): Placed {
  const { path, info } = placed;
  if (info?.isDirectory())
    throw new WriteError(
      path,
      "not-a-file",
      "is a folder where a file is to be. Move it away, or write elsewhere",
    );
  if (info && !info.isFile())
    throw new WriteError(path, "not-a-file", "is no regular file, so it is left alone");
  return placed;
}

function keep<T>(lists: Map<string, T[]>, path: string, value: T): void {
  const list = lists.get(path);
  if (list) list.push(value);
  else lists.set(path, [value]);
}

/** What is done is done: a receipt that cannot be moved now is moved by the next run. */
function fileAway(folder: string, state: string): void {
  try {
    moveReceipt(folder, receiptsFolder(state));
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
  }
}
