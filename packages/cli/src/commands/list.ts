import type { Converter, SessionRef, Store, Unreadable } from "@asp-convert/core";
import { type Command, InvalidArgumentError } from "commander";
import { exit } from "../errors.js";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import { since } from "../since.js";
import type { Terminal } from "../terminal.js";

interface ListOptions extends CommonOptions {
  harness?: string;
  cwd?: string;
  since?: string;
  grep?: RegExp;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("[path...]", "stores, project folders, session files; none: every store on this machine")
    .option("--harness <id>", "only sessions of this harness")
    .option("--cwd <dir>", "only sessions that worked in this folder or below it")
    .option("--since <time>", "only those active since: 12h, 7d, 2w, 2026-11-30", (text) => since(text))
    .option(
      "--grep <pattern>",
      "only those whose title, id or folder matches (a regular expression, case ignored)",
      pattern,
    );
  withCommon(command, "NDJSON on stdout, one session a line")
    .addHelpText(
      "after",
      "\nThe newest first. Bodies are not read.\n\n  asp-convert list --since 7d\n  asp-convert list ~/.claude --json | jq -r .id",
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
  const found: SessionRef[] = [];
  const closed: (Unreadable & { harness: string })[] = [];
  let seen = 0;
  for (const { converter, store } of stores) {
    try {
      const { refs, unreadable } = await toolkit.sessionsOf(converter, store, terminal);
      closed.push(...unreadable.map((each) => ({ harness: converter.id, ...each })));
      seen += refs.length;
      for (const ref of refs) if (wanted(ref)) found.push(ref);
    } catch (error) {
      terminal.signal.throwIfAborted();
      // Found by ourselves: one broken store must not hide the others. Named by the person: an error.
      if (paths.length > 0) throw error;
      const { failureOf } = await import("../errors.js");
      const { oneLine } = await import("../ui/text.js");
      terminal.warn(`asp-convert: ${oneLine(store.root)} was left out: ${failureOf(error).message}`);
    }
  }
  found.sort(toolkit.newestFirst);
  if (options.json) await ndjson(found, closed, terminal);
  else await show(found, seen, stores, toolkit, terminal);
  const { tellUnreadable } = await import("../run.js");
  tellUnreadable(closed, terminal);
  if (seen === 0 && closed.length > 0) process.exitCode = exit.failed;
}

type Toolkit = typeof import("../toolkit.js");
interface Opened {
  converter: Converter;
  store: Store;
}

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
  const { grep, since } = options;
  const folder = options.cwd === undefined ? undefined : toolkit.absolute(options.cwd, terminal);
  return (ref) =>
    (folder === undefined ||
      (ref.cwd !== undefined && isInside(ref.cwd, folder, terminal.environment.platform))) &&
    (since === undefined || (ref.updatedAt ?? ref.createdAt ?? "") >= since) &&
    (grep === undefined ||
      [ref.title, ref.id, ref.cwd].some((text) => text !== undefined && grep.test(text)));
}

/** What could not be read comes last, as `{harness, path, unreadable: why}`: it has no id. */
async function ndjson(
  refs: readonly SessionRef[],
  closed: readonly (Unreadable & { harness: string })[],
  terminal: Terminal,
): Promise<void> {
  const [{ toJson }, { json }] = await Promise.all([import("../ui/session.js"), import("../ui/json.js")]);
  const rest = closed.map(({ harness, path, reason }) => ({ harness, path, unreadable: reason }));
  for (const line of [...refs.map(toJson), ...rest]) {
    if (terminal.closed) return;
    await terminal.print(json(line));
  }
}

async function show(
  refs: readonly SessionRef[],
  seen: number,
  stores: readonly Opened[],
  toolkit: Toolkit,
  terminal: Terminal,
): Promise<void> {
  const [{ sessionTable }, { standpoint }, { plural }, { shortPath }, { oneLine }] = await Promise.all([
    import("../ui/session.js"),
    import("../run.js"),
    import("../ui/format.js"),
    import("../ui/paths.js"),
    import("../ui/text.js"),
  ]);
  const several = new Set(refs.map(({ harness }) => harness)).size > 1;
  const [head, ...rows] = sessionTable(
    refs,
    standpoint(terminal),
    terminal.columns,
    several ? toolkit.nameOf : undefined,
  );
  if (head !== undefined) await terminal.print(terminal.out.dim(head));
  for (const row of rows) {
    if (terminal.closed) return;
    await terminal.print(row);
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
