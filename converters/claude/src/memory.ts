/** Auto memory: one folder of notes a project, with an index. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Memory, type Note, pathOf } from "@asp-convert/core";
import {
  belonging,
  type CarriedNote,
  carriedBlock,
  change,
  filesBelow,
  isObject,
  jsonObject,
  leave,
  lose,
  noteFile,
  noteHeading,
  planPieces,
  readSignature,
  readText,
  signNote,
  valueAt,
  WITHDRAWN,
  withIndexLines,
  withoutIndexLine,
} from "@asp-convert/core/kinds";
import { memoryFidelity } from "./fidelity-state.js";
import { projectFolder } from "./layout.js";
import { CARRIED_NOTES, globalState, INSTRUCTIONS, MEMORY_INDEX, memoryFolder } from "./layout-state.js";

const HARNESS = "claude";
const KIND = { kind: "memory", axis: "notes" } as const;

export const memory: StateKind<Memory> = { read, write, fidelity: memoryFidelity };

async function read(store: Store, context: KindContext): Promise<Memory | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const notes: Note[] = [];
  const projects = paths.join(store.root, "projects");
  if (context.user) {
    const known = await knownProjects(store.root, context);
    for (const { name, kind } of await source.readDir(projects)) {
      if (kind !== "directory") continue;
      const folder = paths.join(projects, name, "memory");
      notes.push(
        ...(await notesIn(
          folder,
          name,
          `projects/${name}/memory`,
          await projectOf(name, paths.join(projects, name), known, context),
          context,
        )),
      );
    }
    notes.push(
      ...(await notesIn(
        paths.join(store.root, "agent-memory"),
        "agents",
        "agent-memory",
        undefined,
        context,
      )),
    );
    notes.push(
      ...(await notesIn(paths.join(store.root, CARRIED_NOTES), "carried", CARRIED_NOTES, undefined, context)),
    );
  } else {
    for (const project of context.projects) {
      const folder = await memoryFolder(store.root, project, source, environment);
      const slug = paths.basename(paths.dirname(folder));
      notes.push(...(await notesIn(folder, slug, `projects/${slug}/memory`, project, context)));
    }
  }
  return notes.length > 0 ? { notes } : undefined;
}

async function notesIn(
  folder: string,
  prefix: string,
  relative: string,
  project: string | undefined,
  context: KindContext,
): Promise<Note[]> {
  const paths = pathOf(context.environment);
  const notes: Note[] = [];
  for (const name of await filesBelow(
    folder,
    (file) => file.endsWith(".md"),
    context.source,
    context.environment,
    { everywhere: true },
  )) {
    const read = await readText(context.source, paths.join(folder, ...name.split("/")));
    if (!read) continue;
    const path = `${prefix}/${name}`;
    if (read.invalid) lose(context.losses, { ...KIND, level: "partial", reason: "invalid-text", item: path });
    const signed = readSignature(read.text);
    if (signed) {
      notes.push({ path, text: signed.text, from: signed.from });
    } else if (relative !== CARRIED_NOTES) {
      const from = {
        harness: HARNESS,
        ...(project !== undefined && { project }),
        path: `${relative}/${name}`,
      };
      notes.push({ path, text: read.text, ...(name === MEMORY_INDEX && { kind: "index" as const }), from });
    }
  }
  return notes;
}

/** Project folders that Claude Code knows of, by the folder name it makes of each. */
async function knownProjects(
  root: string,
  { source, environment }: KindContext,
): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  // The tools kind tells of a broken file.
  const state = await jsonObject(await globalState(root, source, environment), source).catch(() => ({}));
  const projects = valueAt(state, ["projects"]);
  for (const path of Object.keys(isObject(projects) ? projects : {})) known.set(projectFolder(path), path);
  return known;
}

/** A folder's name does not say which path it was made of: the sessions in it do, else the known projects. */
async function projectOf(
  slug: string,
  folder: string,
  known: ReadonlyMap<string, string>,
  { source, environment }: KindContext,
): Promise<string | undefined> {
  const paths = pathOf(environment);
  for (const { name, kind } of await source.readDir(folder)) {
    if (kind !== "file" || !name.endsWith(".jsonl")) continue;
    // What cannot be read is told of where sessions are listed.
    const file = await source.open(paths.join(folder, name)).catch(() => undefined);
    if (!file) continue;
    try {
      const head = new TextDecoder().decode(file.read(0, 64 * 1024));
      const match = /"cwd":("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
      const cwd: unknown = match === undefined ? undefined : JSON.parse(match);
      if (typeof cwd === "string" && projectFolder(cwd) === slug) return cwd;
    } finally {
      file.close();
    }
  }
  return known.get(slug);
}

async function write(state: Memory, target: KindTarget): Promise<KindPlan> {
  const paths = pathOf(target.environment);
  const actions: Action[] = [];
  const items: Item[] = [];
  const indexes = new Map<string, { path: string; title: string; description: string }[]>();
  const carried: { note: Note; at: number }[] = [];
  for (const [at, note] of state.notes.entries()) {
    const of = itemOf(note);
    if (note.kind === "index" && note.from.harness !== HARNESS && note.from.project !== undefined) {
      items[at] = change(target, of, {
        ...KIND,
        reason: "generated",
        note: "Claude Code's own index gets a line for each note",
      });
    } else if (note.from.project === undefined && note.from.harness !== HARNESS) {
      carried.push({ note, at });
    } else {
      const placed = await placeOf(note, target);
      items[at] = placed
        ? await writeNote(note, placed.folder, placed.name, actions, indexes, target)
        : leave(target, of, {
            ...KIND,
            reason: "unsafe",
            note: `its path is ${JSON.stringify(note.from.path)}`,
          });
    }
  }
  for (const [folder, lines] of indexes) {
    const path = paths.join(folder, MEMORY_INDEX);
    actions.push({
      do: "edit",
      path,
      edit: (before) => withIndexLines(before, lines),
      what: `${lines.length} line(s) of the index`,
      mode: 0o644,
    });
  }
  await writeCarried(carried, actions, items, target);
  return { actions, items };
}

function itemOf(note: Note) {
  return belonging(
    { scope: note.from.project === undefined ? "user" : "project", project: note.from.project },
    note.path,
  );
}

/** Its own place for a note that was Claude Code's; for another's, the memory of its project. */
async function placeOf(
  note: Note,
  target: KindTarget,
): Promise<{ folder: string; name: string } | undefined> {
  const { root, source, environment } = target;
  const paths = pathOf(environment);
  const { harness, project, path } = note.from;
  const own =
    harness === HARNESS ? /^(?:projects\/[^/]+\/memory|agent-memory)\/(.+)$/.exec(path)?.[1] : undefined;
  const name = own ?? noteFile(note, new Set());
  if (path.startsWith("agent-memory/")) return { folder: paths.join(root, "agent-memory"), name };
  if (project !== undefined)
    return {
      folder: await memoryFolder(root, target.projectFolder(project) ?? project, source, environment),
      name,
    };
  // Of a project that nobody knows the path of: the folder's name is all there is.
  const slug = /^projects\/([A-Za-z0-9-]+)\/memory\//.exec(path)?.[1];
  return slug === undefined ? undefined : { folder: paths.join(root, "projects", slug, "memory"), name };
}

async function writeNote(
  note: Note,
  folder: string,
  name: string,
  actions: Action[],
  indexes: Map<string, { path: string; title: string; description: string }[]>,
  target: KindTarget,
): Promise<Item> {
  const paths = pathOf(target.environment);
  const of = itemOf(note);
  if (!/^[^\0\\]+\.md$/.test(name) || name.split("/").some((part) => part === ".." || part === "")) {
    return leave(target, of, { ...KIND, reason: "unsafe", note: `its path is ${JSON.stringify(name)}` });
  }
  const path = paths.join(folder, ...name.split("/"));
  const had = (await readText(target.source, path))?.text;
  const hadText = had === undefined ? undefined : (readSignature(had)?.text ?? had);
  if (note.deleted) return withdraw(note, path, had, actions, target);
  if (hadText !== undefined) {
    return hadText === note.text
      ? { ...of, outcome: "present" }
      : leave(target, of, { ...KIND, reason: "exists", note: path });
  }
  const own = note.from.harness === HARNESS;
  actions.push({ do: "create", path, content: own ? (note.text ?? "") : signNote(note), mode: 0o644 });
  if (!own) {
    const lines = indexes.get(folder) ?? [];
    lines.push({ path: name, ...(await noteHeading(note)) });
    indexes.set(folder, lines);
  }
  return { ...of, outcome: "written" };
}

/** A tombstone reaches only what came with the same origin and was not changed since. */
function withdraw(
  note: Note,
  path: string,
  had: string | undefined,
  actions: Action[],
  target: KindTarget,
): Item {
  const paths = pathOf(target.environment);
  const of = itemOf(note);
  if (had === undefined) return { ...of, outcome: "present", note: "it is not here" };
  const signed = readSignature(had);
  const ours =
    signed !== undefined && signed.from.harness === note.from.harness && signed.from.path === note.from.path;
  if (!ours) return leave(target, of, { ...KIND, reason: "exists", note: `${path} is Claude Code's own` });
  if (signed.text === WITHDRAWN) return { ...of, outcome: "present", note: "withdrawn already" };
  if (signed.edited)
    return leave(target, of, { ...KIND, reason: "exists", note: `${path} was changed here since` });
  actions.push({
    do: "edit",
    path,
    edit: () => signNote({ ...note, text: WITHDRAWN }),
    what: `${note.path} (withdrawn)`,
  });
  const [folder, name] = [paths.dirname(path), paths.basename(path)];
  // A note of a project is in an index, which is there then.
  if (note.from.project !== undefined) {
    actions.push({
      do: "edit",
      path: paths.join(folder, MEMORY_INDEX),
      edit: (before) => withoutIndexLine(before, name),
      what: "its line of the index",
    });
  }
  return { ...of, outcome: "written", note: "withdrawn" };
}

/** Notes that belong to no project, which Claude Code has no memory for. */
async function writeCarried(
  carried: readonly { note: Note; at: number }[],
  actions: Action[],
  items: Item[],
  target: KindTarget,
): Promise<void> {
  const paths = pathOf(target.environment);
  const folder = paths.join(target.root, CARRIED_NOTES);
  for (const harness of new Set(carried.map(({ note }) => note.from.harness))) {
    const own = carried.filter(({ note }) => note.from.harness === harness);
    const taken = new Set<string>();
    const files: CarriedNote[] = [];
    for (const { note, at } of own) {
      const name = noteFile(note, taken);
      const path = paths.join(folder, name);
      if (!note.deleted) files.push({ note, file: path });
      const had = (await readText(target.source, path))?.text;
      const of = itemOf(note);
      if (note.deleted) items[at] = withdraw(note, path, had, actions, target);
      else if (note.kind === "index") items[at] = { ...of, outcome: "written", note: `in ${INSTRUCTIONS}` };
      else if (had === undefined) {
        actions.push({ do: "create", path, content: signNote(note), mode: 0o644 });
        items[at] = change(target, of, {
          ...KIND,
          reason: "scope-changed",
          note: `listed in ${INSTRUCTIONS}: Claude Code keeps memory by project`,
        });
      } else if (readSignature(had)?.text === note.text) items[at] = { ...of, outcome: "present" };
      else items[at] = leave(target, of, { ...KIND, reason: "exists", note: path });
    }
    if (files.length === 0) continue;
    const text = await carriedBlock(harness, files);
    const plan = await planPieces(
      paths.join(target.root, INSTRUCTIONS),
      [{ text, marks: { kind: "memory", from: harness } }],
      target,
    );
    actions.push(...plan.actions);
  }
}
