/**
 * What the command does, for programs: sessions listed, read, and converted, each as an async iterable. What is asked for is
 * read when it is asked for: a loop that waits holds the rest back, one that ends early ends the work, and so do the
 * streams that Node makes of iterables (`Readable.from`, `ReadableStream.from`).
 */
import { homedir } from "node:os";
import {
  type Converter,
  type ConvertRequest,
  convert as convertOnce,
  createRegistry,
  type Detected,
  diskSource,
  type Environment,
  expandHome,
  LossLedger,
  pathOf,
  type Report,
  type SessionEvent,
  type SessionRef,
  SourceError,
  stateFolder,
  type Trail,
} from "@asp-convert/core";
import { builtIn, formats, readers } from "./converters.js";

export interface ReadOptions {
  /** The id of a converter, where a path is not to be recognised by what is in it. */
  from?: string;
  /** Converters beside those that are built in. */
  plugins?: readonly Converter[];
  /** Stops the work: it throws the signal's reason, and what was begun is taken back. */
  signal?: AbortSignal;
  /** Default: that of this process. */
  environment?: Partial<Environment>;
}

export interface OneSession extends ReadOptions {
  /** Native id. Default: the newest session. */
  session?: string;
}

export interface ConvertTarget extends Pick<ConvertRequest, "cwd" | "dryRun" | "forbid" | "share"> {
  /** The id of a converter. */
  to: string;
  /** A folder, laid out as the target's own store. */
  out: string;
  /** Remember the conversion, so that the session can come home. Default: no. */
  remember?: boolean;
}

export interface ConvertOptions extends ReadOptions {
  /** Native ids. Default: all sessions, the newest first. */
  sessions?: readonly string[];
}

/** The sessions of a store, project, file or bundle, in the order that the store gives them in. @throws SourceError */
export async function* list(path: string, options: ReadOptions = {}): AsyncGenerator<SessionRef> {
  const { converter, store } = await opened(path, options);
  yield* converter.sessions.list(store, { source: diskSource, ...context(options) });
}

/** One session as portable events, in order. @throws SourceError */
export async function* read(path: string, options: OneSession = {}): AsyncGenerator<SessionEvent> {
  const detected = await opened(path, options);
  const { converter, store } = detected;
  const wanted = options.session === undefined ? undefined : [options.session];
  const [ref] = await chosen(detected, wanted, options);
  if (!ref) return;
  const source = (await converter.sessions.view?.(store, diskSource)) ?? diskSource;
  const ledger = new LossLedger(ref.id);
  yield* converter.sessions.read(ref, { source, ledger, ...context(options) });
}

/**
 * Converts sessions, each as a run of its own: when its report is given, it is there. Where the loop ends early, those
 * that were told of stay, and of no other there is anything.
 * @throws RefusedError, SourceError, AccountError, ForbiddenLossError, WriteError, BusyError: of that session nothing
 * was written
 */
export async function* convert(
  path: string,
  { to, out, remember, ...target }: ConvertTarget,
  options: ConvertOptions = {},
): AsyncGenerator<Report> {
  const detected = await opened(path, options);
  const { environment, signal } = context(options);
  const converter = registryOf(options).get(to);
  const trail = remember ? await trailOf(options) : undefined;
  for (const ref of await chosen(detected, options.sessions, options)) {
    signal?.throwIfAborted();
    yield await convertOnce({
      ...target,
      from: detected.converter,
      store: detected.store,
      refs: [ref],
      to: converter,
      root: absolute(out, environment),
      environment,
      source: diskSource,
      installed: false,
      ...(signal && { signal }),
      ...(trail && { trail }),
    });
  }
}

/** In the folder that also holds the receipts, as the command has it. */
async function trailOf(options: ReadOptions): Promise<Trail> {
  const { createTrail, SessionLog } = await import("@asp-convert/store");
  const { environment } = context(options);
  const log = new SessionLog(`${stateFolder(environment)}/log`, diskSource);
  const { all } = registryOf(options);
  return createTrail({ log, converterOf: (id) => all.find((converter) => converter.id === id) });
}

function context(options: ReadOptions): { environment: Environment; signal?: AbortSignal } {
  const { env, platform } = process;
  const own = { env, platform, home: homedir(), cwd: process.cwd() };
  return {
    environment: { ...own, ...options.environment },
    ...(options.signal && { signal: options.signal }),
  };
}

function registryOf({ plugins = [] }: ReadOptions) {
  return createRegistry([...builtIn, ...readers, ...plugins, ...formats]);
}

function absolute(path: string, environment: Environment): string {
  return pathOf(environment).resolve(environment.cwd, expandHome(path, environment));
}

function opened(path: string, options: ReadOptions): Promise<Detected> {
  const { environment } = context(options);
  const from = options.from === undefined ? {} : { from: options.from };
  return registryOf(options).detect(absolute(path, environment), {
    source: diskSource,
    environment,
    ...from,
  });
}

/** The newest first. @throws SourceError naming an id that is not there */
async function chosen(
  { converter, store }: Detected,
  ids: readonly string[] | undefined,
  options: ReadOptions,
): Promise<SessionRef[]> {
  const refs: SessionRef[] = [];
  const listing = { source: diskSource, ...context(options) };
  for await (const ref of converter.sessions.list(store, listing))
    if (store.session === undefined || ref.path === store.session) refs.push(ref);
  refs.sort((a, b) => ((a.updatedAt ?? "") < (b.updatedAt ?? "") ? 1 : -1));
  return (
    ids?.map((id) => {
      const ref = refs.find((each) => each.id === id);
      if (!ref) throw new SourceError(store.root, "missing", `there is no session ${id}`);
      return ref;
    }) ?? refs
  );
}
