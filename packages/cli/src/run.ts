/** What `convert`, `compare`, `export` and `import` share: from options to a request, from a report to lines. */
import type { Converter, ConvertRequest, Report, SessionRef, Store } from "@asp-convert/core";
import { UsageError } from "./errors.js";
import { forbidden } from "./losses.js";
import type { LossOptions, SessionOptions, TargetOptions } from "./options.js";
import { selectSessions } from "./select.js";
import type { Terminal } from "./terminal.js";
import { absolute, nameOf, open, registry, sessionsOf, source } from "./toolkit.js";
import { shortPath } from "./ui/paths.js";
import type { ReportView } from "./ui/report.js";
import { quote, quotePath } from "./ui/shell.js";

const KINDS = ["sessions", "instructions", "skills", "tools", "memory", "settings"];

export interface Chosen {
  from: Converter;
  store: Store;
  refs: SessionRef[];
  /** As it is shown. */
  where: string;
}

export async function choose(path: string, options: SessionOptions, terminal: Terminal): Promise<Chosen> {
  for (const kind of options.kinds ?? []) {
    if (!KINDS.includes(kind))
      throw new UsageError(`there is no kind "${kind}"`, `Kinds: ${KINDS.join(", ")}`);
  }
  const { converter, store } = await open(path, options.from, terminal);
  const where = shortPath(store.focus ?? store.root, standpoint(terminal));
  const refs = await selectSessions(await sessionsOf(converter, store, terminal), options, where, terminal);
  return { from: converter, store, refs, where };
}

export function requestOf(
  chosen: Chosen,
  options: TargetOptions & Partial<LossOptions>,
  terminal: Terminal,
): ConvertRequest {
  const { from, store, refs } = chosen;
  const { environment, signal } = terminal;
  const to = registry.get(options.to);
  const forbid = forbidden(options);
  return {
    from,
    store,
    refs,
    to,
    root: rootOf(from, to, options, terminal),
    environment,
    source,
    installed: options.install === true,
    signal,
    ...(options.cwd !== undefined && { cwd: absolute(options.cwd, terminal) }),
    ...(options.dryRun && { dryRun: true }),
    ...(forbid && { forbid }),
  };
}

function rootOf(from: Converter, to: Converter, { out, install }: TargetOptions, terminal: Terminal): string {
  if (!install)
    return absolute(out ?? (to.container ? `asp-out/${from.id}.asp` : `asp-out/${to.id}`), terminal);
  const [root] = to.locate(terminal.environment);
  if (root === undefined)
    throw new UsageError(`${to.name} has no store of its own on this system`, "Use --out DIR.");
  return root;
}

export function standpoint({ environment: { cwd, home } }: Terminal): { cwd: string; home: string } {
  return { cwd, home };
}

export async function viewOf(
  report: Report,
  terminal: Terminal,
  more: Partial<ReportView> = {},
): Promise<ReportView> {
  const absent = new Set<string>();
  for (const { resume } of report.sessions) {
    if (
      resume?.cwd !== undefined &&
      (await source.stat(resume.cwd).catch(() => undefined))?.kind !== "directory"
    ) {
      absent.add(resume.cwd);
    }
  }
  return {
    ...standpoint(terminal),
    nameOf,
    style: terminal.out,
    columns: Math.min(terminal.columns ?? 100, 120),
    platform: terminal.environment.platform,
    program: programName(terminal),
    absent,
    ...more,
  };
}

/** A path to paste into a command that is run here. */
export function pastePath(path: string, terminal: Terminal): string {
  const { home, platform } = terminal.environment;
  const short = shortPath(path, { cwd: terminal.environment.cwd, home: undefined });
  const fromHome = quotePath(path, home, platform);
  return short.length < fromHome.length ? quote(short, platform) : fromHome;
}

/** As the person called it, so that what is shown can be pasted. */
export function programName({ environment: { env } }: Terminal): string {
  return env.npm_command === "exec" ? "npx asp-convert" : "asp-convert";
}
