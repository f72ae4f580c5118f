/** Own stores and session files are recognised, above all foreign ones, from a bounded look. */
import { type Candidate, candidateOf, type Source } from "@asp-convert/core";
import { counted, type Files, sourceOf } from "../files.js";
import { type Check, type Fixture, guarded, SOURCE_ROOT, type Subject, sessionsOf } from "../kit.js";

/** Bytes a probe may read beyond the head it is given. */
const BOUND = 1024 * 1024;

/** What belongs to nobody. */
const NOBODYS: Readonly<Record<string, string | Uint8Array>> = {
  "empty.jsonl": "",
  "text.txt": "Dear diary,\n",
  "object.json": "{}\n",
  "numbers.jsonl": "1\n2\n3\n",
  "bytes.bin": new Uint8Array(4096).map((_, i) => (i * 197) % 256),
  "nul.jsonl": "\0".repeat(4096),
};

export const probe: Check = async (subject) => {
  const { converter, fixture, foreign } = subject;
  const problems: string[] = [];
  const own = await scores(subject, fixture, await ownPaths(subject), problems);
  for (const [path, score] of own) if (score <= 0) problems.push(`${path}: not recognised`);
  const lowest = Math.min(...own.values());

  for (const other of foreign) {
    const paths = [SOURCE_ROOT, ...[...other.files.keys()].filter((path) => /\.jsonl?$/.test(path))];
    for (const [path, score] of await scores(subject, other, paths, problems))
      if (score > 0 && score >= lowest)
        problems.push(`${other.name} ${path}: foreign, but scores ${score} (own: ${lowest} at least)`);
  }

  const files: Files = new Map(
    Object.entries(NOBODYS).map(([name, bytes]) => [`/x/${name}`, Buffer.from(bytes)]),
  );
  for (const [path, score] of await scores(
    subject,
    { name: "nobody's", root: "/x", files },
    ["/x", ...files.keys()],
    problems,
  ))
    if (score >= 50) problems.push(`${path}: nobody's, but scores ${score}`);

  // A file of several MiB, so that reading it whole would show.
  const session = (await sessionsOf(subject))[0];
  const bytes = session && fixture.files.get(session.path);
  if (session && bytes) {
    const big: Files = new Map([...fixture.files, [session.path, repeat(bytes, 8 * BOUND)]]);
    const use = { bytes: 0, open: 0 };
    await converter.probe(await candidate(session.path, counted(sourceOf(big), use), use));
    if (use.bytes > BOUND)
      problems.push(`${session.path}: ${use.bytes} bytes were read to recognise it, ${BOUND} at most`);
    if (use.open !== 0) problems.push(`${session.path}: left ${use.open} file(s) open`);
  }
  return problems;
};

async function ownPaths(subject: Subject): Promise<string[]> {
  return [
    subject.fixture.root,
    ...(await sessionsOf(subject)).filter(({ parent }) => !parent).map(({ path }) => path),
  ];
}

async function scores(
  { converter }: Subject,
  fixture: Fixture,
  paths: readonly string[],
  problems: string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const source = sourceOf(fixture.files);
  for (const path of paths) {
    await guarded(`probing ${path}`, problems, async () => {
      const score = await converter.probe(await candidateOf(path, source));
      if (!(score >= 0 && score <= 100)) problems.push(`${path}: a score of ${score}`);
      found.set(path, score);
    });
  }
  return found;
}

/** As `candidateOf` makes it, with only the probe's own reads counted. */
async function candidate(path: string, source: Source, use: { bytes: number }): Promise<Candidate> {
  const made = await candidateOf(path, source);
  use.bytes = 0;
  return made;
}

function repeat(bytes: Uint8Array, size: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(size / Math.max(1, bytes.length)) }, () => bytes));
}
