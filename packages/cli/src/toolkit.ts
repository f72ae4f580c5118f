/** Core and the converters, loaded when a command really works with them. */
import type {
  Converter,
  Detected,
  Registry,
  SessionRef,
  Source,
  SourceError,
  Store,
  Unreadable,
} from "@asp-convert/core";
import {
  candidateOf,
  createRegistry,
  diskSource,
  expandHome,
  isInside,
  pathOf,
  SeveralStoresError,
} from "@asp-convert/core";
import { builtIn, formats, readers } from "./converters.js";
import { UsageError } from "./errors.js";
import { keepYoungSmall } from "./heap.js";
import type { Terminal } from "./terminal.js";

/** All that a path may be: a store of a harness, or a bundle. */
export let registry: Registry = createRegistry([...builtIn, ...readers, ...formats]);
/** The programs that sessions are read from, and resumed in but for those that are only read. */
export let harnesses: readonly Converter[] = [...builtIn, ...readers];
/** Plugins are there from now on as what is built in. */
export function addConverters(added: readonly Converter[]): void {
  harnesses = [...harnesses, ...added];
  registry = createRegistry([...harnesses, ...formats]);
}
/** The programs that sessions can be resumed in. */
export function targets(): readonly Converter[] {
  return harnesses.filter(({ readOnly }) => readOnly === undefined);
}
/** Where sessions are to go. @throws UnknownHarnessError, UsageError if nothing is written to it */
export function targetOf(id: string): Converter {
  const converter = registry.get(id);
  if (converter.readOnly !== undefined) {
    throw new UsageError(
      `sessions are read from ${converter.name} and not written to it: ${converter.readOnly}`,
      `Choose one of ${targets()
        .map((one) => one.id)
        .join(", ")}.`,
    );
  }
  return converter;
}
export const source: Source = diskSource;

/** What a person typed as a path, absolute. */
export function absolute(path: string, { environment }: Terminal): string {
  return pathOf(environment).resolve(environment.cwd, expandHome(path, environment));
}

/** @param path `-`: a session, or the events of one, on standard input. */
export async function open(path: string, from: string | undefined, terminal: Terminal): Promise<Detected> {
  const { environment } = terminal;
  const whole =
    path === "-" ? await (await import("./stdin.js")).fromStdin(terminal) : absolute(path, terminal);
  return registry.detect(whole, {
    source,
    environment,
    ...(from !== undefined && { from }),
  });
}

/** As `open`; of a home folder with stores of several programs in it, all of them. */
export async function openAll(
  path: string,
  from: string | undefined,
  terminal: Terminal,
): Promise<Detected[]> {
  try {
    return [await open(path, from, terminal)];
  } catch (error) {
    if (!(error instanceof SeveralStoresError)) throw error;
    const opened: Detected[] = [];
    for (const store of error.stores) opened.push(await open(store.path, store.id, terminal));
    return opened;
  }
}

/** Every store on this machine. A converter that cannot look is named; the others go on. */
export function findStores(terminal: Terminal): ReturnType<Registry["findStores"]> {
  return registry.findStores(terminal.environment, source, ({ id }, error) =>
    terminal.warn(
      `asp-convert: ${id} could not look for stores: ${error instanceof Error ? error.message : String(error)}`,
    ),
  );
}

export interface Sessions {
  /** The newest first; those without a time last. */
  refs: SessionRef[];
  /** What may hold more of them, and could not be read. */
  unreadable: Unreadable[];
}

/** Every session of a store that can be read, and what cannot. `onRef`: told of each as it is found. */
export async function sessionsOf(
  converter: Converter,
  store: Store,
  terminal: Pick<Terminal, "environment" | "signal">,
  onRef?: (ref: SessionRef) => void,
): Promise<Sessions> {
  const { environment, signal } = terminal;
  keepYoungSmall();
  const refs: SessionRef[] = [];
  const unreadable = new Map<string, Unreadable>();
  const onUnreadable = ({ path, detail: reason }: SourceError) => {
    const told = [...unreadable.keys()].some((above) => isInside(path, above, environment.platform));
    if (!told) unreadable.set(path, { path, reason });
  };
  for await (const ref of converter.sessions.list(store, { source, environment, signal, onUnreadable })) {
    if (!isOf(ref, store, terminal)) continue;
    refs.push(ref);
    onRef?.(ref);
  }
  return {
    refs: refs.sort(newestFirst),
    unreadable: [...unreadable.values()],
  };
}

/** The harness that a path looks like by itself, if it is another one than it was said to be. */
export async function lookedLike(
  path: string,
  from: Converter,
  terminal: Terminal,
): Promise<Converter | undefined> {
  try {
    const candidate = await candidateOf(absolute(path, terminal), source);
    if ((await from.probe(candidate)) > 0) return undefined;
    return (await open(path, undefined, terminal)).converter;
  } catch {
    return undefined; // whatever it is, it is not plainly something else
  }
}

/** What a store was opened by. */
export function pathOfStore({ session, focus, project, root }: Store): string {
  return session ?? focus ?? project ?? root;
}

/** A project's sessions are those that were held in its folder. */
function isOf(
  { cwd, path }: SessionRef,
  { project, session }: Store,
  { environment }: Pick<Terminal, "environment">,
): boolean {
  if (session !== undefined && path !== session) return false;
  return project === undefined || (cwd !== undefined && isInside(cwd, project, environment.platform));
}

export function newestFirst(a: SessionRef, b: SessionRef): number {
  const [left, right] = [a.updatedAt ?? a.createdAt ?? "", b.updatedAt ?? b.createdAt ?? ""];
  return left < right ? 1 : left > right ? -1 : a.id < b.id ? -1 : 1;
}

/** As people write it; an id that no converter has is given back. */
export function nameOf(harness: string): string {
  return registry.all.find(({ id }) => id === harness)?.name ?? harness;
}
