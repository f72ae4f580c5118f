import type { SessionRef } from "@asp-convert/core";
import { type Command, InvalidArgumentError } from "commander";
import { exit } from "../errors.js";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Opened } from "../search/fresh.js";
import type { Find } from "../search/rank.js";
import type { Searched } from "../search/search.js";
import { since } from "../since.js";
import type { Terminal } from "../terminal.js";

interface ListOptions extends CommonOptions {
  harness?: string;
  cwd?: string;
  since?: string;
  grep?: RegExp;
  index: boolean;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("[path...]", "stores, project folders, session files; none: every store on this machine")
    .option("--harness <id>", "only sessions of this harness")
    .option("--cwd <dir>", "only sessions that worked in this folder or below it")
    .option("--since <time>", "only those active since: 12h, 7d, 2w, 2026-11-30", (text) => since(text))
    .option(
      "--grep <pattern>",
      "only those in whose title, id, folder or text this is (a regular expression, case ignored), the best first",
      pattern,
    )
    .option("--no-index", "with --grep: read every text anew, and keep nothing of it");
  withCommon(command, "NDJSON on stdout, one session a line")
    .addHelpText(
      "after",
      `
The newest first; only --grep reads texts. It looks through what you and the agent said: not through thinking, tool
calls and their results. What it read it keeps in an index that only you can read (search/ in the folder of
asp-convert's state), so that the next search takes a blink.

  asp-convert list --since 7d
  asp-convert list --grep "rate limit"
  asp-convert list ~/.claude --json | jq -r .id`,
    )
    .action((paths: string[], options: ListOptions) => run(paths, options, terminal));
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, "iu");
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

async function run(paths: readonly string[], options: ListOptions, terminal: Terminal): Promise<void> {
  const toolkit = await import("../toolkit.js");
  const stores = await storesOf(paths, options, toolkit, terminal);
  const wanted = await filter(options, toolkit, terminal);
  // Found by ourselves: one broken store must not hide the others. Named by the person: an error.
  const onFailed = paths.length > 0 ? undefined : await leavingOut(terminal);
  const { finds, seen, unreadable } = options.grep
    ? await searched(stores, options.grep, wanted, { index: options.index, onFailed }, terminal)
    : await listed(stores, wanted, onFailed, toolkit, terminal);
  if (options.json) await ndjson(finds, unreadable, terminal);
  else await show(finds, seen, stores, toolkit, terminal);
  const { tellUnreadable } = await import("../run.js");
  tellUnreadable(unreadable, terminal);
  if (seen === 0 && unreadable.length > 0) process.exitCode = exit.failed;
}

type OnFailed = (opened: Opened, error: unknown) => void;
type Listed = Omit<Searched, "finds"> & { finds: (Pick<Find, "ref"> & Partial<Find>)[] };

async function leavingOut(terminal: Terminal): Promise<OnFailed> {
  const [{ failureOf }, { oneLine }] = await Promise.all([import("../errors.js"), import("../ui/text.js")]);
  return ({ store }, error) =>
    terminal.warn(`asp-convert: ${oneLine(store.root)} was left out: ${failureOf(error).message}`);
}

async function listed(
  stores: readonly Opened[],
  wanted: (ref: SessionRef) => boolean,
  onFailed: OnFailed | undefined,
  toolkit: Toolkit,
  terminal: Terminal,
): Promise<Listed> {
  const found: SessionRef[] = [];
  const closed: Listed["unreadable"] = [];
  let seen = 0;
  for (const opened of stores) {
    const { converter, store } = opened;
    try {
      const { refs, unreadable } = await toolkit.sessionsOf(converter, store, terminal);
      closed.push(...unreadable.map((each) => ({ harness: converter.id, ...each })));
      seen += refs.length;
      for (const ref of refs) if (wanted(ref)) found.push(ref);
    } catch (error) {
      terminal.signal.throwIfAborted();
      if (!onFailed) throw error;
      onFailed(opened, error);
    }
  }
  return { finds: found.sort(toolkit.newestFirst).map((ref) => ({ ref })), seen, unreadable: closed };
}

async function searched(
  stores: readonly Opened[],
  pattern: RegExp,
  wanted: (ref: SessionRef) => boolean,
  { index, onFailed }: { index: boolean; onFailed: OnFailed | undefined },
  terminal: Terminal,
): Promise<Listed> {
  const [{ search }, { ranked }, { progressLine }] = await Promise.all([
    import("../search/search.js"),
    import("../search/rank.js"),
    import("../progress.js"),
  ]);
  const progress = progressLine(terminal);
  try {
    const onRead = (done: number, total: number) => progress.update({ index: done + 1, total });
    const more = { wanted, index, onRead, ...(onFailed && { onFailed }) };
    const found = await search(stores, pattern, more, terminal);
    return { ...found, finds: ranked(found.finds) };
  } finally {
    progress.end();
  }
}

type Toolkit = typeof import("../toolkit.js");
async function storesOf(
  paths: readonly string[],
  { harness }: ListOptions,
  toolkit: Toolkit,
  terminal: Terminal,
): Promise<Opened[]> {
  if (harness !== undefined) toolkit.registry.get(harness);
  if (paths.length > 0) {
    const opened: Opened[] = [];
    const { expandGlobs } = await import("../globs.js");
    for (const path of await expandGlobs(paths, terminal))
      opened.push(...(await toolkit.openAll(path, harness, terminal)));
    return opened;
  }
  const all = await toolkit.findStores(terminal);
  return all.filter(({ converter }) => harness === undefined || converter.id === harness);
}

async function filter(
  options: ListOptions,
  toolkit: Toolkit,
  terminal: Terminal,
): Promise<(ref: SessionRef) => boolean> {
  const { isInside } = await import("@asp-convert/core");
  const { since } = options;
  const folder = options.cwd === undefined ? undefined : toolkit.absolute(options.cwd, terminal);
  return (ref) =>
    (folder === undefined ||
      (ref.cwd !== undefined && isInside(ref.cwd, folder, terminal.environment.platform))) &&
    (since === undefined || (ref.updatedAt ?? ref.createdAt ?? "") >= since);
}

/** Where `--grep` found something it says so in `match`. What could not be read comes last, as `{harness, path, unreadable: why}`: it has no id. */
async function ndjson(
  finds: Listed["finds"],
  closed: Listed["unreadable"],
  terminal: Terminal,
): Promise<void> {
  const [{ toJson }, { json }] = await Promise.all([import("../ui/session.js"), import("../ui/json.js")]);
  const rest = closed.map(({ harness, path, reason }) => ({ harness, path, unreadable: reason }));
  const found = finds.map(({ ref, in: where, snippet }) => ({
    ...toJson(ref),
    ...(where !== undefined && { match: { in: where, ...(snippet !== undefined && { snippet }) } }),
  }));
  for (const line of [...found, ...rest]) {
    if (terminal.closed) return;
    await terminal.print(json(line));
  }
}

async function show(
  finds: Listed["finds"],
  seen: number,
  stores: readonly Opened[],
  toolkit: Toolkit,
  terminal: Terminal,
): Promise<void> {
  const [{ sessionTable }, { standpoint }, { plural }, { shortPath }, { oneLine }, { truncate }] =
    await Promise.all([
      import("../ui/session.js"),
      import("../run.js"),
      import("../ui/format.js"),
      import("../ui/paths.js"),
      import("../ui/text.js"),
      import("../ui/width.js"),
    ]);
  const refs = finds.map(({ ref }) => ref);
  const several = new Set(refs.map(({ harness }) => harness)).size > 1;
  const [head, ...rows] = sessionTable(
    refs,
    standpoint(terminal),
    terminal.columns,
    several ? toolkit.nameOf : undefined,
  );
  if (head !== undefined) await terminal.print(terminal.out.dim(head));
  for (const [at, row] of rows.entries()) {
    if (terminal.closed) return;
    await terminal.print(row);
    const snippet = oneLine(finds[at]?.snippet ?? "");
    if (snippet !== "")
      await terminal.print(terminal.out.dim(`  ${truncate(snippet, (terminal.columns ?? 120) - 2)}`));
  }
  const where = stores
    .map(({ store }) => oneLine(shortPath(toolkit.pathOfStore(store), standpoint(terminal))))
    .join(", ");
  if (stores.length === 0) {
    const { rootsOf } = await import("@asp-convert/core");
    const looked = toolkit.registry.all.flatMap((converter) => rootsOf(converter, terminal.environment));
    terminal.say(
      `no stores found; looked for ${looked.map((path) => shortPath(path, standpoint(terminal))).join(", ")}`,
    );
  } else if (refs.length < seen) terminal.say(`${refs.length} of ${plural(seen, "session")} in ${where}`);
  else terminal.say(`${plural(seen, "session")} in ${where}`);
}
