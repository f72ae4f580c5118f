/** Searches titles and texts over stores: through the index, or without one. */
import type { SessionRef, Unreadable } from "@asp-convert/core";
import { changedAt, isInside } from "@asp-convert/core";
import { breathing } from "../breath.js";
import type { Terminal } from "../terminal.js";
import { sessionsOf } from "../toolkit.js";
import { absorb, type OnRead, type Opened, survey, writing } from "./fresh.js";
import { indexPath, SearchIndex } from "./index-file.js";
import { snippetOf } from "./pattern.js";
import { type Find, foundInHead } from "./rank.js";
import { textsOf } from "./texts.js";

export interface SearchOptions {
  /** Which sessions may be found at all. */
  wanted: (ref: SessionRef) => boolean;
  /** false: every text is read again, and nothing is kept of it. */
  index: boolean;
  /** Before anything is listed or read, and then for each session whose text is read. */
  onRead?: OnRead;
  /** A store that failed as a whole: the others go on. Absent: thrown. */
  onFailed?: (opened: Opened, error: unknown) => void;
}

export interface Searched {
  finds: Find[];
  /** How many sessions were looked into. */
  seen: number;
  unreadable: (Unreadable & { harness: string })[];
}

export async function search(
  stores: readonly Opened[],
  pattern: RegExp,
  options: SearchOptions,
  terminal: Terminal,
): Promise<Searched> {
  const index = options.index ? openIndex(terminal) : undefined;
  const all: Searched = { finds: [], seen: 0, unreadable: [] };
  try {
    if (index) await forgetGone(index, terminal);
    for (const opened of stores) {
      try {
        const { store, converter } = opened;
        // One file, or a bundle that is passed on: it is read, and leaves nothing here.
        const whole = store.focus === undefined && store.session === undefined;
        const indexed = index && whole && !converter.container;
        const one = indexed
          ? await throughIndex(index, opened, pattern, options, terminal)
          : await throughTexts(opened, pattern, options, terminal);
        all.finds.push(...one.finds);
        all.unreadable.push(...one.unreadable);
        all.seen += one.seen;
      } catch (error) {
        terminal.signal.throwIfAborted();
        if (!options.onFailed) throw error;
        options.onFailed(opened, error);
      }
    }
  } finally {
    index?.close();
  }
  return all;
}

/** Where it cannot be had (a full disk, a folder that may not be written to) everything is read instead, and it is said. */
function openIndex(terminal: Terminal): SearchIndex | undefined {
  const path = indexPath(terminal.environment);
  try {
    return SearchIndex.open(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    terminal.warn(`asp-convert: searching without an index, for ${path}: ${why}`);
    return undefined;
  }
}

/** What a person deleted is not kept here. */
async function forgetGone(index: SearchIndex, terminal: Terminal): Promise<void> {
  const gone = [...index.stores().values()].filter(({ root }) => changedAt(root) === undefined);
  if (gone.length === 0) return;
  const lock = await writing(terminal);
  try {
    for (const { id } of gone) index.forget(id);
  } finally {
    lock.release();
  }
}

async function throughIndex(
  index: SearchIndex,
  opened: Opened,
  pattern: RegExp,
  { wanted, onRead }: SearchOptions,
  terminal: Terminal,
): Promise<Searched> {
  const { converter, store } = opened;
  const surveyed = await survey(index, opened, terminal);
  const { sessions, unreadable } = await absorb(index, surveyed, terminal, onRead);
  const { platform } = terminal.environment;
  const inProject = ({ cwd }: SessionRef) =>
    store.project === undefined || (cwd !== undefined && isInside(cwd, store.project, platform));
  const here = sessions.filter(({ ref }) => inProject(ref));
  const meant = here.filter(({ ref }) => wanted(ref));
  const snippets = index.find(pattern, new Set(meant.map(({ row }) => row)));
  const finds = meant.flatMap(({ ref, row }): Find[] => {
    const snippet = snippets.get(row);
    const where = foundInHead(ref, pattern) ?? (snippet !== undefined ? "text" : undefined);
    return where === undefined ? [] : [{ ref, in: where, ...(snippet !== undefined && { snippet }) }];
  });
  const unread = here.flatMap(({ ref, problem }) =>
    problem === undefined ? [] : { path: ref.path, reason: problem },
  );
  return {
    finds,
    seen: here.length,
    unreadable: [...unreadable, ...unread].map((each) => ({ harness: converter.id, ...each })),
  };
}

async function throughTexts(
  { converter, store }: Opened,
  pattern: RegExp,
  { wanted, onRead }: SearchOptions,
  terminal: Terminal,
): Promise<Searched> {
  const { refs, unreadable } = await sessionsOf(converter, store, terminal);
  const meant = refs.filter(wanted);
  const closed = [...unreadable];
  const finds: Find[] = [];
  const breath = breathing(terminal.signal);
  for (const [at, ref] of meant.entries()) {
    const pause = breath();
    if (pause) await pause;
    onRead?.(at, meant.length);
    const head = foundInHead(ref, pattern);
    let snippet: string | undefined;
    try {
      for await (const text of textsOf(converter, store, ref, terminal)) {
        snippet = snippetOf(text, pattern);
        if (snippet !== undefined) break;
      }
    } catch (error) {
      terminal.signal.throwIfAborted();
      closed.push({ path: ref.path, reason: error instanceof Error ? error.message : String(error) });
    }
    const where = head ?? (snippet !== undefined ? "text" : undefined);
    if (where !== undefined) finds.push({ ref, in: where, ...(snippet !== undefined && { snippet }) });
  }
  return {
    finds,
    seen: refs.length,
    unreadable: closed.map((each) => ({ harness: converter.id, ...each })),
  };
}
