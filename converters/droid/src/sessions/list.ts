/** The sessions of a store as a list shows them. */
import {
  type EvidenceFile,
  isInside,
  type ListContext,
  lineBatches,
  type OpenFile,
  pathOf,
  piecesOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, name, oneLine, string } from "@asp-convert/core/values";
import { COMPANIONS, companionOf, isSessionFile, SESSIONS, STATE, slugFor, stateFolder } from "../layout.js";
import { isReminder, isSaid, messageOf } from "../records.js";

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  for (const path of (await unlessUnreadable(context, () => sessionFiles(store, context))) ?? []) {
    context.signal?.throwIfAborted();
    const ref = await unlessUnreadable(context, () => refOf(path, store, context));
    if (ref) yield ref;
  }
}

async function sessionFiles({ root, focus }: Store, context: ListContext): Promise<string[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const sessions = path.join(await stateFolder(root, source, environment), SESSIONS);
  const found: string[] = [];
  const add = async (folder: string) => {
    const entries = (await unlessUnreadable(context, () => source.readDir(folder))) ?? [];
    for (const { name: file } of entries) if (isSessionFile(file)) found.push(path.join(folder, file));
  };
  for (const { name: slug, kind } of await source.readDir(sessions))
    if (kind !== "file") await add(path.join(sessions, slug));
  if (focus === undefined) return found;
  const within = found.filter((file) => isInside(file, focus, environment.platform));
  if (within.length > 0) return within;
  if ((await source.stat(focus))?.kind === "file") return [focus];
  await add(focus);
  return found.filter((file) => isInside(file, focus, environment.platform));
}

interface Skimmed {
  head?: Fields;
  prompt?: string;
  times: string[];
  messages: number;
  model?: string;
  records: number;
}

async function refOf(path: string, store: Store, context: ListContext): Promise<SessionRef | undefined> {
  const { source, environment } = context;
  const file = await source.open(path);
  let found: Skimmed;
  try {
    found = skim(file, context.signal);
  } finally {
    file.close();
  }
  if (found.records === 0) return undefined;
  const { head, messages, model, times } = found;
  const id = pathOf(environment).basename(path, ".jsonl");
  const cwd = name(head?.cwd);
  const [first = isoTime(new Date(file.mtimeMs).toISOString())] = times;
  const last = times.at(-1) ?? first;
  const forked = name(head?.parent);
  const relative = (at: string) => relativeTo(store, at, cwd ?? "", environment);
  const files: EvidenceFile[] = [{ path, relative: relative(path), role: "transcript" }];
  let { size } = file;
  for (const end of COMPANIONS) {
    const beside = companionOf(path, end);
    const info = await source.stat(beside);
    if (info?.kind !== "file") continue;
    files.push({ path: beside, relative: relative(beside), role: "companion" });
    size += info.size;
  }
  return {
    harness: "droid",
    ...{ id, path, files, size, messages, children: [] },
    ...titleOf(found),
    ...(cwd !== undefined && { cwd }),
    ...(first !== undefined && { createdAt: first }),
    ...(last !== undefined && { updatedAt: last }),
    ...(times.length === 0 && { timesInferred: true }),
    ...(model !== undefined && { model }),
    ...(forked !== undefined && { parent: { id: forked, relation: "fork" as const } }),
  };
}

function skim(file: OpenFile, signal: AbortSignal | undefined): Skimmed {
  const found: Skimmed = { times: [], messages: 0, records: 0 };
  for (const batch of lineBatches(file, { signal }))
    for (const line of batch)
      for (const piece of piecesOf(line)) {
        found.records++;
        const record = piece.ok ? fields(piece.value) : undefined;
        if (record) note(record, found);
      }
  return found;
}

function note(record: Fields, found: Skimmed): void {
  if (record.type === "session_start") found.head ??= record;
  const message = messageOf(record);
  if (!message) return;
  const time = isoTime(record.timestamp);
  if (time !== undefined && message.visibility === undefined) found.times = [found.times[0] ?? time, time];
  if (message.model !== undefined) found.model = message.model;
  if (!isSaid(message)) return;
  found.messages++;
  if (message.role === "user")
    found.prompt ??= message.content
      .flatMap((part) => (isReminder(part) ? [] : (string(part.text) ?? [])))
      .join(" ");
}

const LONGEST = 120;

/** The program makes a title of the first prompt; one that a person gave says so. */
function titleOf({ head, prompt }: Skimmed): Pick<SessionRef, "title" | "titleFrom"> {
  const title = oneLine(string(head?.title));
  const first = oneLine(prompt?.trim().split("\n", 1)[0]);
  if (title === "" && first === "") return {};
  const short = first.length > LONGEST ? `${first.slice(0, LONGEST - 1)}…` : first;
  if (title === "") return { title: short, titleFrom: "prompt" };
  if (head?.isSessionTitleManuallySet === true) return { title, titleFrom: "user" };
  return { title, titleFrom: first.startsWith(title) ? "prompt" : "agent" };
}

/** Where a session lies in the store; one that lies elsewhere is given the place that it would have. */
function relativeTo(
  { root }: Store,
  file: string,
  cwd: string,
  environment: ListContext["environment"],
): string {
  const path = pathOf(environment);
  if (isInside(file, root, environment.platform)) return path.relative(root, file).replaceAll("\\", "/");
  const state = path.basename(root) === STATE ? "" : `${STATE}/`;
  return `${state}${SESSIONS}/${slugFor(cwd)}/${path.basename(file)}`;
}
