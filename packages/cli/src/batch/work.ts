/** One job of a batch: its sessions staged one after the other, committed together, a line for each. */
import type { BatchLine, Converter, LockMark, Report, SessionRef, Store } from "@asp-convert/core";
import { beginTransaction, convertInto, type Stager } from "@asp-convert/core";
import { failureOf } from "../errors.js";
import { forbidden } from "../losses.js";
import type { LossOptions } from "../options.js";
import type { PluginOptions } from "../plugins/find.js";
import type { Terminal } from "../terminal.js";
import { hurried } from "./hurry.js";
import { createHasher, keyOf, sameStamps, stampsOf } from "./sources.js";
import { Turn } from "./turn.js";

/** What a worker is started with: plain data. */
export interface Setup {
  /** Of the worker, from 1. */
  me: number;
  to: string;
  root: string;
  /** Folders that may be written to. */
  roots: readonly string[];
  cwd?: string;
  share?: boolean;
  losses: Partial<LossOptions>;
  /** Milliseconds after which a session is given up. */
  timeLimit?: number;
  /** What a key begins with. */
  key: string;
  inputs: readonly { harness: string; path: string }[];
  plugins: PluginOptions;
  pluginPaths: readonly string[];
  locks: readonly LockMark[];
  turn: Int32Array;
  /** Above 0: all is to stop. In memory that is shared, since a worker hears no message while it works. */
  stop: Int32Array;
}

export interface Unit {
  ref: SessionRef;
  input: number;
  /** The line of an earlier run, if there is one. */
  before?: BatchLine;
}

export interface Task {
  units: readonly Unit[];
}

/** What came of a task. */
export interface Outcome {
  lines: BatchLine[];
  /** The target is a database: its sessions go in one after the other, whoever brings them. */
  rows: boolean;
}

/** A session came to nothing, and something of it is staged already: all that is staged has to go. */
class Spoilt extends Error {
  override name = "Spoilt";
}

export async function createWork(
  setup: Setup,
  terminal: Terminal,
): Promise<(task: Task) => Promise<Outcome>> {
  const [{ usePlugins }, toolkit] = await Promise.all([import("../plugins/use.js"), import("../toolkit.js")]);
  await usePlugins(setup.plugins, setup.pluginPaths, terminal);
  const to = toolkit.registry.get(setup.to);
  const forbid = forbidden(setup.losses);
  const hash = createHasher(toolkit.source);
  const stores = new Map<number, Promise<{ converter: Converter; store: Store }>>();
  const { environment, signal } = terminal;
  const turn = new Turn(setup.turn, setup.me);
  let rows = false;

  const opened = (input: number) => {
    const { path = "", harness } = setup.inputs[input] ?? {};
    const known = stores.get(input) ?? toolkit.open(path, harness, terminal);
    stores.set(input, known);
    return known;
  };

  const begin = (count: number): Promise<Stager> =>
    beginTransaction({
      environment,
      roots: setup.roots,
      what: `batch of ${count} → ${to.id}`,
      locks: setup.locks,
      inTurn: (commit) => {
        turn.take();
        return commit();
      },
    });

  /** @throws Spoilt; an AbortError where all is to stop */
  async function one(unit: Unit, stager: Stager): Promise<BatchLine> {
    const { ref, before } = unit;
    const head = headOf(ref, to);
    let staged = false;
    const watching: Stager = {
      ...withMethods(stager),
      stage: async (actions) => {
        // Rows are held against what the database holds: from now on until they are in it, nobody else changes it.
        if (actions.some((action) => action.do === "rows")) {
          rows = true;
          turn.take();
        }
        const outcome = await stager.stage(actions);
        staged = true;
        return outcome;
      },
    };
    let key = `${setup.key}.`;
    let sources: BatchLine["sources"] = [];
    try {
      sources = await hash(await stampsOf(ref, toolkit.source));
      key = keyOf(setup.key, ref, sources);
      if (before?.status === "done" && before.key === key) return { ...before, sources };
      const { converter, store } = await opened(unit.input);
      const until =
        setup.timeLimit === undefined ? Number.POSITIVE_INFINITY : performance.now() + setup.timeLimit;
      const inTime = () => {
        if (Atomics.load(setup.stop, 0) > 0) throw new DOMException("stopped", "AbortError");
        if (performance.now() > until) throw new DOMException("too late", "TimeoutError");
      };
      const report = await convertInto(
        {
          from: converter,
          store,
          refs: [ref],
          to,
          root: to.container ? `${setup.root}/${fileName(ref)}.asp` : setup.root,
          environment,
          source: hurried(toolkit.source, inTime),
          installed: false,
          signal,
          ...(setup.cwd !== undefined && { cwd: setup.cwd }),
          ...(setup.share && { share: true }),
          ...(forbid && { forbid }),
        },
        watching,
      );
      const changed = !sameStamps(sources, await stampsOf(ref, toolkit.source));
      // What was hashed is not what was read: next time it is done again.
      return {
        ...head,
        key: changed ? `${setup.key}.changed` : key,
        status: "done",
        sources,
        ...resultOf(report, setup.root),
      };
    } catch (error) {
      if (Atomics.load(setup.stop, 0) > 0) throw error;
      if (staged) throw new Spoilt("", { cause: { ...head, key, sources, ...failedAs(error, setup) } });
      return { ...head, key, sources, ...failedAs(error, setup) };
    }
  }

  /** @throws an AbortError; then nothing of it is there */
  return async function work({ units }) {
    const lines: BatchLine[] = [];
    for (let rest = [...units]; rest.length > 0; ) {
      const stager = await begin(rest.length);
      const staged: BatchLine[] = [];
      try {
        for (const unit of rest) staged.push(await one(unit, stager));
        await stager.commit(`batch: ${staged.length} → ${to.id}`);
        lines.push(...staged);
        rest = [];
      } catch (error) {
        await stager.rollback();
        if (!(error instanceof Spoilt)) throw error;
        // Without the one that spoilt it, once more.
        lines.push(error.cause as BatchLine);
        rest = rest.filter((_, index) => index !== staged.length);
      } finally {
        turn.giveBack();
      }
    }
    return { lines, rows };
  };
}

/** A transaction is an object of a class: its methods are not its own keys. */
function withMethods(stager: Stager): Stager {
  return {
    stage: (actions) => stager.stage(actions),
    ...(stager.written && { written: (path) => stager.written?.(path) }),
    commit: (what) => stager.commit(what),
    rollback: () => stager.rollback(),
  };
}

function headOf(ref: SessionRef, to: Converter) {
  const { harness, id, path, title, size } = ref;
  return {
    asp: 1 as const,
    from: { harness, id, path, ...(title !== undefined && { title }) },
    to: to.id,
    size,
  };
}

function resultOf(report: Report, root: string): Pick<BatchLine, "sessions" | "losses"> {
  const below = (path: string) => (path.startsWith(root) ? path.slice(root.length + 1) : path);
  const sessions = report.sessions.map(({ id, newId, parent, records, messages, toolCalls, how, files }) => ({
    id,
    newId,
    ...(parent !== undefined && { parent }),
    records,
    messages,
    toolCalls,
    how,
    files: files.map(below),
  }));
  return { sessions, losses: report.losses };
}

function failedAs(
  error: unknown,
  { timeLimit }: Setup,
): Pick<BatchLine, "status" | "sessions" | "losses" | "error"> {
  const late = error instanceof Error && error.name === "TimeoutError";
  const { code, message, next } = late
    ? { code: "time-limit", message: `took more than ${(timeLimit ?? 0) / 1000} s`, next: undefined }
    : failureOf(error);
  return {
    status: "failed",
    sessions: [],
    losses: [],
    error: { code, message, ...(next !== undefined && { next }) },
  };
}

/** For a target that is a file or folder a session. */
function fileName({ harness, id }: SessionRef): string {
  return `${harness}-${id.replaceAll(/[^A-Za-z0-9._-]/g, "_")}`;
}
