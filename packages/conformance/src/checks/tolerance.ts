/** Damaged files: no crash, nothing lost that can still be read, and nothing lost unsaid. */
import type { SessionRef } from "@asp-convert/core";
import { type Conversion, convert, readAll, sessionsIn, withChildren } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import { type Check, guarded, type Subject, sessionsOf } from "../kit.js";
import { damage, type Shape } from "../shapes/damage.js";
import { isJsonl, linesOf } from "../shapes/lines.js";
import { insertInto, type TextShape, textDamage } from "../shapes/text.js";
import { type Atom, differences, talkOf } from "../talk.js";
import { accounted } from "./read.js";

export const tolerance: Check = async (subject) => {
  const problems: string[] = [];
  for (const ref of await sessionsOf(subject)) {
    const bytes = subject.fixture.files.get(ref.path);
    if (!bytes || !isJsonl(bytes)) continue; // packed ones are damaged as a whole, by the fuzzer
    const talk = await talkIn(subject, ref, subject.fixture.files);
    for (const shape of damage)
      await guarded(`${ref.id} ${shape.name}`, problems, async () => {
        for (const what of await damaged(subject, ref, bytes, talk, shape))
          problems.push(`${ref.id} ${shape.name}: ${what}`);
      });
    for (const shape of textDamage)
      await guarded(`${ref.id} ${shape.name}`, problems, async () => {
        for (const what of await damagedText(subject, ref, bytes, talk, shape))
          problems.push(`${ref.id} ${shape.name}: ${what}`);
      });
  }
  return problems;
};

async function damaged(
  subject: Subject,
  ref: SessionRef,
  bytes: Uint8Array,
  talk: readonly Atom[],
  shape: Shape,
): Promise<string[]> {
  const made = shape.make(Buffer.from(bytes));
  if (!made) return [];
  const files: Files = new Map([...subject.fixture.files, [ref.path, made]]);
  const found = await find(subject, ref, files);
  if (!found) return shape.keeps === "any" ? [] : ["the session is no longer listed"];

  const source = sourceOf(files);
  const reading = await readAll(subject.converter, found, source);
  const problems = accounted(reading, found.files, files);
  if (shape.keeps !== "any") {
    const expected =
      shape.keeps === "same"
        ? talk
        : await talkIn(subject, ref, withoutLast(subject.fixture.files, ref, bytes));
    problems.push(...differences(expected, talkOf(reading.events)));
  }
  for (const to of subject.targets) {
    const conversion = await converted(subject, found, source, to);
    const told = shape.declares && !to.container; // a container keeps what cannot be read
    if (conversion && told && !conversion.losses.some(({ axis }) => axis === "raw"))
      problems.push(`to ${to.id}: bytes became unreadable, but no loss of raw bytes is declared`);
  }
  if ("polluted" in {}) problems.push("a key of the file changed the prototype of all objects");
  return problems;
}

async function damagedText(
  subject: Subject,
  ref: SessionRef,
  bytes: Uint8Array,
  talk: readonly Atom[],
  shape: TextShape,
): Promise<string[]> {
  const made = insertInto(bytes, talk, shape.insert);
  if (!made) return [];
  const files: Files = new Map([...subject.fixture.files, [ref.path, made.bytes]]);
  const found = await find(subject, ref, files);
  if (!found) return ["the session is no longer listed"];
  const source = sourceOf(files);
  const expected = made.text.slice(0, made.at) + shape.reads + made.text.slice(made.at);
  const read = talkOf((await readAll(subject.converter, found, source)).events);
  const problems = read.some(({ key }) => key === expected) ? [] : ["the text is not read as it stands"];
  if (read.length !== talk.length) problems.push(`${talk.length} things were said, ${read.length} are read`);
  for (const to of subject.targets) {
    if (to.id === subject.converter.id || to.container) continue; // at home everything stays as it is
    const conversion = await converted(subject, found, source, to);
    if (!conversion) continue;
    const written = [...conversion.files.values()]
      .map((file) => Buffer.from(file).toString("utf8"))
      .join("\n");
    if (!shape.writes.test(written)) problems.push(`to ${to.id}: the text is not written`);
    if (shape.loss && !conversion.losses.some(({ reason }) => reason === shape.loss))
      problems.push(`to ${to.id}: no ${shape.loss} is declared`);
    if (/\\ud83d(?!\\ud)/i.test(written)) problems.push(`to ${to.id}: half a surrogate is written`);
  }
  return problems;
}

/** undefined: refused, with a reason, as it may be. */
async function converted(
  { converter }: Subject,
  ref: SessionRef,
  source: ReturnType<typeof sourceOf>,
  to: Subject["converter"],
): Promise<Conversion | undefined> {
  try {
    return await convert({
      from: converter,
      ref,
      source,
      to,
      ...(ref.cwd === undefined ? { cwd: "/home/dev/demo" } : {}),
    });
  } catch (error) {
    if (error instanceof Error && error.name === "RefusedError") return undefined;
    throw new Error(
      `to ${to.id}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
      { cause: error },
    );
  }
}

async function find(
  { converter, fixture }: Subject,
  ref: SessionRef,
  files: Files,
): Promise<SessionRef | undefined> {
  const refs = (await sessionsIn(converter, fixture.root, sourceOf(files))).flatMap(withChildren);
  return refs.find(({ path }) => path === ref.path);
}

async function talkIn(subject: Subject, ref: SessionRef, files: Files): Promise<Atom[]> {
  const found = await find(subject, ref, files);
  return found ? talkOf((await readAll(subject.converter, found, sourceOf(files))).events) : [];
}

function withoutLast(files: Files, ref: SessionRef, bytes: Uint8Array): Files {
  const lines = linesOf(bytes).slice(0, -1);
  return new Map([...files, [ref.path, Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]))]]);
}
