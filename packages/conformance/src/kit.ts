/** What a check is given and gives back. */
import { posix } from "node:path";
import {
  type Converter,
  diskSource,
  type SessionAxis,
  type SessionRef,
  type Source,
} from "@asp-convert/core";
import { sessionsIn, unfold, withChildren } from "./convert.js";
import { type Files, loadFiles, moved, sourceOf } from "./files.js";

/** Where the kit puts a fixture in memory, whatever folder it was loaded from: results name no machine. */
export const SOURCE_ROOT = "/asp/source";

/** A native store in memory. */
export interface Fixture {
  name: string;
  /** The folder that the harness's own variable names. */
  root: string;
  files: Files;
}

/** Loads a store from a disk (or any other source) and moves it to `SOURCE_ROOT`. */
export async function loadFixture(
  root: string,
  name = posix.basename(root),
  source: Source = diskSource,
): Promise<Fixture> {
  return { name, root: SOURCE_ROOT, files: moved(await loadFiles(source, root), root, SOURCE_ROOT) };
}

/**
 * A database's sessions as files stand for the database (`sessions.view`): checks mark and damage them as any others.
 * The same fixture if there are none.
 */
export async function unfolded(converter: Converter, fixture: Fixture): Promise<Fixture> {
  const files = await unfold(converter, fixture.root, fixture.files);
  const shown = [...files.keys()].filter((path) => !fixture.files.has(path));
  if (shown.length === 0) return fixture;
  // A file that is a session itself stays: others are shown as lying in it.
  const own = new Set((await sessionsOf({ converter, fixture })).map(({ path }) => path));
  for (const database of new Set(shown.map((path) => posix.dirname(path)).filter((path) => !own.has(path))))
    for (const end of ["", "-wal", "-shm"]) files.delete(`${database}${end}`);
  return { ...fixture, files };
}

/**
 * What the leaf test cannot find out by itself. Patterns are JSON paths of a record, `*` for any key or index
 * and a last `**` for all below: `message.content.*.text`, `usage.**`.
 */
export interface LeafRules {
  /** Leaves that steer: ids, types, enums. They are left as they are. */
  structural?: readonly string[];
  /** Leaves that no target holds in every case: the axis that their loss is declared under. */
  axes?: Readonly<Record<string, SessionAxis>>;
}

export interface Subject {
  converter: Converter;
  fixture: Fixture;
  /** Of other harnesses. */
  foreign: readonly Fixture[];
  /** What sessions are converted to; the converter itself is the first of them, unless it only reads. */
  targets: readonly Converter[];
  leaves: LeafRules;
  /** Ids that the writer makes anew, besides UUIDs and sha256 sums. */
  ids: readonly RegExp[];
  /** Axes that nothing is held against the converter on: each declared lower than preserved, with a reason. */
  excused?: ReadonlySet<SessionAxis>;
}

/** Runs on one fixture. An empty list: all is well. Each problem is a sentence that names its place. */
export type Check = (subject: Subject) => Promise<string[]>;

/** Every session of a fixture, subagents included. */
export async function sessionsOf({
  converter,
  fixture,
}: Pick<Subject, "converter" | "fixture">): Promise<SessionRef[]> {
  const refs = await sessionsIn(converter, fixture.root, sourceOf(fixture.files));
  return refs.flatMap(withChildren);
}

/** Sessions that are written by themselves: subagents go with their parent. */
export function topSessionsOf({
  converter,
  fixture,
}: Pick<Subject, "converter" | "fixture">): Promise<SessionRef[]> {
  return sessionsIn(converter, fixture.root, sourceOf(fixture.files));
}

/** Runs `work`; what it throws becomes a problem. */
export async function guarded(where: string, problems: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    problems.push(
      `${where}: threw ${error instanceof Error ? `${error.name}: ${error.message}${firstPlace(error)}` : String(error)}`,
    );
  }
}

function firstPlace(error: Error): string {
  const place = error.stack
    ?.split("\n")
    .find((line) => /^\s+at .*(converters|packages)\//.test(line) && !line.includes("conformance"));
  return place ? ` (${place.trim()})` : "";
}
