/** One conversion in memory, with everything there is to know about it afterwards. */
import {
  type Account,
  type Converter,
  checkResume,
  type Environment,
  type Loss,
  type SessionEvent,
  type SessionInput,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Store,
} from "@asp-convert/core";
import { carryOut } from "./apply.js";
import { type Files, sourceOf } from "./files.js";
import { RecordingLedger } from "./recording.js";

/** The machine that conversions in the kit run on: the same everywhere. */
export const ENVIRONMENT: Environment = {
  env: {},
  home: "/home/dev",
  platform: "linux",
  cwd: "/home/dev/demo",
};

/** Where the kit's targets lie. */
export const TARGET_ROOT = "/asp/target";

export interface Route {
  from: Converter;
  ref: SessionRef;
  /** Holds the session's files. */
  source: Source;
  to: Converter;
  root?: string;
  cwd?: string;
  copy?: number;
  /** What lies in the target already. */
  present?: Files;
}

export interface Conversion {
  plan: SessionPlan;
  /** What was written, by absolute path. */
  files: Files;
  /** Of the session, then of its children, depth first. */
  ledgers: readonly RecordingLedger[];
  accounts: readonly Account[];
  losses: readonly Loss[];
  /** The events that passed, in the order of `ledgers`. */
  events: readonly (readonly SessionEvent[])[];
}

/**
 * Reads a session with one converter and writes it with another (or the same).
 * @throws RefusedError and whatever else the converters throw; AccountError if the account does not add up.
 */
export async function convert(route: Route): Promise<Conversion> {
  const { from, ref, source, to, root = TARGET_ROOT, copy = 0, present = new Map() } = route;
  const ledgers: RecordingLedger[] = [];
  const events: SessionEvent[][] = [];

  const input = (session: SessionRef): SessionInput => {
    const ledger = new RecordingLedger(session.id);
    const passed: SessionEvent[] = [];
    ledgers.push(ledger);
    events.push(passed);
    return {
      ref: session,
      ledger,
      source,
      events: () => tee(from.sessions.read(session, { source, environment: ENVIRONMENT, ledger }), passed),
      children: session.children.map(input),
    };
  };

  // What is only read often names no folder: it is given one, as a person gives it with `--cwd`.
  const reads = from.readOnly !== undefined && ref.cwd === undefined;
  const folder = route.cwd ?? (reads ? ENVIRONMENT.cwd : undefined);
  const cwd = folder === undefined ? {} : { cwd: folder };
  for (const session of withChildren(ref)) checkResume(to, session, folder);
  const plan = await to.sessions.write(input(ref), {
    root,
    environment: ENVIRONMENT,
    source: sourceOf(present),
    copy,
    ...cwd,
  });
  const files = await unfold(to, root, await carryOut(plan, present));
  const accounts = ledgers.map((ledger) => ledger.settle());
  return { plan, files, ledgers, accounts, events, losses: ledgers.flatMap((ledger) => ledger.losses) };
}

async function* tee(
  events: AsyncIterable<SessionEvent>,
  passed: SessionEvent[],
): AsyncGenerator<SessionEvent> {
  for await (const event of events) {
    passed.push(event);
    yield event;
  }
}

export interface Reading {
  events: SessionEvent[];
  ledger: RecordingLedger;
}

/** The events of one session (not of its children), whole. */
export async function readAll(converter: Converter, ref: SessionRef, source: Source): Promise<Reading> {
  const ledger = new RecordingLedger(ref.id);
  const events: SessionEvent[] = [];
  for await (const event of converter.sessions.read(ref, { source, environment: ENVIRONMENT, ledger }))
    events.push(event);
  return { events, ledger };
}

/** A store's sessions as `list` gives them: parents with their children inside. */
export async function listAll(converter: Converter, store: Store, source: Source): Promise<SessionRef[]> {
  const refs: SessionRef[] = [];
  for await (const ref of converter.sessions.list(store, { source, environment: ENVIRONMENT }))
    refs.push(ref);
  return refs;
}

/** Opens a store and lists it. */
export async function sessionsIn(converter: Converter, root: string, source: Source): Promise<SessionRef[]> {
  return (await openStore(converter, root, source)).refs;
}

export interface OpenStore {
  refs: SessionRef[];
  /** Where the files that the refs name are read. */
  source: Source;
}

export async function openStore(converter: Converter, root: string, source: Source): Promise<OpenStore> {
  const store = await converter.open(root, source, ENVIRONMENT);
  const refs = await listAll(converter, store, source);
  return { refs, source: (await converter.sessions.view?.(store, source)) ?? source };
}

/**
 * Files that lie on no disk but are shown by a converter (a database's sessions), laid beside those that do, so that
 * checks may look into them and damage them as they do with any file. The same files if there are none.
 */
export async function unfold(converter: Converter, root: string, files: Files): Promise<Files> {
  if (!converter.sessions.view) return files;
  const { refs, source } = await openStore(converter, root, sourceOf(files));
  const all: Files = new Map(files);
  for (const { path } of refs.flatMap(withChildren).flatMap((ref) => ref.files)) {
    if (files.has(path)) continue;
    const file = await source.open(path);
    all.set(path, file.read(0, file.size));
    file.close();
  }
  return all;
}

/** A session and all below it. */
export function withChildren(ref: SessionRef): SessionRef[] {
  return [ref, ...ref.children.flatMap(withChildren)];
}
