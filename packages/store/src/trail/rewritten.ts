/** A session as a conversion once wrote it, written once more from the bytes that were kept of its source. */
import {
  type Action,
  type Content,
  databaseWith,
  type Environment,
  memorySource,
  openMade,
  type RowsAction,
  type SessionPlan,
} from "@asp-convert/core";
import { filesSource, type MadeFile } from "./files.js";
import type { Conversion } from "./records.js";
import { inputOf, type Readable, refIn } from "./sessions.js";

/**
 * @param before what it was made from. @param now of the harness that it was made for.
 * @returns undefined where it cannot be made again: it was itself put together from a session that came home.
 */
export async function rewritten(
  before: Readable,
  { how, to }: Conversion,
  now: Readable,
  environment: Environment,
): Promise<Readable | undefined> {
  if (how !== "written") return undefined;
  const { sessions, id: harness } = now.converter;
  const { root, copy, cwd } = to;
  const nothing = memorySource({});
  const target = { root, environment, source: nothing, copy, ...(cwd !== undefined && { cwd }) };
  const plan = await sessions.write(inputOf(before, environment), target);
  const files = new Map<string, MadeFile>();
  const rows = new Map<string, RowsAction[]>();
  for (const action of actionsOf(plan)) {
    if (action.do === "create") {
      const path = action.path.replaceAll("\\", "/");
      const life = { path, mtimeMs: 0, check: () => "same" as const, close() {} };
      const file = await openMade(life, bytesOf(action.content));
      files.set(path, { size: file.size, open: async () => ({ ...file, close() {} }) });
    } else if (action.do === "rows") rows.set(action.path, [...(rows.get(action.path) ?? []), action]);
  }
  const databases: Record<string, Uint8Array> = {};
  for (const [path, actions] of rows) databases[path] = await databaseWith(nothing, path, actions);
  const made = filesSource(files, databases);
  const store = { harness, root };
  const source = (await sessions.view?.(store, made)) ?? made;
  const ref = await refIn(now.converter, plan.id, root, source, environment);
  return ref && { converter: now.converter, ref, source };
}

function actionsOf(plan: SessionPlan): Action[] {
  return [...plan.actions, ...plan.children.flatMap(actionsOf)];
}

async function* bytesOf(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content !== "function") {
    yield Buffer.from(content as string);
    return;
  }
  for await (const part of content()) yield typeof part === "string" ? Buffer.from(part) : part;
}
