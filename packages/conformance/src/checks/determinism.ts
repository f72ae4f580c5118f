/** The same bytes give the same list, events and files, however often and into whatever state of the converter. */
import { convert, readAll } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import { type Check, guarded, sessionsOf, topSessionsOf } from "../kit.js";

export const determinism: Check = async (subject) => {
  const { converter, fixture, targets } = subject;
  const [to = converter] = targets;
  const source = sourceOf(fixture.files);
  const problems: string[] = [];
  for (const ref of await sessionsOf(subject)) {
    await guarded(ref.id, problems, async () => {
      const once = JSON.stringify((await readAll(converter, ref, source)).events);
      const twice = JSON.stringify((await readAll(converter, ref, source)).events);
      if (once !== twice) problems.push(`${ref.id}: a second read gives other events`);
    });
  }
  for (const ref of await topSessionsOf(subject)) {
    await guarded(ref.id, problems, async () => {
      const route = { from: converter, ref, source, to };
      const once = await convert(route);
      const twice = await convert(route);
      problems.push(
        ...unequal(once.files, twice.files).map((path) => `${ref.id}: a second write gives another ${path}`),
      );
      const copy = await convert({ ...route, copy: 1 });
      if (copy.plan.id === once.plan.id) problems.push(`${ref.id}: copy 1 has the id of copy 0`);
    });
  }
  return problems;
};

/** Paths whose bytes are not the same in both, or that are in one only. */
export function unequal(a: Files, b: Files): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter(
    (path) => !Buffer.from(a.get(path) ?? []).equals(b.get(path) ?? Buffer.of(0, 0)),
  );
}
