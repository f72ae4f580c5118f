/**
 * All of a run's writes or none. Contents go to temp files beside their places; then, in this order: new files,
 * links, rows, edits, lines appended to indexes (an index must not name what is not there). Before each step the journal
 * says what it will be, so that the next run can take back what a crash left.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type {
  Action,
  AppendAction,
  CreateAction,
  EditAction,
  LinkAction,
  RowsAction,
} from "../pipeline/plan.js";
import type { Receipt } from "../pipeline/receipt.js";
import { ConflictError, type Stager } from "../pipeline/stage.js";
import { missingLines } from "./append.js";
import { sameContent, writeNew } from "./create.js";
import { diskSource } from "./disk.js";
import { editText } from "./edit.js";
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
import { type HeldLocks, lockRoots } from "./lock.js";
import type { Environment } from "./paths.js";
import { placeNew, removeFile, replace, syncFolder } from "./place.js";
import { recover } from "./recover.js";
import { type RowSet, RowStage } from "./rows.js";
import { insertRows } from "./rows-commit.js";
import { stateFolder } from "./state.js";
import { hashBytes, hashFile, removeEmpty, takeBack } from "./takeback.js";
import { WriteError, writeError } from "./write-error.js";

export interface TransactionOptions {
  environment: Environment;
  /** Nothing is written outside these. */
  roots: readonly string[];
  /** For the receipt, for people. */
  what: string;
  signal?: AbortSignal | undefined;
  now?: (() => Date) | undefined;
  /** Called around each change of the disk: where a test stops the world. */
  onStep?: ((what: string) => Promise<void> | void) | undefined;
}

export interface Transaction extends Stager {
  commit(): Promise<Receipt>;
}

const DEFAULT_MODE = 0o600;

/** @throws BusyError, WriteError */
export async function beginTransaction(options: TransactionOptions): Promise<Transaction> {
  const { environment, onStep } = options;
  const state = stateFolder(environment);
  const roots = options.roots.map(rootAt);
  const real = roots.map((root) => root.real);
  await recover(state, real, onStep);
  const locks = lockRoots(state, real);
  try {
    const journal = openJournal(state, { roots: real, what: options.what }, options.now?.() ?? new Date());
    return new DiskTransaction(options, state, roots, locks, journal);
  } catch (error) {
    locks.release();
    throw error;
  }
}

type Kept<A extends Action> = { action: A; placed: Placed };

class DiskTransaction implements Transaction {
  readonly #options: TransactionOptions;
  readonly #state: string;
  readonly #roots: readonly Root[];
  readonly #locks: HeldLocks;
  readonly #journal: JournalWriter;
  /** By real path: what this run will put there. Two plans may want the same file (a fork's ancestor). */
  readonly #creates = new Map<string, Step & { do: "create" }>();
  readonly #links: Kept<LinkAction>[] = [];
  readonly #edits = new Map<string, Kept<EditAction>[]>();
  /** Rows gathered for a database, by its real path. */
  readonly #rows = new Map<string, { stage: RowStage; temp: string; isNew: boolean }>();
  readonly #appends = new Map<string, Kept<AppendAction>[]>();
  readonly #madeFolders = new Set<string>();
  #temps = 0;
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
  }

  async stage(actions: readonly Action[]): Promise<"created" | "unchanged"> {
    const staged: (Step & { do: "create" })[] = [];
    const same: string[] = [];
    const links: Kept<LinkAction>[] = [];
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
          else links.push({ action, placed });
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
      const placed = this.#real(placeInside(action.path, this.#roots));
      if (action.do === "edit") keep(this.#edits, action, placed);
      else keep(this.#appends, action, placed);
      // Whether they change anything is known only when all contents were pulled; new files come with them.
      if (staged.length === 0 && same.length === 0) more++;
    }
    return more > 0 ? "created" : "unchanged";
  }

  async commit(): Promise<Receipt> {
    const steps: Step[] = [...this.#creates.values(), ...this.#planLinks(), ...this.#planRows()];
    steps.push(...(await this.#planEdits()), ...(await this.#planAppends()));
    this.#locks.verify();
    this.#options.signal?.throwIfAborted();
    if (steps.length > 0) {
      this.#journal.write(...steps, { t: "state", state: "committing" });
      await this.#at("committing");
      const folders = new Set<string>();
      for (const step of steps) {
        this.#options.signal?.throwIfAborted();
        await this.#do(step);
        folders.add(dirname(step.path));
      }
      for (const folder of this.#madeFolders) folders.add(dirname(folder));
      for (const folder of folders) syncFolder(folder);
    }
    // Made for a plan that then found its place taken.
    for (const folder of [...this.#madeFolders].reverse()) removeEmpty(folder);
    this.#journal.write({ t: "state", state: "done" });
    await this.#at("done");
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
    this.#journal.close();
    const receipt = receiptOf(readJournal(this.#journal.folder));
    if (!receipt) throw new Error(`the receipt ${this.#journal.folder} cannot be read back`);
    if (keep) moveReceipt(this.#journal.folder, receiptsFolder(this.#state));
    else dropReceipt(this.#journal.folder);
    this.#locks.release();
    return receipt;
  }

  /** undefined: the very same is there already. @throws ConflictError */
  async #create(action: CreateAction, placed: Placed): Promise<(Step & { do: "create" }) | undefined> {
    const { content, mode = DEFAULT_MODE, mtimeMs } = action;
    const { signal } = this.#options;
    const pending = this.#creates.get(placed.path);
    if (pending || placed.info) {
      checkFile(placed);
      const file = await diskSource.open(pending?.temp ?? placed.path);
      try {
        if (await sameContent(content, file, signal)) return undefined;
      } finally {
        file.close();
      }
      throw new ConflictError(placed.path);
    }
    await this.#makeFolders(placed.missing);
    const temp = await this.#temp(placed.path);
    try {
      const written = await writeNew(temp, content, {
        mode,
        mtimeMs,
        signal,
        as: placed.path,
        onPiece: () => this.#at(`writing ${placed.path}`),
      });
      const inode = String(lstatSync(temp, { bigint: true }).ino);
      const step = { t: "step", do: "create", path: placed.path, temp, inode, ...written } as const;
      this.#creates.set(placed.path, step);
      await this.#at(`staged ${placed.path}`);
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
    return this.#links.map(({ action: { to }, placed: { path } }) => ({
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
      await this.#makeFolders(placed.missing);
      const temp = await this.#temp(path);
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

  #planRows(): Step[] {
    const steps: Step[] = [];
    for (const [path, { stage, temp, isNew }] of this.#rows) {
      const { sets, sha256, bytes } = stage.finish();
      if (sets.length === 0) {
        removeFile(temp);
        continue;
      }
      if (isNew) {
        const { ino, size } = lstatSync(temp, { bigint: true });
        steps.push({
          t: "step",
          do: "create",
          path,
          temp,
          inode: String(ino),
          sha256: hashFile(temp),
          bytes: Number(size),
        });
        continue;
      }
      const saved = `rows-${steps.length}`;
      this.#journal.save(saved, Buffer.from(JSON.stringify(sets)));
      steps.push({ t: "step", do: "rows", path, temp, saved, sha256, bytes });
    }
    return steps;
  }

  async #planEdits(): Promise<Step[]> {
    const steps: Step[] = [];
    for (const [path, kept] of this.#edits) {
      if (this.#creates.has(path))
        throw new Error(`bug of a converter: its plan both creates and edits ${path}`);
      const info = lstatOf(path);
      const before = info && readFileSync(path);
      const after = editText(
        path,
        before,
        kept.map(({ action }) => action.edit),
      );
      if (before && after.equals(before)) {
        this.#journal.note({ t: "same", path });
        continue;
      }
      if (!before) await this.#makeFolders(missingFolders(path));
      const mode = info ? Number(info.mode & 0o7777n) : (kept[0]?.action.mode ?? DEFAULT_MODE);
      const temp = await this.#temp(path);
      await writeNew(temp, after, { mode, signal: this.#options.signal, as: path });
      const step = {
        t: "step",
        do: "edit",
        path,
        temp,
        sha256: hashBytes(after),
        bytes: after.length,
      } as const;
      if (!before) {
        steps.push(step);
        continue;
      }
      const saved = `before-${steps.length}`;
      this.#journal.save(saved, before);
      steps.push({ ...step, before: { sha256: hashBytes(before), saved, mode } });
    }
    return steps;
  }

  async #planAppends(): Promise<Step[]> {
    const steps: Step[] = [];
    for (const [path, kept] of this.#appends) {
      const info = lstatOf(path);
      const file = info && (await diskSource.open(path));
      let text: string;
      try {
        text = missingLines(file, kept.map(({ action }) => action.lines()).join(""));
      } finally {
        file?.close();
      }
      if (text === "") {
        this.#journal.note({ t: "same", path });
        continue;
      }
      const bytes = Buffer.from(text);
      const saved = `text-${steps.length}`;
      this.#journal.save(saved, bytes);
      steps.push({
        t: "step",
        do: "append",
        path,
        at: info ? Number(info.size) : 0,
        isNew: !info,
        saved,
        mode: kept[0]?.action.mode ?? DEFAULT_MODE,
        sha256: hashBytes(bytes),
        bytes: bytes.length,
      });
    }
    return steps;
  }

  async #do(step: Step): Promise<void> {
    await this.#at(`before ${step.do} ${step.path}`);
    try {
      switch (step.do) {
        case "create":
          placeNew(step.temp, step.path, () => this.#journal.write({ t: "reserve", path: step.path }));
          await this.#at(`placed ${step.path}`);
          removeFile(step.temp);
          break;
        case "link":
          symlinkSync(step.to, step.path);
          break;
        case "rows":
          insertRows(
            step.path,
            step.temp,
            JSON.parse(readFileSync(join(this.#journal.folder, step.saved), "utf8")) as RowSet[],
          );
          removeFile(step.temp);
          break;
        case "edit":
          this.#doEdit(step);
          break;
        case "append":
          await this.#doAppend(step);
          break;
      }
    } catch (error) {
      throw writeError(step.path, error);
    }
    await this.#at(`after ${step.do} ${step.path}`);
  }

  #doEdit(step: Step & { do: "edit" }): void {
    if (!step.before) {
      placeNew(step.temp, step.path, () => this.#journal.write({ t: "reserve", path: step.path }));
      removeFile(step.temp);
      return;
    }
    if (hashBytes(readFileSync(step.path)) !== step.before.sha256) {
      throw new WriteError(step.path, "changed", "was changed by another program meanwhile. Run it again");
    }
    replace(step.temp, step.path);
  }

  async #doAppend(step: Step & { do: "append" }): Promise<void> {
    const text = readFileSync(join(this.#journal.folder, step.saved));
    if (step.isNew) await this.#makeFolders(missingFolders(step.path));
    const fd = openSync(step.path, step.isNew ? "ax" : "a", step.mode);
    try {
      const size = Number(lstatSync(step.path, { bigint: true }).size);
      if (size !== step.at)
        throw new WriteError(step.path, "changed", "was changed by another program meanwhile. Run it again");
      for (let at = 0; at < text.length; ) at += writeSync(fd, text, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** A link at the end of an edited path is followed, if what it points to is inside. */
  #real(placed: Placed): Placed {
    if (!placed.info?.isSymbolicLink()) return checkFile(placed);
    const path = followed(placed.path, this.#roots);
    const info = lstatOf(path);
    return checkFile({ path, missing: [], ...(info && { info }) });
  }

  async #makeFolders(missing: readonly string[]): Promise<void> {
    const folders = missing.filter((folder) => !this.#madeFolders.has(folder));
    this.#journal.note(...folders.map((path) => ({ t: "folder", path }) as const));
    for (const path of folders) {
      await this.#at(`before folder ${path}`);
      try {
        mkdirSync(path, { mode: 0o777 });
      } catch (error) {
        if (!(lstatOf(path)?.isDirectory() ?? false)) throw writeError(path, error);
      }
      this.#madeFolders.add(path);
      await this.#at(`after folder ${path}`);
    }
  }

  async #temp(path: string): Promise<string> {
    const temp = join(dirname(path), `.asp-${this.#journal.id}-${this.#temps++}.tmp`);
    this.#journal.note({ t: "temp", path: temp });
    await this.#at(`before temp ${temp}`);
    return temp;
  }

  async #at(what: string): Promise<void> {
    if (this.#options.onStep) await this.#options.onStep(what);
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
  if (info && !info.isFile()) throw new ConflictError(path);
  return placed;
}

function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (
    let folder = dirname(path);
    lstatOf(folder) === undefined && dirname(folder) !== folder;
    folder = dirname(folder)
  ) {
    missing.unshift(folder);
  }
  return missing;
}

function keep<A extends Action>(map: Map<string, Kept<A>[]>, action: A, placed: Placed): void {
  const kept = map.get(placed.path);
  if (kept) kept.push({ action, placed });
  else map.set(placed.path, [{ action, placed }]);
}
