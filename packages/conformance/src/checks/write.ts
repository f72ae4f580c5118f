/** What is written to its own harness is found there, resumes, and says what the source said. */
import { type Action, isInside, type SessionPlan, type SessionRef } from "@asp-convert/core";
import { actionsOf } from "../apply.js";
import { convert, readAll, sessionsIn, TARGET_ROOT } from "../convert.js";
import { sourceOf } from "../files.js";
import { type Check, guarded, type Subject, topSessionsOf } from "../kit.js";
import { type Atom, axisOf, differences, talkOf } from "../talk.js";

export const write: Check = async (subject) => {
  const { converter, fixture } = subject;
  const problems: string[] = [];
  for (const ref of await topSessionsOf(subject)) {
    await guarded(ref.id, problems, async () => {
      const { plan, files } = await convert({
        from: converter,
        ref,
        source: sourceOf(fixture.files),
        to: converter,
      });
      const actions = actionsOf(plan);
      const found = [...inside(actions), ...tidy(actions, fixture.files), ...resumable(plan, subject)];
      const written = sourceOf(files);
      const back = (await sessionsIn(converter, TARGET_ROOT, written)).find(({ id }) => id === plan.id);
      if (back) found.push(...sameHeader(ref, back, subject), ...(await sameTalk(ref, back, subject, files)));
      else found.push(`its copy ${plan.id} is not listed`);
      problems.push(...found.map((what) => `${ref.id}: ${what}`));
    });
  }
  return problems;
};

export function inside(actions: readonly Action[]): string[] {
  return actions.flatMap(({ path }) =>
    isInside(path, TARGET_ROOT, "linux") ? [] : [`writes outside the target: ${path}`],
  );
}

function tidy(actions: readonly Action[], source: ReadonlyMap<string, unknown>): string[] {
  const problems: string[] = [];
  for (const { path } of actions) if (source.has(path)) problems.push(`writes into the source: ${path}`);
  const created = actions.filter((action) => action.do === "create");
  if (new Set(created.map(({ path }) => path)).size !== created.length)
    problems.push("creates one file twice");
  return problems;
}

export function resumable({ id, cwd }: SessionPlan, { converter }: Subject): string[] {
  const { command, variable } = converter.sessions.resume;
  const problems: string[] = [];
  if (!command(id, cwd).some((word) => word.includes(id)))
    problems.push("the command that resumes it does not name it");
  if (!/^[A-Z][A-Z0-9_]*$/.test(variable)) problems.push(`${variable} is no name of a variable`);
  return problems;
}

/** What both sides of the converter say they preserve must come back the same. */
function sameHeader(ref: SessionRef, back: SessionRef, { converter, excused }: Subject): string[] {
  const { read, write: written } = converter.sessions.fidelity;
  const kept = (axis: "title" | "times" | "cwd" | "git") =>
    read[axis] === "preserved" && written[axis] === "preserved" && !excused?.has(axis);
  const problems: string[] = [];
  const same = (what: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b))
      problems.push(`${what} was ${JSON.stringify(a)}, is ${JSON.stringify(b)}`);
  };
  if (kept("title")) same("title", ref.title, back.title);
  if (kept("cwd")) same("cwd", ref.cwd, back.cwd);
  if (kept("git")) same("git branch", ref.git?.branch, back.git?.branch);
  if (kept("times") && !ref.timesInferred) {
    same(
      "createdAt",
      ref.createdAt && Date.parse(ref.createdAt),
      back.createdAt && Date.parse(back.createdAt),
    );
    same(
      "updatedAt",
      ref.updatedAt && Date.parse(ref.updatedAt),
      back.updatedAt && Date.parse(back.updatedAt),
    );
  }
  if (written.subagents === "preserved")
    same("number of subagents", ref.children.length, back.children.length);
  return problems;
}

async function sameTalk(
  ref: SessionRef,
  back: SessionRef,
  { converter, fixture, excused }: Subject,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<string[]> {
  const held = (atom: Atom) => !excused?.has(axisOf(atom));
  const before = talkOf((await readAll(converter, ref, sourceOf(fixture.files))).events).filter(held);
  const after = talkOf((await readAll(converter, back, sourceOf(new Map(files)))).events).filter(held);
  return differences(before, after).map((what) => `its copy talks otherwise: ${what}`);
}
