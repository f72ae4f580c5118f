/** The sessions of a store as a list shows them: from the tree of each file and four of its records. */
import {
  type Environment,
  isInside,
  type ListContext,
  type OpenFile,
  type ParentLink,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, list, name, oneLine, string } from "@asp-convert/core/values";
import { idInName, sessionPath } from "../layout.js";
import { type SessionFile, sessionFiles } from "./files.js";
import { modelOf } from "./models.js";
import { subagentOf } from "./provenance.js";
import { type Entry, isoOf, pathTo, recordAt, type Scan, scan, timeOf } from "./scan.js";

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const refs: Writable[] = [];
  const byPath = new Map<string, Writable>();
  for (const file of await sessionFiles(store, context)) {
    context.signal?.throwIfAborted();
    const ref = await unlessUnreadable(context, () => refOf(file, store, context));
    if (!ref) continue;
    const above = file.above === undefined ? undefined : byPath.get(file.above);
    if (above) ref.parent = { id: above.id, relation: "subagent" };
    byPath.set(file.path, ref);
    refs.push(ref);
  }
  const { focus } = store;
  const isFile = focus !== undefined && byPath.has(focus);
  for (const ref of inFamilies(refs)) if (!isFile || ref.path === focus) yield ref;
}

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: SessionRef[] };

/** Subagents' sessions inside the one that started them, where that is listed too. */
function inFamilies(refs: readonly Writable[]): Writable[] {
  const byId = new Map(refs.map((ref) => [ref.id, ref]));
  const tops: Writable[] = [];
  for (const ref of refs) {
    const above = ref.parent?.relation === "subagent" ? byId.get(ref.parent.id) : undefined;
    if (above && !isBelow(above, ref, byId)) above.children.push(ref);
    else tops.push(ref);
  }
  return tops;
}

/** Is it the session `top`, or one of its subagents'? */
function isBelow(ref: Writable, top: Writable, byId: ReadonlyMap<string, Writable>): boolean {
  const seen = new Set<Writable>();
  for (let at: Writable | undefined = ref; at && !seen.has(at); ) {
    if (at === top) return true;
    seen.add(at);
    at = at.parent?.relation === "subagent" ? byId.get(at.parent.id) : undefined;
  }
  return false;
}

/** undefined: it is no session. */
async function refOf(
  { path, title }: SessionFile,
  store: Store,
  context: ListContext,
): Promise<Writable | undefined> {
  const file = await context.source.open(path);
  try {
    return headOf(file, title, store, context);
  } finally {
    file.close();
  }
}

function headOf(
  file: OpenFile,
  title: string | undefined,
  store: Store,
  context: ListContext,
): Writable | undefined {
  const { path } = file;
  const found = scan(file, context.signal);
  if (!found.header && !found.entries.some(({ role }) => role !== undefined)) return undefined;
  const meta: Fields = found.header?.meta ?? {};
  const { path: talk } = pathTo(found.entries.at(-1), found);
  const read = (entry: Entry | undefined) => (entry ? recordAt(file, entry) : {});
  const users = talk.filter(({ role }) => role === "user");
  const answers = talk.filter(({ role }) => role === "assistant");
  const model = modelOf(fields(read(answers.at(-1)).message) ?? {});
  const times = talk.flatMap(({ role, time }) => (role === undefined ? [] : (time ?? [])));
  // Version 1 writes its header when the first answer is there.
  const created = earlier(timeOf(meta.timestamp), times[0]);
  const updated = later(created, times.at(-1));
  const cwd = name(meta.cwd);
  const id = name(meta.id) ?? idInName(path) ?? path;
  const parent = parentOf(meta, read(found.entries[0]));
  return {
    harness: store.harness,
    id,
    path,
    files: [
      {
        path,
        relative: relativeTo(store, path, cwd, isoOf(created ?? file.mtimeMs), context.environment),
        role: "transcript",
      },
    ],
    ...titleOf(found, title, read, users[0]),
    ...(cwd !== undefined && { cwd }),
    createdAt: isoOf(created ?? file.mtimeMs),
    updatedAt: isoOf(updated ?? file.mtimeMs),
    ...(created === undefined && { timesInferred: true }),
    size: file.size,
    messages: users.length + answers.filter(({ hasWords }) => hasWords).length,
    ...(model !== undefined && { model }),
    ...(parent && { parent }),
    children: [],
  };
}

/** A fork names the file of the session it comes from; a subagent's session says whose it is. */
function parentOf(meta: Fields, first: Fields): ParentLink | undefined {
  const above = subagentOf(first);
  if (above) {
    const { session: id, toolCall } = above;
    return { id, relation: "subagent", ...(toolCall !== undefined && { toolCallId: toolCall }) };
  }
  const file = name(meta.parentSession) ?? name(meta.branchedFrom);
  return file === undefined ? undefined : { id: idInName(file) ?? file, relation: "fork" };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

/** Where a session lies in the store; one that lies elsewhere is given the place that it would have. */
function relativeTo(
  { root }: Store,
  file: string,
  cwd: string | undefined,
  created: string,
  environment: Environment,
): string {
  const path = pathOf(environment);
  if (isInside(file, root, environment.platform)) return path.relative(root, file).replaceAll("\\", "/");
  return sessionPath(cwd ?? "", created, idInName(file) ?? path.basename(file, ".jsonl"));
}

const TITLE_LENGTH = 120;

/** The last name given; an empty one takes it away. Without one, the first words. */
function titleOf(
  found: Scan,
  listed: string | undefined,
  read: (entry: Entry | undefined) => Fields,
  firstUser: Entry | undefined,
): Pick<SessionRef, "title" | "titleFrom"> {
  const named = oneLine(string(read(found.entries.findLast(({ type }) => type === "session_info")).name));
  if (named !== "") return { title: named, titleFrom: "user" };
  const { header, title } = found;
  const headed = oneLine(listed ?? string(title?.meta.title) ?? string(header?.meta.title));
  const isAuto = (title?.meta.source ?? header?.meta.titleSource) === "auto";
  if (headed !== "") return { title: headed, titleFrom: isAuto ? "agent" : "user" };
  const { content } = fields(read(firstUser).message) ?? {};
  const parts = typeof content === "string" ? [content] : list(content).map((part) => fields(part)?.text);
  const text = parts.filter((part) => typeof part === "string").join(" ");
  const line = oneLine(text.trim().split("\n", 1)[0]);
  if (line === "") return {};
  return {
    title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
    titleFrom: "prompt",
  };
}
