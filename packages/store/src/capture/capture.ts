/**
 * Follows a live store. Its sessions' bytes are kept a moment after they come; what they tell is read when it is quiet,
 * or often enough while it is not. Where it left off stands in the log itself: what was kept is compared with what is there.
 */
import {
  BusyError,
  type Converter,
  type Environment,
  type SessionRef,
  type Source,
  SourceError,
  type Store,
} from "@asp-convert/core";
import { stateOf } from "../captured/summary.js";
import type { SessionLog } from "../session-log.js";
import { watchChanges } from "./changes.js";
import { family, type Seen, SessionCapture } from "./session.js";

export interface CaptureOptions {
  log: SessionLog;
  converter: Converter;
  /** As the converter opened it. */
  store: Store;
  source: Source;
  environment: Environment;
  /** Ends it: what has come by then is kept. Absent: it ends when all that is there is kept. */
  signal?: AbortSignal;
  onSeen?: (ref: SessionRef, seen: Seen) => void;
  onUnreadable?: (error: SourceError) => void;
  /** It follows: nothing that comes from now on is missed. `why`: it has to look again and again, because. */
  onFollowing?: (why?: string) => void;
  /** @see WatchOptions.poll */
  poll?: number;
}

/** From a change to the bytes of it being kept, in ms. */
const AT_ONCE = 100;
/** From the last change to what it tells being read; grows with what reading takes. */
const QUIET = 400;
/** Reading takes at most about this part of the time. */
const SHARE = 0.1;
/** While it goes on and on it is read this often nevertheless, in ms. */
const AT_LEAST_EVERY = 5000;
/** From a change of a file that is no session's to looking whether there is a new session, in ms. */
const LOOK_AFTER = 150;
/** From not having been able to read something to trying again, in ms. */
const AGAIN = 3000;
/** Sessions of which it is remembered what their bytes were. */
const WARM = 16;

interface Tracked {
  ref: SessionRef;
  /** What a list tells of it, for a store whose sessions are no files. */
  fingerprint: string;
  /** Times (ms) at which something is due. */
  bytesAt: number;
  seeAt: number;
  dirtySince: number;
  tookMs: number;
}

export class Capture {
  readonly #options: CaptureOptions;
  readonly #sessions = new Map<string, Tracked>();
  /** Which session a file is of. */
  readonly #byPath = new Map<string, string>();
  readonly #warm = new Map<string, SessionCapture>();
  #lookAt = 0;
  #lookTookMs = 0;
  /** Its sessions are rows of a database: which of them changed is known by looking. */
  #rows = false;
  #wake: () => void = () => {};

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, store, onFollowing, poll } = this.#options;
    if (!signal) return this.#lookAndSee();
    const stop = () => this.#wake();
    signal.addEventListener("abort", stop, { once: true });
    const changes = await watchChanges(await this.#watched(store), {
      onChange: (path) => this.#changed(path.replaceAll("\\", "/")),
      ...(onFollowing && { onPolling: onFollowing }),
      poll,
    });
    try {
      // Only now: nothing falls between what is looked at and what is told.
      await this.#lookAndSee();
      onFollowing?.();
      while (!signal.aborted) {
        await this.#sleepUntilDue(signal);
        await this.#doDue(Date.now());
      }
    } finally {
      signal.removeEventListener("abort", stop);
      await changes.close();
    }
    // Whatever came until now.
    if (this.#lookAt > 0) await this.#look();
    for (const tracked of this.#sessions.values()) if (tracked.seeAt > 0) await this.#see(tracked);
  }

  async #watched({ focus, root }: Store): Promise<string> {
    const { source, environment } = this.#options;
    const at = focus ?? root;
    if ((await source.stat(at))?.kind !== "file") return at;
    const folder = at.replace(/[/\\][^/\\]*$/, "");
    return folder === "" ? environment.cwd : folder;
  }

  async #lookAndSee(): Promise<void> {
    await this.#look();
    for (const tracked of this.#sessions.values()) {
      if (this.#options.signal?.aborted) return;
      if (tracked.seeAt > 0) await this.#see(tracked);
    }
  }

  // What came

  #changed(path: string): void {
    const now = Date.now();
    const tracked = this.#sessions.get(this.#byPath.get(path) ?? "");
    if (tracked) this.#touch(tracked, now);
    else this.#lookAt ||= now + Math.max(LOOK_AFTER, this.#lookTookMs / SHARE);
    this.#wake();
  }

  #touch(tracked: Tracked, now: number): void {
    tracked.dirtySince ||= now;
    tracked.bytesAt ||= now + AT_ONCE;
    const rest = tracked.tookMs / SHARE;
    const latest = tracked.dirtySince + Math.max(AT_LEAST_EVERY, rest);
    tracked.seeAt = Math.min(now + Math.max(QUIET, Math.min(rest, AT_LEAST_EVERY)), latest);
  }

  /** Nothing is due and nothing comes: nothing is done. */
  #sleepUntilDue(signal: AbortSignal): Promise<void> {
    let due = this.#lookAt || Number.POSITIVE_INFINITY;
    for (const { bytesAt, seeAt } of this.#sessions.values()) {
      if (bytesAt > 0) due = Math.min(due, bytesAt);
      if (seeAt > 0) due = Math.min(due, seeAt);
    }
    const wait = due - Date.now();
    if (wait <= 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = Number.isFinite(wait) ? setTimeout(resolve, wait) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #doDue(now: number): Promise<void> {
    this.#wake = () => {};
    if (this.#lookAt > 0 && this.#lookAt <= now) await this.#look();
    for (const tracked of this.#sessions.values()) {
      if (tracked.seeAt > 0 && tracked.seeAt <= now) await this.#see(tracked);
      else if (tracked.bytesAt > 0 && tracked.bytesAt <= now)
        await this.#orLater(tracked, () => this.#keepBytes(tracked));
    }
  }

  // What is done about it

  /** Which sessions are there; those that are new, or not as they were seen last, are due. */
  async #look(): Promise<void> {
    const { converter, store, source, environment, onUnreadable = () => {} } = this.#options;
    this.#lookAt = 0;
    const started = Date.now();
    const there = new Set<string>();
    this.#byPath.clear();
    for await (const ref of converter.sessions.list(store, { source, environment, onUnreadable })) {
      const key = ref.id;
      there.add(key);
      const fingerprint = await this.#fingerprintOf(ref);
      for (const { files } of family(ref))
        for (const { path } of files) this.#byPath.set(path.replaceAll("\\", "/"), key);
      const known = this.#sessions.get(key);
      const tracked = known ?? { ref, fingerprint: "", bytesAt: 0, seeAt: 0, dirtySince: 0, tookMs: 0 };
      tracked.ref = ref;
      const changed = known ? known.fingerprint !== fingerprint : !(await this.#isKept(ref));
      tracked.fingerprint = fingerprint;
      if (changed) tracked.seeAt ||= started;
      this.#sessions.set(key, tracked);
    }
    for (const [key, tracked] of this.#sessions) {
      if (there.has(key)) continue;
      this.#sessions.delete(key);
      const seen = await this.#captureOf(tracked.ref).gone();
      if (seen) this.#options.onSeen?.(tracked.ref, seen);
    }
    this.#lookTookMs = Date.now() - started;
  }

  async #fingerprintOf(ref: SessionRef): Promise<string> {
    const { source } = this.#options;
    const marks: unknown[] = [];
    for (const { files, updatedAt, size, messages, title } of family(ref)) {
      for (const { path } of files) {
        const info = await source.stat(path);
        this.#rows ||= info === undefined;
        marks.push(info ? [path, info.size, info.mtimeMs] : [path, updatedAt, size, messages, title]);
      }
    }
    return JSON.stringify(marks);
  }

  /** Every file of it is as large and as old as when it was seen last. */
  async #isKept(ref: SessionRef): Promise<boolean> {
    const { log, source } = this.#options;
    const captured = log.captured(ref);
    const model = await captured.refresh();
    const last = model.revisions.at(-1);
    if (!last || last.why === "gone") return false;
    const files = family(ref).flatMap((each) => each.files);
    const seen = filesOf(stateOf(model, last).session);
    if (files.length !== seen.length) return false;
    for (const { path, relative } of files) {
      const info = await source.stat(path);
      const known = seen.find((file) => file.relative === relative);
      if (!info || known?.size !== info.size || known.mtimeMs !== info.mtimeMs) return false;
    }
    return true;
  }

  #captureOf(ref: SessionRef): SessionCapture {
    const { id } = ref;
    const { log, converter, environment } = this.#options;
    const known = this.#warm.get(id);
    this.#warm.delete(id);
    const capture = known ?? new SessionCapture(log.captured(ref), converter, environment);
    this.#warm.set(id, capture);
    for (const [old] of this.#warm) if (this.#warm.size > WARM) this.#warm.delete(old);
    return capture;
  }

  /** What cannot be read now, or is written to by another process, is tried again: it hides nothing else. */
  async #orLater(tracked: Tracked, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!(error instanceof SourceError || error instanceof BusyError)) throw error;
      if (error instanceof SourceError) this.#options.onUnreadable?.(error);
      tracked.seeAt = Date.now() + AGAIN;
    }
  }

  async #keepBytes(tracked: Tracked): Promise<void> {
    tracked.bytesAt = 0;
    await this.#captureOf(tracked.ref).keepBytes(tracked.ref, await this.#view());
  }

  #see(tracked: Tracked): Promise<void> {
    return this.#orLater(tracked, () => this.#seeNow(tracked));
  }

  async #seeNow(tracked: Tracked): Promise<void> {
    tracked.bytesAt = 0;
    tracked.seeAt = 0;
    tracked.dirtySince = 0;
    const started = Date.now();
    const ref = await this.#listedAnew(tracked);
    if (!ref) {
      this.#lookAt ||= started; // it is gone, or is another one now
      return;
    }
    tracked.ref = ref;
    const seen = await this.#captureOf(ref).see(ref, await this.#view());
    for (const { files } of family(ref))
      for (const { path } of files) this.#byPath.set(path.replaceAll("\\", "/"), ref.id);
    tracked.tookMs = Date.now() - started;
    if (seen) this.#options.onSeen?.(ref, seen);
  }

  /** As a list tells of it now: its title may be another one, it may have got side files. */
  async #listedAnew({ ref }: Tracked): Promise<SessionRef | undefined> {
    const { converter, store, source, environment, onUnreadable = () => {} } = this.#options;
    if (this.#rows) return ref; // it was listed this moment
    if ((await source.stat(ref.path)) === undefined) return undefined;
    const own = { ...store, focus: ref.path };
    for await (const each of converter.sessions.list(own, { source, environment, onUnreadable }))
      if (each.id === ref.id) return each;
    return undefined;
  }

  async #view(): Promise<Source> {
    const { converter, store, source } = this.#options;
    return (await converter.sessions.view?.(store, source)) ?? source;
  }
}

function filesOf({ files, children }: ReturnType<typeof stateOf>["session"]): typeof files {
  return [...files, ...children.flatMap(filesOf)];
}
