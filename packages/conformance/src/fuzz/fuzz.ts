/** One fuzzed session after another: whatever the bytes are, nothing breaks, hangs or goes missing unsaid. */
import { type Converter, candidateOf, type SessionRef, type Source } from "@asp-convert/core";
import { accounted, wellFormed } from "../checks/read.js";
import { type Conversion, convert, readAll, sessionsIn, TARGET_ROOT, withChildren } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import type { Fixture } from "../kit.js";
import { mutate } from "./mutate.js";
import { randomFrom } from "./random.js";

export interface FuzzSubject {
  converter: Converter;
  fixtures: readonly Fixture[];
  /** A seed goes to one or two of them. */
  targets: readonly Converter[];
  /** Takes out of changed bytes what no store of the harness can hold, whatever happened to it. */
  possible?: (path: string, bytes: Buffer) => Buffer;
}

export interface Finding {
  seed: number;
  fixture: string;
  /** The file that was changed, and how. */
  file: string;
  how: readonly string[];
  problems: readonly string[];
}

/** Longest that one mutated fixture may take, ms. Some are a few MiB, and the machine may be busy. */
const SLOW = 8_000;

/** What one seed does. The same seed does the same, as long as the fixtures are the same. */
export async function fuzzOnce(
  { converter, fixtures, targets, possible }: FuzzSubject,
  seed: number,
): Promise<Finding | undefined> {
  const random = randomFrom(seed);
  const fixture = random.pick(fixtures);
  const session = [...fixture.files].filter(([path]) => /\.(jsonl|json|txt|zst)$/.test(path));
  if (session.length === 0) return undefined;
  const [file, bytes] = random.pick(session);
  const others = [random.pick(session)[1], ...[...random.pick(fixtures).files.values()].slice(0, 3)].map(
    (other) => Buffer.from(other),
  );
  const { bytes: changed, what } = mutate(random, Buffer.from(bytes), others);
  const files: Files = new Map([...fixture.files, [file, possible?.(file, changed) ?? changed]]);
  // Two ways for each seed: many seeds find more than many targets.
  const ways = [...new Set([random.pick([converter, ...targets]), random.pick([converter, ...targets])])];

  const start = performance.now();
  const problems = await problemsWith(converter, ways, fixture.root, files);
  const took = performance.now() - start;
  if (took > SLOW) problems.push(`took ${Math.round(took)} ms`);
  return problems.length > 0 ? { seed, fixture: fixture.name, file, how: what, problems } : undefined;
}

async function problemsWith(
  converter: Converter,
  targets: readonly Converter[],
  root: string,
  files: Files,
): Promise<string[]> {
  const problems: string[] = [];
  const source = sourceOf(files);
  await allowed(problems, "probe", async () => {
    for (const path of [root, ...files.keys()]) {
      const score = await converter.probe(await candidateOf(path, source));
      if (!(score >= 0 && score <= 100)) problems.push(`probe of ${path}: ${score}`);
    }
  });
  let refs: SessionRef[] = [];
  await allowed(problems, "list", async () => {
    refs = await sessionsIn(converter, root, source);
  });
  for (const ref of refs) {
    for (const each of withChildren(ref))
      await allowed(problems, `read ${each.id}`, async () => {
        const reading = await readAll(converter, each, source);
        const found = [...accounted(reading, each.files, files), ...wellFormed(reading.events)];
        problems.push(...found.map((what) => `read ${each.id}: ${what}`));
      });
    for (const to of targets) problems.push(...(await written(converter, to, ref, source)));
  }
  if ("polluted" in {} || Object.keys(Object.prototype).length > 0)
    problems.push("the prototype of all objects was changed");
  return problems;
}

async function written(from: Converter, to: Converter, ref: SessionRef, source: Source): Promise<string[]> {
  const problems: string[] = [];
  const where = `${ref.id} to ${to.id}`;
  let conversion: Conversion | undefined;
  await allowed(problems, where, async () => {
    conversion = await convert({ from, ref, source, to, ...(ref.cwd ? {} : { cwd: "/home/dev/demo" }) });
  });
  if (!conversion || to.container) return problems; // a container keeps the source's own bytes, broken ones too
  // Strict writer: what it wrote from whatever, its own reader takes without a word.
  const { files, plan } = conversion;
  const back = sourceOf(files);
  for (const path of files.keys())
    if (!path.startsWith(`${TARGET_ROOT}/`)) problems.push(`${where}: writes ${path}`);
  await allowed(problems, `${where}, read back`, async () => {
    const found = (await sessionsIn(to, TARGET_ROOT, back)).find(({ id }) => id === plan.id);
    if (!found) return void problems.push(`${where}: its copy is not listed`);
    for (const each of withChildren(found)) {
      const { ledger, events } = await readAll(to, each, back);
      if (ledger.entries.some(({ axis }) => axis === "raw"))
        problems.push(`${where}: wrote what it cannot read itself`);
      for (const event of events)
        if (event.type === "unknown.observed" && event.payload.axis === "raw")
          problems.push(`${where}: wrote raw bytes`);
    }
  });
  return problems;
}

/** Refusals with a reason are right answers; anything else that is thrown is a finding. */
async function allowed(problems: string[], where: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error && (error.name === "SourceError" || error.name === "RefusedError")) return;
    const told =
      error instanceof Error
        ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ")
        : String(error);
    problems.push(`${where}: threw ${told}`);
  }
}
