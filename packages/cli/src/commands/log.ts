import type { Revision } from "@asp-convert/store";
import type { Command } from "commander";
import { CommandError, exit, UsageError } from "../errors.js";
import type { LogOptions } from "../options.js";
import { filled, withLog } from "../options.js";
import { since } from "../since.js";
import type { Terminal } from "../terminal.js";

interface ExportOptions extends LogOptions {
  revision?: number;
  to?: string;
  out?: string;
}

export function define(command: Command, terminal: Terminal): void {
  command.action(() => {
    throw new UsageError("say what of the log", "list, show, export, verify or gc: `asp-convert log --help`");
  });
  command.addHelpText(
    "after",
    "\nThe log keeps what sessions were when they were converted, byte for byte, and where they went." +
      "\n\n  asp-convert log list\n  asp-convert log export 0199c1de --to claude --out ./as-it-was",
  );
  withLog(command.command("list").description("the sessions that are kept, each state of them")).action(
    (options: LogOptions) => list(options, terminal),
  );
  withLog(
    command.command("show").description("one session: its files and their hashes").argument("<session>"),
  ).action((session: string, options: LogOptions) => show(session, options, terminal));
  withLog(
    command
      .command("export")
      .description("a session as it was, into a bundle or a program's store")
      .argument("<session>")
      .option("--revision <n>", "which state of it, as `log list` numbers them (default: the last)", whole)
      .option("--to <id>", "a harness instead of a bundle")
      .option("--out <dir>", "where to (default: ./asp-out/…)", filled),
  ).action((session: string, options: ExportOptions) => exportKept(session, options, terminal));
  withLog(command.command("verify").description("reads every frame and every kept byte again")).action(
    (options: LogOptions) => verify(options, terminal),
  );
  withLog(
    command
      .command("gc")
      .description("removes bytes that no conversion needs")
      .option("--older-than <time>", "forget conversions from before: 90d, 2026-11-30", (text) =>
        since(text),
      ),
  ).action((options: LogOptions & { olderThan?: string }) => gc(options, terminal));
}

function whole(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1)
    throw new UsageError(`"${text}" is no revision: they are numbered from 1`);
  return n;
}

async function load({ log: folder }: LogOptions, terminal: Terminal) {
  const [store, { logIn }] = await Promise.all([import("@asp-convert/store"), import("../trail.js")]);
  return { ...store, log: await logIn(folder, terminal) };
}

async function list(options: LogOptions, terminal: Terminal): Promise<void> {
  const [{ log, revisions }, { nameOf }, { bytes, when }, { oneLine }, { table }] = await Promise.all([
    load(options, terminal),
    import("../toolkit.js"),
    import("../ui/format.js"),
    import("../ui/text.js"),
    import("../ui/table.js"),
  ]);
  const all = await revisions(log);
  if (options.json)
    return terminal.print(
      all
        .map((each) => `${JSON.stringify(plain(each))}\n`)
        .join("")
        .trimEnd(),
    );
  if (all.length === 0) return terminal.say(`no session is kept in ${log.root}`);
  const rows = all.map(({ revision, at, why, session, size }) => [
    nameOf(session.harness),
    session.id,
    String(revision),
    when(at),
    why,
    bytes(size),
    session.title ?? "",
  ]);
  const heads = [
    { head: "program" },
    { head: "session" },
    { head: "rev", align: "right" as const },
    { head: "kept" },
    { head: "why" },
    { head: "size", align: "right" as const },
    { head: "title", shrink: 12 },
  ];
  const [head = "", ...lines] = table(
    heads,
    rows.map((row) => row.map(oneLine)),
    terminal.columns,
  );
  await terminal.print([terminal.out.dim(head), ...lines].join("\n"));
}

function plain({ revision, at, why, session, size }: Revision) {
  const { harness, id, store, title, cwd, path } = session;
  return { harness, id, ...(store !== undefined && { store }), revision, at, why, size, title, cwd, path };
}

async function find(
  id: string,
  wanted: number | undefined,
  options: LogOptions,
  terminal: Terminal,
): Promise<Revision> {
  const { log, revisions, identityOf } = await load(options, terminal);
  const matching = (await revisions(log)).filter(
    ({ session }) => session.id.startsWith(id) || session.path === id,
  );
  const named = new Map(
    matching.map(({ session }) => [identityOf(session), `${session.harness} ${session.id}`] as const),
  );
  if (named.size > 1) {
    const names = [...new Set(named.values())];
    // The same id in two stores: only the path tells them apart.
    const told =
      names.length === named.size ? names : [...new Set(matching.map(({ session }) => session.path))];
    throw new UsageError(`several sessions begin with ${id}: ${told.join(", ")}`);
  }
  const found = wanted === undefined ? matching.at(-1) : matching.find(({ revision }) => revision === wanted);
  if (found) return found;
  throw new CommandError(
    matching.length > 0
      ? `session ${id} has no revision ${wanted}`
      : `no session ${id} is kept in ${log.root}`,
    { code: "missing", next: "`asp-convert log list` shows what is kept." },
  );
}

async function show(id: string, options: LogOptions, terminal: Terminal): Promise<void> {
  const [found, { lineageOf, log }, { bytes, when }, { oneLine }] = await Promise.all([
    find(id, undefined, options, terminal),
    load(options, terminal),
    import("../ui/format.js"),
    import("../ui/text.js"),
  ]);
  const { session } = found;
  if (options.json) {
    const { relations } = await lineageOf(log, session.id);
    return terminal.print(JSON.stringify({ asp: 1, ...plain(found), session, relations }, undefined, 2));
  }
  const lines = [
    `${terminal.out.bold(`${session.harness} ${session.id}`)}   revision ${found.revision}, kept ${when(found.at)}`,
    ...[session.title, session.cwd, session.path].flatMap((text) => (text ? [`  ${oneLine(text)}`] : [])),
    ...[session, ...session.children].flatMap(({ files }) =>
      files.map(({ relative, size, sha256 }) => `  ${sha256}  ${bytes(size)}  ${oneLine(relative)}`),
    ),
  ];
  await terminal.print(lines.join("\n"));
}

async function exportKept(id: string, options: ExportOptions, terminal: Terminal): Promise<void> {
  const [
    found,
    { log, openKept },
    { registry, absolute, targetOf },
    { convert },
    { showReport },
    { defaultOut },
  ] = await Promise.all([
    find(id, options.revision, options, terminal),
    load(options, terminal),
    import("../toolkit.js"),
    import("@asp-convert/core"),
    import("../show.js"),
    import("../run.js"),
  ]);
  const { environment, signal } = terminal;
  const from = registry.get(found.adapter ?? found.session.harness);
  const kept = await openKept(log, found, from, environment);
  if (!kept)
    throw new CommandError(`some bytes of session ${found.session.id} are gone`, {
      code: "missing",
      next: "`asp-convert log verify` says which.",
    });
  const to = targetOf(options.to ?? "bundle");
  const out = options.out ?? defaultOut(from, to);
  const started = performance.now();
  const report = await convert({
    ...{ from, store: kept.store, refs: [kept.ref], to, root: absolute(out, terminal), environment },
    ...{ source: kept.source, installed: false, signal },
  });
  const elapsedMs = performance.now() - started;
  await showReport(report, options, { elapsedMs, archived: new Set() }, terminal);
}

async function verify(options: LogOptions, terminal: Terminal): Promise<void> {
  const [{ log, checkLog }, { bytes, plural }, { oneLine }] = await Promise.all([
    load(options, terminal),
    import("../ui/format.js"),
    import("../ui/text.js"),
  ]);
  const check = await checkLog(log);
  const damaged = check.faults.filter(({ kind }) => kind === "damaged");
  if (damaged.length > 0 || check.broken.length > 0) process.exitCode = exit.failed;
  if (options.json) return terminal.print(JSON.stringify({ asp: 1, log: log.root, ...check }, undefined, 2));
  const lines = [
    `${plural(check.frames, "frame")}, ${plural(check.sessions, "session")}, ${bytes(check.bytes)} of their own bytes: read again`,
    ...check.faults.map(({ kind, frame, frames, offset, length, path }) =>
      kind === "torn"
        ? `  the last frame is not whole (${length} bytes from ${offset} of ${path}): the next write cuts it off; it was never acknowledged`
        : `  damaged: frame ${frame}${frames > 1 ? ` to ${frame + frames - 1}` : ""}, bytes ${offset} to ${offset + length - 1} of ${path}`,
    ),
    ...check.broken.map(
      ({ session, file, problem }) => `  session ${session}, ${oneLine(file)}: ${oneLine(problem)}`,
    ),
  ];
  await terminal.print(lines.join("\n"));
}

async function gc(options: LogOptions & { olderThan?: string }, terminal: Terminal): Promise<void> {
  const [{ log, collect }, { bytes, plural }] = await Promise.all([
    load(options, terminal),
    import("../ui/format.js"),
  ]);
  const done = await collect(log, options.olderThan === undefined ? 0 : Date.parse(options.olderThan));
  if (options.json) return terminal.print(JSON.stringify({ asp: 1, log: log.root, ...done }, undefined, 2));
  await terminal.print(
    `${plural(done.conversions, "conversion")} and ${plural(done.sessions, "captured session")} forgotten, ${plural(done.pieces, "piece")} removed (${bytes(done.bytes)})`,
  );
}
