/** What `convert`, `compare`, `export` and `import` share: from options to a request, from a report to lines. */
import type {
  Converter,
  ConvertRequest,
  Detected,
  Report,
  SessionRef,
  Store,
  Unreadable,
} from "@asp-convert/core";
import { SeveralStoresError, TieError } from "@asp-convert/core";
import { CommandError, UsageError } from "./errors.js";
import { forbidden } from "./losses.js";
import type { LossOptions, SessionOptions, StateOptions, TargetOptions } from "./options.js";
import { named } from "./plugins/named.js";
import { selectSessions } from "./select.js";
import { type Kind, kindsOf, stateRequest } from "./state.js";
import type { Terminal } from "./terminal.js";
import { absolute, lookedLike, nameOf, open, pathOfStore, sessionsOf, source, targetOf } from "./toolkit.js";
import { trailOf } from "./trail.js";
import { shortPath } from "./ui/paths.js";
import type { ReportView } from "./ui/report.js";
import { quote, quotePath } from "./ui/shell.js";
import { unreadableLines } from "./ui/unreadable.js";

export interface Chosen {
  from: Converter;
  store: Store;
  refs: SessionRef[];
  unreadable: Unreadable[];
  kinds: readonly Kind[];
  /** As it is shown. */
  where: string;
}

export async function choose(
  path: string,
  options: SessionOptions & { to?: string },
  terminal: Terminal,
): Promise<Chosen> {
  const { converter, store } = await openFor(path, options, terminal);
  const kinds = isFormat(converter) && !options.kinds ? (["sessions"] as const) : kindsOf(options, store);
  const where = shortPath(pathOfStore(store), standpoint(terminal));
  const { refs: all, unreadable } = kinds.includes("sessions")
    ? await sessionsOf(converter, store, terminal)
    : { refs: [], unreadable: [] };
  if (all.length === 0 && options.from !== undefined) await refuseOther(path, converter, terminal);
  // A store without any session may hold the other kinds.
  const none = all.length === 0 && unreadable.length === 0 && kinds.some((kind) => kind !== "sessions");
  const refs = none ? [] : await selectSessions({ refs: all, unreadable }, options, where, terminal);
  tellUnreadable(unreadable, terminal);
  return { from: converter, store, refs, unreadable, kinds, where };
}

/** `--from` with the wrong name: nothing is found, and no wonder. */
export async function refuseOther(path: string, from: Converter, terminal: Terminal): Promise<void> {
  const other = await lookedLike(path, from, terminal);
  if (!other) return;
  throw new CommandError(`${path}: nothing of ${from.name} is here; it looks like ${other.name}`, {
    code: "wrong-harness",
    next: `Leave out --from, or say --from ${other.id}.`,
  });
}

/** On stderr, whatever the output is for. */
export function tellUnreadable(unreadable: readonly Unreadable[], terminal: Terminal): void {
  for (const line of unreadableLines(unreadable, standpoint(terminal))) terminal.warn(`not read: ${line}`);
}

/** What two programs share, a project or a home folder, is the other one's where it is to be converted to one of them. */
async function openFor(
  path: string,
  { from, to }: { from?: string; to?: string },
  terminal: Terminal,
): Promise<Detected> {
  try {
    return await open(path, from, terminal);
  } catch (error) {
    const candidates =
      error instanceof TieError
        ? error.candidates
        : error instanceof SeveralStoresError
          ? error.stores.map(({ id }) => id)
          : [];
    const others = candidates.filter((id) => id !== to);
    const [other] = others;
    if (other === undefined || others.length > 1) throw error;
    return open(path, other, terminal);
  }
}

export function requestOf(
  chosen: Chosen,
  options: TargetOptions & StateOptions & SessionOptions & Partial<LossOptions>,
  terminal: Terminal,
): ConvertRequest {
  const { from, store, refs, unreadable, kinds } = chosen;
  const { environment, signal } = terminal;
  const to = targetOf(options.to);
  const forbid = forbidden(options);
  const file = fileOf(to, chosen, options, terminal);
  const root = rootOf(
    from,
    to,
    file === undefined || to.container ? options : { ...options, install: true },
    terminal,
  );
  return {
    from,
    store,
    refs,
    unreadable,
    to,
    root,
    ...(file === undefined && !isFormat(to)
      ? stateRequest(from, store, to, root, kinds, options, terminal)
      : file !== undefined && { file }),
    environment,
    source,
    ...(options.remember !== false && { trail: trailOf(terminal) }),
    installed: options.install === true,
    signal,
    ...(options.cwd !== undefined && { cwd: absolute(options.cwd, terminal) }),
    ...(options.carryEvidence && { carry: true }),
    ...(options.dryRun && { dryRun: true }),
    ...(options.share && { share: true }),
    ...(forbid && { forbid }),
  };
}

/** `--out FILE.json`, for a program that takes a session in from such a file: its path. */
function fileOf(
  to: Converter,
  { refs, kinds }: Chosen,
  { out, kinds: named }: TargetOptions & SessionOptions,
  terminal: Terminal,
): string | undefined {
  const extension = to.sessions.file?.extension ?? ".json";
  if (out === undefined || (to.container && !isFormat(to)) || !out.toLowerCase().endsWith(extension))
    return undefined;
  if (!to.sessions.file)
    throw new UsageError(`${to.name} takes no session in from a file of its own`, "--out names a folder.");
  if (refs.length !== 1) {
    throw new UsageError(
      `one session goes into a file, and ${refs.length === 0 ? "there is none" : `${refs.length} are chosen`}`,
      refs.length === 0 ? "Use --out DIR." : "Choose it with --session ID or --latest, or use --out DIR.",
    );
  }
  const other = named && kinds.find((kind) => kind !== "sessions");
  if (other !== undefined)
    throw new UsageError(`${out} holds a session; ${other} go to a store`, "Use --out DIR or --install.");
  return absolute(out, terminal);
}

function rootOf(from: Converter, to: Converter, { out, install }: TargetOptions, terminal: Terminal): string {
  if (!install) return absolute(out ?? defaultOut(from, to), terminal);
  const [root] = to.locate(terminal.environment);
  if (root === undefined)
    throw new UsageError(`${to.name} has no store of its own on this system`, "Use --out DIR.");
  return root;
}

/** It holds sessions, a file each, and nothing else. */
function isFormat({ container, sessions }: Converter): boolean {
  return container === true && sessions.file !== undefined;
}

/** A bundle is named after what is in it; everything else after where it goes. */
export function defaultOut(from: Converter, to: Converter): string {
  return to.container && !isFormat(to) ? `asp-out/${from.id}.asp` : `asp-out/${to.id}`;
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

/** As the person called it, with the plugins they named, so that what is shown can be pasted. */
export function programName({ environment: { env, platform } }: Terminal): string {
  const name = env.npm_command === "exec" ? "npx asp-convert" : "asp-convert";
  return [name, ...named.map((plugin) => `--plugin ${quote(plugin, platform)}`)].join(" ");
}
