/** A batch cut into jobs: what one worker stages and commits at once. */
import type { SessionRef } from "@asp-convert/core";

/** Sessions of one store, done one after the other. */
export interface Job<T extends Sized = Sized> {
  units: T[];
  size: number;
}

export interface Sized {
  ref: Pick<SessionRef, "harness" | "id" | "store" | "path" | "size">;
  /** Of which input: a job has sessions of one only. */
  input: number;
}

/** So many bytes, or so many sessions: enough that a commit costs little, little enough that a killed run loses little. */
const JOB_BYTES = 8_000_000;
const JOB_SESSIONS = 64;
/** A worker commits at least so often, so that the last jobs are done at about the same time. */
const JOBS_A_WORKER = 8;

/**
 * The longest first, so that no worker begins the longest when all others are done. Copies of one session (two
 * backups of a store) are in one job, in the order of their paths: the first one gets the id.
 */
export function jobsOf<T extends Sized>(units: readonly T[], threads: number): Job<T>[] {
  const most = Math.min(JOB_SESSIONS, Math.ceil(units.length / (threads * JOBS_A_WORKER)));
  const bySession = new Map<string, T[]>();
  for (const unit of units) {
    const session = [unit.ref.harness, unit.ref.id, unit.ref.store].join("\n");
    const copies = bySession.get(session);
    if (copies) copies.push(unit);
    else bySession.set(session, [unit]);
  }
  const groups = [...bySession.values()].map((copies) => ({
    copies: copies.sort((a, b) => compare(a.ref.path, b.ref.path)),
    size: copies.reduce((sum, { ref }) => sum + ref.size, 0),
  }));
  groups.sort((a, b) => b.size - a.size || compare(a.copies[0]?.ref.id ?? "", b.copies[0]?.ref.id ?? ""));
  const jobs: Job<T>[] = [];
  const open = new Map<string, Job<T>>();
  for (const { copies, size } of groups) {
    const kind = copies.map(({ input }) => input).join(",");
    let job = copies.length === 1 ? open.get(kind) : undefined;
    if (!job || job.size + size > JOB_BYTES || job.units.length >= most) {
      job = { units: [], size: 0 };
      jobs.push(job);
      if (copies.length === 1) open.set(kind, job);
    }
    job.units.push(...copies);
    job.size += size;
  }
  return jobs;
}

/** A database is looked at as a whole before rows go into it: then few large jobs are better than many. */
const ROWS_BYTES = 256_000_000;

/** The same jobs, joined where they are of the same inputs. */
export function together<T extends Sized>(jobs: readonly Job<T>[]): Job<T>[] {
  const joined: Job<T>[] = [];
  const open = new Map<string, Job<T>>();
  for (const job of jobs) {
    const kind = [...new Set(job.units.map(({ input }) => input))].join(",");
    const before = open.get(kind);
    if (before && before.size + job.size <= ROWS_BYTES) {
      before.units.push(...job.units);
      before.size += job.size;
      continue;
    }
    const copy = { units: [...job.units], size: job.size };
    joined.push(copy);
    open.set(kind, copy);
  }
  return joined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
