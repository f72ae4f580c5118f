/** A file, folder or oddity that cannot be read is told of, and stops nothing else of the store. */
import { posix } from "node:path";
import { type SessionRef, type Source, SourceError } from "@asp-convert/core";
import { ENVIRONMENT, sessionsIn } from "../convert.js";
import { oddities, shut, withOddity } from "../faulty.js";
import { type Files, sourceOf } from "../files.js";
import { type Check, guarded, type Subject } from "../kit.js";

export const unreadable: Check = async (subject) => {
  const { files, root } = subject.fixture;
  const problems: string[] = [];
  const whole = await listed(subject, sourceOf(files));
  const paths = new Set([...whole.places.values()].map((path) => onDisk(path, files)));
  for (const path of paths) {
    await guarded(path, problems, async () => {
      for (const what of await unread(subject, path, whole)) problems.push(`${path} cannot be read: ${what}`);
    });
    const folder = posix.dirname(path);
    if (folder !== root)
      await guarded(folder, problems, async () => {
        const { told } = await listed(subject, shut(sourceOf(files), folder));
        if (!told.some((at) => at === folder || at.startsWith(`${folder}/`)))
          problems.push(`${folder} cannot be read: nobody is told`);
      });
    const odd = posix.join(folder, neighbour(posix.basename(path)));
    await guarded(odd, problems, async () => {
      for (const what of await beside(subject, path, odd, whole)) problems.push(`${odd} is ${what}`);
    });
  }
  return problems;
};

interface Listed {
  /** Id → transcript. */
  places: Map<string, string>;
  /** Id → transcripts of the session and of those above it. */
  lines: Map<string, readonly string[]>;
  told: string[];
}

async function listed({ converter, fixture }: Subject, source: Source): Promise<Listed> {
  const store = await converter.open(fixture.root, source, ENVIRONMENT);
  const places = new Map<string, string>();
  const lines = new Map<string, readonly string[]>();
  const enter = ({ id, path, children }: SessionRef, above: readonly string[]): void => {
    places.set(id, path);
    lines.set(id, [...above, path]);
    for (const child of children) enter(child, [...above, path]);
  };
  const told: string[] = [];
  const onUnreadable = ({ path }: SourceError) => void told.push(path);
  for await (const ref of converter.sessions.list(store, { source, environment: ENVIRONMENT, onUnreadable }))
    enter(ref, []);
  return { places, lines, told };
}

/** A file that may not be read: told of, and thrown where nobody can be told. */
async function unread(subject: Subject, path: string, whole: Listed): Promise<string[]> {
  const { converter, fixture } = subject;
  const source = shut(sourceOf(fixture.files), path);
  const rest = await listed(subject, source);
  const problems = rest.told.includes(path) ? [] : ["nobody is told"];
  // What lies in it, and what its sessions started, may be gone with it.
  for (const [id, places] of whole.lines)
    if (!rest.places.has(id) && !places.some((place) => place.startsWith(path)))
      problems.push(`${id} is not listed for it`);
  try {
    await sessionsIn(converter, fixture.root, source);
    problems.push("a list with nobody to tell looks whole");
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  return problems;
}

/** Something that is no file, by a name of a session's file. */
async function beside(subject: Subject, path: string, odd: string, whole: Listed): Promise<string[]> {
  const { files } = subject.fixture;
  if (files.has(odd) || !(await looksAt(subject, path, odd))) return [];
  const problems: string[] = [];
  for (const oddity of oddities) {
    const { places, told } = await listed(subject, withOddity(sourceOf(files), odd, oddity));
    for (const id of whole.places.keys())
      if (!places.has(id)) problems.push(`a ${oddity}: ${id} is not listed for it`);
    if (!told.includes(odd)) problems.push(`a ${oddity}: nobody is told`);
  }
  return problems;
}

/** Would a file of this name be opened for the list? */
async function looksAt(subject: Subject, path: string, odd: string): Promise<boolean> {
  const bytes = subject.fixture.files.get(path) ?? new Uint8Array(0);
  const source = sourceOf(new Map([...subject.fixture.files, [odd, bytes]]));
  let opened = false;
  const open: Source["open"] = (at) => {
    opened ||= at === odd;
    return source.open(at);
  };
  await listed(subject, { ...source, open });
  return opened;
}

/** The file that a session lies in: one that is shown as lying in another has a path as if it were in that. */
function onDisk(path: string, files: Files): string {
  let found = path;
  for (let at = path; at !== posix.dirname(at); at = posix.dirname(at)) if (files.has(at)) found = at;
  return found;
}

/** A name like it: with another last digit of its id. */
function neighbour(name: string): string {
  const end = /(?:\.[a-z]+)*$/.exec(name)?.index ?? name.length;
  const stem = name.slice(0, end).replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === "0" ? "1" : "0"));
  return stem + name.slice(end);
}
