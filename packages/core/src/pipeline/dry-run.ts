/** A run that pulls every content and looks at what the target holds, but writes nothing. */
import { createHash } from "node:crypto";
import { pieces, sameContent } from "../io/create.js";
import { ScratchRows } from "../io/rows-scratch.js";
import { type Source, SourceError } from "../io/source.js";
import type { Action, CreateAction, RowsAction } from "./plan.js";
import { ConflictError, type Stager } from "./stage.js";

/** @param source to look at the target with. */
export function dryRun(source: Source, signal?: AbortSignal): Stager {
  /** sha256 by path of what would have been written. */
  const planned = new Map<string, string>();
  const scratch = new ScratchRows(source);
  const later: (() => Promise<unknown>)[] = [];

  async function create({ path, content }: CreateAction): Promise<"created" | "unchanged"> {
    const info = await source.stat(path);
    if (info?.kind === "file") {
      const file = await source.open(path);
      try {
        if (await sameContent(content, file, signal)) return "unchanged";
      } finally {
        file.close();
      }
      throw new ConflictError(path);
    }
    if (info) throw new SourceError(path, "not-a-file", "is a folder where a file would be");
    const sum = createHash("sha256");
    for await (const piece of pieces(content)) {
      signal?.throwIfAborted();
      sum.update(piece);
    }
    const sha256 = sum.digest("hex");
    const known = planned.get(path);
    if (known !== undefined && known !== sha256) throw new ConflictError(path);
    planned.set(path, sha256);
    return known === undefined ? "created" : "unchanged";
  }

  async function stage(actions: readonly Action[]): Promise<"created" | "unchanged"> {
    let creates = 0;
    let created = 0;
    const pull = async (action: CreateAction | RowsAction): Promise<void> => {
      creates++;
      const outcome = action.do === "create" ? await create(action) : await scratch.add(action, signal);
      if (outcome === "created") created++;
    };
    try {
      for (const action of actions) {
        signal?.throwIfAborted();
        if (action.do === "create" || action.do === "rows") await pull(action);
      }
    } catch (error) {
      scratch.end(false);
      throw error;
    }
    scratch.end(true);
    for (const action of actions) {
      // As in a real run: asked after all contents were pulled, so that what would fail there fails here.
      if (action.do === "append") later.push(async () => action.lines());
      if (action.do === "edit") later.push(async () => action.edit(await textOf(action.path, source)));
    }
    return created > 0 || creates === 0 ? "created" : "unchanged";
  }

  return {
    stage,
    async commit() {
      for (const look of later) await look();
      scratch.remove();
      return undefined;
    },
    async rollback() {
      scratch.remove();
      return [];
    },
  };
}

async function textOf(path: string, source: Source): Promise<string | undefined> {
  const bytes = await source.readFile(path);
  return bytes && Buffer.from(bytes).toString("utf8");
}
