/**
 * Into another store of its own harness a session goes byte for byte (but for the place that a side file names); as a
 * copy, only its id and place differ.
 */
import { posix } from "node:path";
import type { SessionPlan, SessionRef, Target } from "@asp-convert/core";
import { carryOut } from "../apply.js";
import { ENVIRONMENT, readAll, sessionsIn, TARGET_ROOT, unfold, withChildren } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import { type Check, guarded, type Subject, topSessionsOf } from "../kit.js";
import { differences, talkOf } from "../talk.js";

export const replay: Check = async (subject) => {
  const problems: string[] = [];
  for (const ref of await topSessionsOf(subject)) {
    await guarded(ref.id, problems, async () => {
      const found = [...(await verbatim(ref, subject)), ...(await asCopy(ref, subject))];
      problems.push(...found.map((what) => `${ref.id}: ${what}`));
    });
  }
  return problems;
};

async function verbatim(ref: SessionRef, subject: Subject): Promise<string[]> {
  const { files, plan } = await replayed(ref, subject, { copy: 0 });
  const problems = plan.id === ref.id ? [] : [`keeps its bytes but gets the id ${plan.id}`];
  for (const { path, relative, role } of withChildren(ref).flatMap((session) => session.files)) {
    const original = subject.fixture.files.get(path);
    const there = files.get(posix.join(TARGET_ROOT, relative));
    if (!there) problems.push(`${relative} is not written`);
    else if (
      !Buffer.from(there).equals(original ?? Buffer.alloc(0)) &&
      !(role === "companion" && original && isMoved(original, there, files))
    )
      problems.push(`${relative} is not the same bytes`);
  }
  return problems;
}

/** A side file that names files of its own store by absolute paths must name those of the new one; nothing else changes. */
function isMoved(before: Uint8Array, after: Uint8Array, files: Files): boolean {
  const renamed = (old: unknown, now: unknown): boolean => {
    if (typeof old === "string" && typeof now === "string")
      return old === now || (files.has(now) && old.endsWith(`/${posix.relative(TARGET_ROOT, now)}`));
    if (typeof old !== "object" || typeof now !== "object" || old === null || now === null)
      return old === now;
    const [a, b] = [Object.entries(old), Object.entries(now)];
    return (
      a.length === b.length && a.every(([key, value], i) => key === b[i]?.[0] && renamed(value, b[i]?.[1]))
    );
  };
  try {
    return renamed(JSON.parse(Buffer.from(before).toString()), JSON.parse(Buffer.from(after).toString()));
  } catch {
    return false;
  }
}

async function asCopy(ref: SessionRef, subject: Subject): Promise<string[]> {
  const { converter, fixture } = subject;
  const problems: string[] = [];
  for (const [what, change] of [
    ["a copy", { copy: 1 }],
    ["a copy in another folder", { copy: 0, cwd: "/srv/elsewhere" }],
  ] as const) {
    const { files, plan } = await replayed(ref, subject, change);
    if (plan.id === ref.id) problems.push(`${what} keeps the id`);
    const source = sourceOf(files);
    const back = (await sessionsIn(converter, TARGET_ROOT, source)).find(({ id }) => id === plan.id);
    if (!back) {
      problems.push(`${what} (${plan.id}) is not listed`);
      continue;
    }
    if ("cwd" in change && back.cwd !== change.cwd) problems.push(`${what} has the cwd ${back.cwd}`);
    const before = talkOf((await readAll(converter, ref, sourceOf(fixture.files))).events);
    const after = talkOf((await readAll(converter, back, source)).events);
    problems.push(...differences(before, after).map((where) => `${what} talks otherwise: ${where}`));
  }
  return problems;
}

async function replayed(
  ref: SessionRef,
  { converter, fixture }: Subject,
  change: Pick<Target, "copy" | "cwd">,
): Promise<{ plan: SessionPlan; files: Files }> {
  const target: Target = {
    root: TARGET_ROOT,
    environment: ENVIRONMENT,
    source: sourceOf(new Map()),
    ...change,
  };
  const plan = await converter.sessions.replay(ref, sourceOf(fixture.files), target);
  return { plan, files: await unfold(converter, TARGET_ROOT, await carryOut(plan)) };
}
