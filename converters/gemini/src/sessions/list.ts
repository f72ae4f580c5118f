/** The sessions of a store as a list shows them: from the order of their messages, and two or three of them. */
import {
  type EvidenceFile,
  isInside,
  type ListContext,
  type OpenFile,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, list, name, oneLine, parsed, string } from "@asp-convert/core/values";
import { partsIn } from "@asp-convert/gemini-family";
import { CHATS, isCheckpoint, sessionFile, sha256, stateFolder, TMP, tagOf } from "../layout.js";
import { type SessionFile, sessionFiles } from "./files.js";
import { isTalk, messageOf, type Scan, type Slot, scan, timeOf } from "./scan.js";
import { isContext, isIgnored } from "./wire.js";

type Writable = { -readonly [K in keyof SessionRef]: SessionRef[K] } & { children: SessionRef[] };

interface Found {
  ref: Writable;
  file: SessionFile;
  isSubagents: boolean;
}

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const state = await stateFolder(store.root, context.source, context.environment);
  const byId = new Map<string, Found>();
  for (const file of await sessionFiles(store, context)) {
    context.signal?.throwIfAborted();
    const found = await unlessUnreadable(context, () => refOf(file, { ...store, state }, context));
    if (!found) continue;
    // Of one id the program shows what was used last: an old form may lie beside the new one made of it.
    const key = `${file.folder ?? ""} ${found.ref.id}`;
    const other = byId.get(key);
    if (!other || isLater(found.ref, other.ref)) byId.set(key, found);
  }
  const all = [...byId.values()];
  const { focus } = store;
  const isFile = focus !== undefined && all.some(({ ref }) => ref.path === focus);
  for (const ref of await inFamilies(all, context)) if (!isFile || ref.path === focus) yield ref;
}

function isLater(a: SessionRef, b: SessionRef): boolean {
  const at = (ref: SessionRef) => Date.parse(ref.updatedAt ?? "");
  return at(a) > at(b) || (at(a) === at(b) && a.path.endsWith(".jsonl"));
}

/** Subagents' sessions inside the one that started them, where that is listed too. */
async function inFamilies(all: readonly Found[], context: ListContext): Promise<Writable[]> {
  const byId = new Map(all.map(({ ref, file }) => [`${file.folder ?? ""} ${ref.id}`, ref]));
  const tops: Writable[] = [];
  for (const { ref, file, isSubagents } of all) {
    const above = file.above === undefined ? undefined : byId.get(`${file.folder ?? ""} ${file.above}`);
    if (file.above !== undefined && isSubagents) ref.parent = { id: file.above, relation: "subagent" };
    if (above && above !== ref && isSubagents) above.children.push(ref);
    else tops.push(ref);
  }
  for (const ref of byId.values()) if (ref.children.length > 0) await nameCalls(ref, context);
  return tops;
}

/** The call that started a subagent names its session. */
async function nameCalls(ref: Writable, context: ListContext): Promise<void> {
  const file = await context.source.open(ref.path).catch(() => undefined);
  if (!file) return;
  try {
    const calls = new Map<string, string>();
    for (const slot of scan(file, context.signal).current) {
      if (slot.type !== "gemini") continue;
      for (const call of list(recordOf(file, slot).toolCalls)) {
        const { agentId, id } = fields(call) ?? {};
        if (typeof agentId === "string" && typeof id === "string") calls.set(agentId, id);
      }
    }
    ref.children = ref.children.map((child) => {
      const toolCallId = calls.get(child.id);
      return toolCallId === undefined
        ? child
        : { ...child, parent: { id: ref.id, relation: "subagent", toolCallId } };
    });
  } finally {
    file.close();
  }
}

type Place = Store & { state: string };

/** undefined: it is no session, or nobody said anything in it. */
async function refOf(file: SessionFile, store: Place, context: ListContext): Promise<Found | undefined> {
  const opened = await context.source.open(file.path);
  try {
    const found = scan(opened, context.signal);
    const ref = headOf(opened, found, file, store, context);
    if (!ref) return undefined;
    const companions = await companionsOf(file, ref.id, store, context);
    ref.files = [...ref.files, ...companions.files];
    ref.size += companions.size;
    return { ref, file, isSubagents: found.meta.kind === "subagent" };
  } finally {
    opened.close();
  }
}

function headOf(
  opened: OpenFile,
  found: Scan,
  file: SessionFile,
  store: Place,
  context: ListContext,
): Writable | undefined {
  const { meta, steps } = found;
  const base = pathOf(context.environment).basename(file.path);
  const isTag = isCheckpoint(base);
  const listed = steps.flatMap((each) => (each.step === "replaced" ? each.list : []));
  const slots = steps.flatMap((each) => (each.step === "message" ? [each.slot] : []));
  const talk = slots.filter(isTalk);
  const all = [...listed, ...slots, ...found.branches.flatMap((branch) => branch.slots)];
  if (!all.some(isTalk) && !(found.heads.length === 0 && found.others.length > 0)) return undefined;
  const read = (slot: Slot | undefined) => (slot ? recordOf(opened, slot) : {});
  const times = all.filter(isTalk).flatMap(({ time }) => time ?? []);
  const created = least([timeOf(meta.startTime), ...times.slice(0, 1)]);
  const updated = most([created, ...(times.length > 0 ? times : [timeOf(meta.lastUpdated)])]);
  const id = isTag ? base.slice(0, -".json".length) : (name(meta.sessionId) ?? base.replace(/\.jsonl?$/, ""));
  const cwd = cwdOf(meta, file, () => textsOf(read(all.find(({ only }) => only === "context"))));
  const model = name(read(talk.findLast(({ type }) => type === "gemini")).model);
  const createdAt = new Date(created ?? opened.mtimeMs).toISOString();
  return {
    harness: store.harness,
    id,
    path: file.path,
    files: [
      {
        path: file.path,
        relative: relativeTo(file.path, id, createdAt, store, context),
        role: "transcript",
      },
    ],
    ...titleOf(isTag ? tagOf(base) : undefined, meta, all, read),
    ...(cwd !== undefined && { cwd }),
    createdAt,
    updatedAt: new Date(updated ?? opened.mtimeMs).toISOString(),
    ...(created === undefined && { timesInferred: true }),
    size: opened.size,
    messages: talk.filter(({ says }) => says).length,
    ...(model !== undefined && { model }),
    children: [],
  };
}

function recordOf(file: OpenFile, slot: Slot): Fields {
  const { offset, length, at } = slot;
  const value = fields(parsed(Buffer.from(file.read(offset, length)).toString("utf8"))) ?? {};
  if (at === -1) return messageOf(value, 0) ?? {};
  return fields(list(fields(value.$set)?.messages ?? value.messages)[at]) ?? {};
}

/** By the owner of its folder, if the hash does not speak against it; else by what the session says itself. */
function cwdOf(meta: Fields, { owner }: SessionFile, context: () => string): string | undefined {
  const hash = name(meta.projectHash);
  const isProven = (cwd: string) => hash !== undefined && sha256(cwd) === hash;
  if (owner !== undefined && isProven(owner)) return owner;
  const directories = list(meta.directories).flatMap((each) => name(each) ?? []);
  const [, written] = /\*\*Workspace Directories:\*\*\n\s*- (.+)/.exec(context()) ?? [];
  const candidates = [...directories, ...(written === undefined ? [] : [written])];
  return candidates.find(isProven) ?? owner ?? candidates[0];
}

function textsOf(record: Fields): string {
  return partsIn(record.content)
    .map((part) => string(fields(part)?.text) ?? "")
    .join("");
}

const TITLE_LENGTH = 120;

/** What the model called it; a checkpoint is called by its tag; else the first words that were said. */
function titleOf(
  tag: string | undefined,
  meta: Fields,
  slots: readonly Slot[],
  read: (slot: Slot | undefined) => Fields,
): Pick<SessionRef, "title" | "titleFrom"> {
  const named = oneLine(string(meta.summary));
  if (named !== "") return { title: named, titleFrom: "agent" };
  const tagged = oneLine(tag);
  if (tagged !== "") return { title: tagged, titleFrom: "user" };
  for (const slot of slots) {
    if (slot.type !== "user" || !isTalk(slot)) continue;
    const { content, asp } = read(slot);
    if (fields(asp)?.injected !== undefined || (tag === undefined && isIgnored(content))) continue;
    const words = partsIn(content).flatMap((part) => string(fields(part)?.text) ?? []);
    const said = words.filter((text) => !isContext(text)).join(" ");
    const line = oneLine(said.trim().split("\n", 1)[0]);
    if (line === "") continue;
    return {
      title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
      titleFrom: "prompt",
    };
  }
  return {};
}

function least(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? known.reduce((a, b) => Math.min(a, b)) : undefined;
}

function most(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? known.reduce((a, b) => Math.max(a, b)) : undefined;
}

/** Where a session lies in the store; one that lies elsewhere is given the place that it would have. */
function relativeTo(
  file: string,
  id: string,
  created: string,
  { root, state }: Place,
  { environment }: ListContext,
): string {
  const path = pathOf(environment);
  if (isInside(file, state, environment.platform)) return path.relative(root, file).replaceAll("\\", "/");
  return `${TMP}/project/${CHATS}/${sessionFile(created, id)}`;
}

const MOST_COMPANIONS = 1000;

/** What the program keeps beside a session: long outputs of tools, plans and lists of things to do. */
async function companionsOf(
  file: SessionFile,
  id: string,
  { root }: Place,
  context: ListContext,
): Promise<{ files: EvidenceFile[]; size: number }> {
  const { source } = context;
  const path = pathOf(context.environment);
  const files: EvidenceFile[] = [];
  let size = 0;
  const { folder } = file;
  if (folder === undefined || !/^[\w-]+$/.test(id)) return { files, size };
  const folders = [
    path.join(folder, "tool-outputs", `session-${id}`),
    ...["plans", "tracker", "tasks"].map((name) => path.join(folder, id, name)),
  ];
  for (const at of folders) {
    const entries = await unlessUnreadable(context, () => source.readDir(at));
    for (const { name: entry, kind } of entries ?? []) {
      if (kind !== "file" || files.length >= MOST_COMPANIONS) continue;
      const own = path.join(at, entry);
      files.push({ path: own, relative: path.relative(root, own).replaceAll("\\", "/"), role: "companion" });
      size += (await source.stat(own))?.size ?? 0;
    }
  }
  return { files, size };
}
