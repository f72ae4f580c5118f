/** Brings the index up to what the stores are now; what did not change is neither listed nor read again. */
import { dirname } from "node:path";
import type { Converter, SessionRef, Store, Unreadable } from "@asp-convert/core";
import { BusyError, holdFolder, stampOf } from "@asp-convert/core";
import { breathing } from "../breath.js";
import type { Terminal } from "../terminal.js";
import { sessionsOf } from "../toolkit.js";
import { type Indexed, indexPath, type SearchIndex } from "./index-file.js";
import { extensionsOf, filesOf, isInRows, type Stamps, stampOfSession, stampsOf } from "./stamps.js";
import { textsOf } from "./texts.js";

export interface Opened {
  converter: Converter;
  store: Store;
}

export interface Fresh extends Opened {
  sessions: Indexed[];
  unreadable: Unreadable[];
}

/** Sessions read so far, of those that were to be read. */
export type OnRead = (done: number, total: number) => void;

/** A store looked at: what of it is in the index already, and what is to be read. */
export interface Survey extends Opened {
  /** Of the store, without what narrows it down. */
  whole: Store;
  key: string;
  kept: Indexed[];
  /** Of those that are kept: what the list shows of them is other than before. */
  other: Indexed[];
  gone: Indexed[];
  toRead: { ref: SessionRef; stamp: string }[];
  unreadable: Unreadable[];
  /** Absent: the store is as it was. */
  stamps?: Stamps;
  /** Of the index, when it was compared with. */
  version: number;
}

/** Writes nothing. `onRef`: told of each session as it is found. @throws as the store's own list does */
export async function survey(
  index: SearchIndex,
  { converter, store }: Opened,
  terminal: Terminal,
  onRef: (ref: SessionRef) => void = () => {},
): Promise<Survey> {
  const whole: Store = { harness: store.harness, root: store.root };
  const key = `${converter.id}\0${store.root}`;
  const { version } = index;
  const before = index.stores().get(key);
  const known = before === undefined ? [] : index.sessions(before.id);
  const changed =
    before === undefined ? undefined : await changedIn(before.stamps, known, converter, whole, terminal);
  const about = { converter, store, whole, key, version };
  if (before !== undefined && changed?.length === 0) {
    for (const { ref } of known) onRef(ref);
    return { ...about, kept: known, other: [], gone: [], toRead: [], unreadable: [] };
  }
  const started = Date.now();
  let unreadable: Unreadable[] = [];
  let refs: readonly SessionRef[];
  let stamps: Stamps;
  if (before !== undefined && changed !== undefined) {
    const now = new Map(changed.map((ref) => [keyOf(ref), ref]));
    refs = known.map(({ ref }) => now.get(keyOf(ref)) ?? ref);
    refs.forEach(onRef);
    const extensions = extensionsOf(refs);
    stamps = { ...before.stamps };
    for (const path of changed.flatMap(filesOf)) stamps[path] = stampOf(path, extensions);
  } else {
    ({ refs, unreadable } = await sessionsOf(converter, whole, terminal, onRef));
    stamps = stampsOf(whole, refs, terminal.environment, started);
  }
  const old = new Map(known.map((each) => [keyOf(each.ref), each]));
  const [kept, other]: [Indexed[], Indexed[]] = [[], []];
  const toRead: Survey["toRead"] = [];
  for (const ref of refs) {
    const stamp = stampOfSession(ref);
    const had = old.get(keyOf(ref));
    old.delete(keyOf(ref));
    if (had?.stamp === stamp) {
      const now = { ...had, ref };
      kept.push(now);
      if (JSON.stringify(had.ref) !== JSON.stringify(ref)) other.push(now);
    } else toRead.push({ ref, stamp });
  }
  return { ...about, kept, other, gone: [...old.values()], toRead, unreadable, stamps };
}

/**
 * Takes into the index what a survey found; one session that cannot be read does not stop the rest. Only one process at a
 * time writes: another one waits, and then finds most of it done.
 */
export async function absorb(
  index: SearchIndex,
  found: Survey,
  terminal: Terminal,
  onRead: OnRead = () => {},
): Promise<Fresh> {
  const { converter, store } = found;
  if (found.stamps === undefined)
    return { converter, store, sessions: found.kept, unreadable: found.unreadable };
  const lock = await writing(terminal);
  try {
    const now = index.version === found.version ? found : await survey(index, found, terminal);
    return await take(index, now, terminal, onRead);
  } finally {
    lock.release();
  }
}

/** ms that another search is waited for. */
const PATIENCE = 600_000;

/** To be released. @throws BusyError */
export async function writing(terminal: Terminal): Promise<{ release: () => void }> {
  const folder = dirname(indexPath(terminal.environment));
  try {
    return await holdFolder(folder, 0, terminal.signal);
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    terminal.say("another search is reading the sessions; waiting for it …");
    return holdFolder(folder, PATIENCE, terminal.signal);
  }
}

async function take(
  index: SearchIndex,
  { converter, store, whole, key, kept, other, gone, toRead, unreadable, stamps }: Survey,
  terminal: Terminal,
  onRead: OnRead,
): Promise<Fresh> {
  if (stamps === undefined) return { converter, store, sessions: kept, unreadable };
  const row = index.store(key, store.root);
  for (const each of other) index.setRef(each.row, each.ref);
  for (const each of gone) index.remove(each.row);
  const breath = breathing(terminal.signal);
  for (const [at, { ref, stamp }] of toRead.entries()) {
    const pause = breath();
    if (pause) await pause;
    onRead(at, toRead.length);
    await index.put(row, ref, stamp, textsOf(converter, whole, ref, terminal));
  }
  // A store that could not be read as a whole is looked at again the next time.
  if (unreadable.length === 0) index.setStamps(row, stamps);
  return { converter, store, sessions: index.sessions(row), unreadable };
}

/** The sessions of which only their own files changed, as they are now; undefined: the store is to be listed anew. */
async function changedIn(
  stamps: Stamps,
  known: readonly Indexed[],
  converter: Converter,
  store: Store,
  terminal: Terminal,
): Promise<SessionRef[] | undefined> {
  const paths = Object.keys(stamps);
  if (paths.length === 0) return undefined;
  const extensions = extensionsOf(known.map(({ ref }) => ref));
  const different = paths.filter((path) => stampOf(path, extensions) !== stamps[path]);
  if (different.length === 0) return [];
  const owners = new Map(known.flatMap(({ ref }) => filesOf(ref).map((path) => [path, ref])));
  const theirs = new Set<SessionRef>();
  for (const path of different) {
    const owner = owners.get(path);
    if (owner === undefined || isInRows(owner) || stampOf(path, extensions) === "-") return undefined;
    theirs.add(owner);
  }
  if (theirs.size > MANY) return undefined;
  const now: SessionRef[] = [];
  for (const ref of theirs) {
    const { refs, unreadable } = await sessionsOf(converter, { ...store, focus: ref.path }, terminal);
    const same = refs.find((each) => keyOf(each) === keyOf(ref));
    if (!same || unreadable.length > 0) return undefined;
    now.push(same);
  }
  return now;
}

/** From here on one list of all is sooner made than one for each. */
const MANY = 20;

function keyOf({ id, path }: SessionRef): string {
  return `${id}\0${path}`;
}
