/** What `list` says is true, complete, and cheap to ask for again. */
import type { SessionRef } from "@asp-convert/core";
import { sessionsIn } from "../convert.js";
import { counted, type Files, sourceOf } from "../files.js";
import { type Check, guarded, sessionsOf } from "../kit.js";
import { canonical } from "../talk.js";

export const list: Check = async (subject) => {
  const { converter, fixture } = subject;
  const problems: string[] = [];
  const use = { bytes: 0, open: 0 };
  const source = counted(sourceOf(fixture.files), use);
  const tops = await sessionsIn(converter, fixture.root, source);
  if (use.open !== 0) problems.push(`left ${use.open} file(s) open`);

  const refs = await sessionsOf(subject);
  for (const id of repeated(refs.map(({ id }) => id))) problems.push(`two sessions have the id ${id}`);
  for (const ref of refs)
    problems.push(
      ...told(ref, fixture.root, fixture.files, converter.id).map((what) => `${ref.id}: ${what}`),
    );
  for (const ref of tops)
    if (ref.parent?.relation === "subagent" && tops.some(({ id }) => id === ref.parent?.id))
      problems.push(`${ref.id}: a subagent's session stands beside its parent, not inside it`);
  for (const ref of refs)
    for (const child of ref.children)
      if (child.parent?.relation !== "subagent" || child.parent.id !== ref.id)
        problems.push(`${child.id}: stands inside ${ref.id} but does not say so in \`parent\``);

  if (canonical(tops) !== canonical(await sessionsIn(converter, fixture.root, source)))
    problems.push("a second list differs from the first");

  await guarded("listing an empty store", problems, async () => {
    const none = await sessionsIn(
      converter,
      fixture.root,
      sourceOf(new Map([[`${fixture.root}/.keep`, Buffer.alloc(0)]])),
    );
    if (none.length > 0) problems.push(`an empty store lists ${none.length} session(s)`);
  });
  await guarded("listing a store that is not there", problems, async () => {
    const none = await sessionsIn(converter, "/nowhere/at/all", sourceOf(new Map()));
    if (none.length > 0) problems.push(`a store that is not there lists ${none.length} session(s)`);
  });
  return problems;
};

/** Numbers, and days with a number: another store has them too. */
const COUNTED = /^(\d{1,9}|\d{8}[_-]\d{1,6})$/;
const CONTROL = /\p{Cc}/u;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function told(ref: SessionRef, root: string, files: Files, harness: string): string[] {
  const problems: string[] = [];
  if (ref.harness !== harness) problems.push(`says it is of ${ref.harness}`);
  if (ref.id === "") problems.push("has no id");
  if (COUNTED.test(ref.id) && ref.store === undefined)
    problems.push("an id that counts is in other stores too: give the ref its `store` (mostly the root)");
  const [first] = ref.files;
  if (first?.role !== "transcript" || first.path !== ref.path)
    problems.push("its first file is not its transcript");
  let size = 0;
  for (const { path, relative, role } of ref.files) {
    const bytes = files.get(path);
    if (!bytes) problems.push(`names a file that is not there: ${path}`);
    if (relative.startsWith("/") || relative.includes("\\") || relative.split("/").includes(".."))
      problems.push(`${relative} is no path relative to the store`);
    else if (path !== `${root}/${relative}`) problems.push(`${relative} is not where ${path} is`);
    if (role !== "ancestor") size += bytes?.length ?? 0;
  }
  if (ref.size !== size) problems.push(`says ${ref.size} bytes, its files hold ${size}`);
  if (ref.title !== undefined && (ref.title.trim() === "" || CONTROL.test(ref.title)))
    problems.push(`its title is blank or has control characters: ${JSON.stringify(ref.title)}`);
  if ((ref.title === undefined) !== (ref.titleFrom === undefined))
    problems.push("`title` and `titleFrom` do not come together");
  for (const name of ["createdAt", "updatedAt"] as const) {
    const time = ref[name];
    if (time === undefined ? !ref.timesInferred : !ISO.test(time))
      problems.push(`${name} is no UTC time of ISO 8601: ${String(time)}`);
  }
  if (
    ref.createdAt !== undefined &&
    ref.updatedAt !== undefined &&
    Date.parse(ref.createdAt) > Date.parse(ref.updatedAt)
  )
    problems.push(`updated ${ref.updatedAt}, before it was created ${ref.createdAt}`);
  if (ref.messages !== undefined && !(Number.isInteger(ref.messages) && ref.messages >= 0))
    problems.push(`${ref.messages} messages`);
  return problems;
}

function repeated(ids: readonly string[]): Set<string> {
  return new Set(ids.filter((id, i) => ids.indexOf(id) !== i));
}
