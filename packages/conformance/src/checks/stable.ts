/**
 * Converting what was converted changes nothing more: the second and the third copy are the same bytes, apart
 * from the ids that every copy gets anew.
 */
import { posix } from "node:path";
import type { SessionRef } from "@asp-convert/core";
import { type Conversion, convert, sessionsIn, TARGET_ROOT } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import { type Check, guarded, type Subject, topSessionsOf } from "../kit.js";

export const stable: Check = async (subject) => {
  const { converter, fixture, ids } = subject;
  const problems: string[] = [];
  for (const ref of await topSessionsOf(subject)) {
    await guarded(ref.id, problems, async () => {
      const first = await convert({ from: converter, ref, source: sourceOf(fixture.files), to: converter });
      const second = await again(first, subject);
      const third = second && (await again(second, subject));
      if (!second || !third) problems.push(`${ref.id}: its copy is not listed`);
      else problems.push(...unstable(second, third, ids).map((what) => `${ref.id}: ${what}`));
    });
  }
  return problems;
};

async function again({ plan, files }: Conversion, { converter }: Subject): Promise<Conversion | undefined> {
  const source = sourceOf(files);
  const ref: SessionRef | undefined = (await sessionsIn(converter, TARGET_ROOT, source)).find(
    ({ id }) => id === plan.id,
  );
  return ref && convert({ from: converter, ref, source, to: converter });
}

function unstable(a: Conversion, b: Conversion, ids: readonly RegExp[]): string[] {
  const problems: string[] = [];
  const before = masked(a.files, ids);
  const after = masked(b.files, ids);
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const one = before.get(path);
    const two = after.get(path);
    if (one === undefined || two === undefined)
      problems.push(`${path} is in the ${one === undefined ? "third" : "second"} copy only`);
    else if (one !== two) problems.push(`${path} changes with every copy: ${firstDifference(one, two)}`);
  }
  return problems;
}

const MADE_ANEW = [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, /\b[0-9a-f]{64}\b/g];

/** Ids replaced by numbers in the order they are met, in paths and texts alike. */
export function masked(files: Files, ids: readonly RegExp[]): Map<string, string> {
  const numbers = new Map<string, string>();
  const mask = (text: string) =>
    [...MADE_ANEW, ...ids].reduce(
      (masking, pattern) =>
        masking.replaceAll(new RegExp(pattern, "g"), (id) => {
          if (!numbers.has(id)) numbers.set(id, `<id ${numbers.size}>`);
          return numbers.get(id) ?? id;
        }),
      text,
    );
  const sorted = [...files].map(
    ([path, bytes]) => [posix.relative(TARGET_ROOT, path), Buffer.from(bytes).toString("utf8")] as const,
  );
  return new Map(sorted.map(([path, text]) => [mask(path), mask(text)]));
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 60);
  return `${JSON.stringify(a.slice(from, at + 60))} becomes ${JSON.stringify(b.slice(from, at + 60))}`;
}
