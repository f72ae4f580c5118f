/**
 * A file that a session needs, its transcript or one beside it, may not be read: the conversion fails by naming it, or
 * goes on and tells what is missing. A copy with a hole in it that nobody is told of is neither.
 */
import { type Source, SourceError } from "@asp-convert/core";
import { type Conversion, convert, ENVIRONMENT, withChildren } from "../convert.js";
import { shut } from "../faulty.js";
import { sourceOf } from "../files.js";
import { type Check, guarded, type Subject, topSessionsOf } from "../kit.js";

export const withheld: Check = async (subject) => {
  const { converter, fixture, targets } = subject;
  const [to = converter] = targets;
  const problems: string[] = [];
  const whole = sourceOf(fixture.files);
  for (const ref of await topSessionsOf(subject)) {
    const used = new Set<string>();
    let before: Conversion | undefined;
    await guarded(ref.id, problems, async () => {
      before = await convert({ from: converter, ref, source: noting(whole, used), to });
    });
    if (!before) continue;
    for (const path of used) {
      if (!fixture.files.has(path)) continue;
      await guarded(`${ref.id}: ${path} cannot be read`, problems, async () => {
        const what = await without(subject, ref.id, path, before as Conversion);
        if (what !== undefined) problems.push(`${ref.id}: ${path} cannot be read: ${what}`);
      });
    }
  }
  return problems;
};

/** What is wrong with the conversion of a session when a file of it may not be read. */
async function without(
  subject: Subject,
  id: string,
  path: string,
  before: Conversion,
): Promise<string | undefined> {
  const { converter, fixture, targets } = subject;
  const [to = converter] = targets;
  const source = shut(sourceOf(fixture.files), path);
  const told: string[] = [];
  const refs = (await topSessionsOf(subject)).filter((ref) => ref.id === id);
  // Listed when all was well, and listed as it is now.
  const store = await converter.open(fixture.root, source, ENVIRONMENT);
  const onUnreadable = (error: SourceError) => void told.push(error.path);
  const listed = { source, environment: ENVIRONMENT, onUnreadable };
  for await (const ref of converter.sessions.list(store, listed)) if (ref.id === id) refs.push(ref);
  for (const [nth, ref] of refs.entries()) {
    try {
      const now = await convert({ from: converter, ref, source, to });
      const isTold = nth > 0 && told.some((at) => path === at || path.startsWith(`${at}/`));
      if (!isTold && said(now) !== said(before) && !hasMore(now, before))
        return `its copy lacks something, and no loss says so (${withChildren(ref).length} sessions)`;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (error.path !== path) return `the error names ${error.path}`;
    }
  }
  return undefined;
}

/** All that the events hold, but not where they stand. */
function said({ events }: Conversion): string {
  return JSON.stringify(events.map((each) => each.map(({ type, payload }) => [type, payload])));
}

/** A loss that was not there before. */
function hasMore(now: Conversion, before: Conversion): boolean {
  const sum = ({ losses }: Conversion, axis: string, level: string, reason: string) =>
    losses
      .filter((loss) => loss.axis === axis && loss.level === level && loss.reason === reason)
      .reduce((total, { count }) => total + count, 0);
  return now.losses.some(
    ({ axis, level, reason }) => sum(now, axis, level, reason) > sum(before, axis, level, reason),
  );
}

/** The same source; files that are opened are put into `used`. */
function noting(source: Source, used: Set<string>): Source {
  const noted =
    <A extends unknown[], T>(method: (path: string, ...more: A) => Promise<T>) =>
    (path: string, ...more: A): Promise<T> => {
      used.add(path);
      return method(path, ...more);
    };
  return {
    ...source,
    readFile: noted(source.readFile),
    open: noted(source.open),
    openDatabase: noted(source.openDatabase),
  };
}
