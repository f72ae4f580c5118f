/** Rows without a place: what a run would put into databases, found out without writing beside them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowsAction } from "../pipeline/plan.js";
import { copyWhole, reading, sqlite } from "./database.js";
import { RowStage } from "./rows.js";
import { insertRows } from "./rows-commit.js";
import type { Source } from "./source.js";
import type { Database } from "./sql.js";

/** Gathers rows as a real run does, in a private temp folder. */
export class ScratchRows {
  readonly #source: Source;
  readonly #stages = new Map<string, RowStage>();
  readonly #open = new Set<RowStage>();
  #folder: string | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** @throws ConflictError */
  async add(action: RowsAction, signal?: AbortSignal): Promise<"created" | "unchanged"> {
    let stage = this.#stages.get(action.path);
    if (!stage) {
      this.#folder ??= mkdtempSync(join(tmpdir(), "asp-rows-"));
      const there = await this.#source.stat(action.path);
      const target = there && (await this.#source.openDatabase(action.path));
      stage = new RowStage(action.path, join(this.#folder, `${this.#stages.size}`), target, action.create);
      this.#stages.set(action.path, stage);
    }
    if (!this.#open.has(stage)) {
      stage.begin();
      this.#open.add(stage);
    }
    return stage.add(action, signal);
  }

  /** Ends what was added since the last end. */
  end(accept: boolean): void {
    for (const stage of this.#open) accept ? stage.accept() : stage.reject();
    this.#open.clear();
  }

  remove(): void {
    for (const stage of this.#stages.values()) stage.close();
    this.#stages.clear();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** What an action's rows come to, in a private database of their own; it goes when it is closed. */
export async function databaseOf(action: RowsAction): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "asp-rows-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const gathered = join(folder, "gathered");
    const stage = new RowStage(action.path, gathered, undefined, action.create);
    try {
      await stage.add(action);
    } finally {
      stage.close();
    }
    const database = new (sqlite().DatabaseSync)(gathered, { readOnly: true, allowExtension: false });
    return reading(action.path, database, () => {
      database.close();
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * The database at `path` with the rows of some actions in it, whole. For tests and small stores.
 * @param source holds what is there before; it is not changed.
 */
export async function databaseWith(
  source: Source,
  path: string,
  actions: readonly RowsAction[],
): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "asp-rows-"));
  try {
    const there = await source.stat(path);
    const gathered = join(folder, "gathered");
    const target = there && (await source.openDatabase(path));
    const stage = new RowStage(path, gathered, target, actions[0]?.create ?? []);
    for (const action of actions) await stage.add(action);
    const { sets } = stage.finish();
    if (!there) return readFileSync(gathered);
    const whole = join(folder, "whole");
    await copyWhole(source, path, whole);
    insertRows(whole, gathered, sets);
    const database = new (sqlite().DatabaseSync)(whole);
    database.exec("PRAGMA journal_mode = DELETE");
    database.close();
    return readFileSync(whole);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
