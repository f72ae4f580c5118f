/** What an option or an argument can be: asked of what knows it. */
import type { SessionRef } from "@asp-convert/core";
import type { Opened } from "../search/fresh.js";
import type { Terminal } from "../terminal.js";
import { when } from "../ui/format.js";
import { oneLine } from "../ui/text.js";
import { truncate } from "../ui/width.js";

export interface Candidate {
  value: string;
  about: string;
}

/** Candidates, and whether a path may stand there too. */
export interface Values {
  candidates: readonly Candidate[];
  files?: boolean;
  /** What is typed need not begin them. */
  fitted?: boolean;
}

/** A menu of thousands is no menu. */
const MOST = 100;

export const files: Values = { candidates: [], files: true };

export async function harnessIds(way: "from" | "to", terminal: Terminal): Promise<Candidate[]> {
  const [toolkit, { usePlugins }] = await Promise.all([import("../toolkit.js"), import("../plugins/use.js")]);
  await usePlugins({}, [], terminal);
  const all = way === "to" ? [...toolkit.targets(), toolkit.registry.get("bundle")] : toolkit.harnesses;
  return all.map(({ id, name }) => ({ value: id, about: name }));
}

/**
 * Ids of sessions, the newest first, of the store at `path` or of every store here; `typed` begins an id or stands in a
 * title. Through the index where there is one: nothing that is known is listed again.
 */
export async function sessionIds(
  path: string | undefined,
  typed: string,
  terminal: Terminal,
): Promise<Values> {
  const toolkit = await import("../toolkit.js");
  const stores =
    path === undefined
      ? await toolkit.findStores(terminal)
      : await toolkit.openAll(path, undefined, terminal);
  const refs: SessionRef[] = [];
  for (const opened of stores) {
    try {
      refs.push(...(await refsOf(opened, terminal)));
    } catch {
      // A store that cannot be read has nothing to offer; the command itself will say why.
    }
  }
  // An id comes out of a file: one that a terminal would obey, or that would be two lines, is not offered.
  const begin = refs.filter(({ id }) => id.startsWith(typed) && isPlain(id));
  const lower = typed.toLowerCase();
  const found =
    begin.length > 0
      ? begin
      : refs.filter(({ id, title }) => title?.toLowerCase().includes(lower) && isPlain(id));
  const candidates = found
    .sort(toolkit.newestFirst)
    .slice(0, MOST)
    .map(({ id, title, updatedAt, createdAt }) => ({
      value: id,
      about: [when(updatedAt ?? createdAt), truncate(oneLine(title ?? ""), 50)].join(" ").trim(),
    }));
  return { candidates, fitted: true };
}

function isPlain(id: string): boolean {
  return id !== "" && oneLine(id) === id;
}

async function refsOf(opened: Opened, terminal: Terminal): Promise<readonly SessionRef[]> {
  const [{ indexPath, SearchIndex }, { survey }, { sessionsOf, source }] = await Promise.all([
    import("../search/index-file.js"),
    import("../search/fresh.js"),
    import("../toolkit.js"),
  ]);
  const { converter, store } = opened;
  const at = indexPath(terminal.environment);
  const whole = store.focus === undefined && store.project === undefined && store.session === undefined;
  if (!whole || (await source.stat(at)) === undefined)
    return (await sessionsOf(converter, store, terminal)).refs;
  const index = SearchIndex.open(at);
  try {
    const { kept, toRead } = await survey(index, opened, terminal);
    return [...kept, ...toRead].map(({ ref }) => ref);
  } finally {
    index.close();
  }
}

export async function receiptIds({ environment }: Terminal): Promise<Candidate[]> {
  const { listReceipts } = await import("@asp-convert/core");
  return (await listReceipts(environment))
    .filter(({ state }) => state === "done")
    .map(({ id, what }) => ({ value: id, about: oneLine(what) }));
}

export async function shapes(): Promise<Candidate[]> {
  const [{ schemaNames }, { acpSchemaNames }] = await Promise.all([
    import("@asp-convert/core/schema"),
    import("@asp-convert/acp/schema"),
  ]);
  return [...schemaNames, ...acpSchemaNames].map((value) => ({ value, about: "" }));
}
