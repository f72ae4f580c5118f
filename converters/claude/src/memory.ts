/** Auto memory: one folder of notes a project, with an index. Facts: STATE.md. */

import type { Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Memory, type Note, pathOf } from "@asp-convert/core";
import {
  isObject,
  jsonObject,
  type NoteFolder,
  NoteWriter,
  noteFile,
  readNotes,
  valueAt,
} from "@asp-convert/core/kinds";
import { memoryFidelity } from "./fidelity-state.js";
import { projectFolder } from "./layout.js";
import { CARRIED_NOTES, globalState, INSTRUCTIONS, MEMORY_INDEX, memoryFolder } from "./layout-state.js";

const HARNESS = "claude";
const HOME = { harness: HARNESS, name: "Claude Code", index: MEMORY_INDEX } as const;

export const memory: StateKind<Memory> = { read, write, fidelity: memoryFidelity };

async function read(store: Store, context: KindContext): Promise<Memory | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const notes: Note[] = [];
  const projects = paths.join(store.root, "projects");
  const take = async (folder: NoteFolder) => notes.push(...(await readNotes(HOME, folder, context)));
  if (context.user) {
    const known = await knownProjects(store.root, context);
    for (const { name, kind } of await source.readDir(projects)) {
      if (kind !== "directory") continue;
      const folder = paths.join(projects, name, "memory");
      const project = await projectOf(name, paths.join(projects, name), known, context);
      await take({ folder, prefix: name, relative: `projects/${name}/memory`, project });
    }
    const own = (relative: string) => ({ folder: paths.join(store.root, relative), relative });
    await take({ ...own("agent-memory"), prefix: "agents" });
    await take({ ...own(CARRIED_NOTES), prefix: "carried", isCarried: true });
  } else {
    for (const project of context.projects) {
      const folder = await memoryFolder(store.root, project, source, environment);
      const slug = paths.basename(paths.dirname(folder));
      await take({ folder, prefix: slug, relative: `projects/${slug}/memory`, project });
    }
  }
  return notes.length > 0 ? { notes } : undefined;
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
  const writer = new NoteWriter(HOME, target);
  const items: Item[] = [];
  const carried: { note: Note; at: number }[] = [];
  for (const [at, note] of state.notes.entries()) {
    if (writer.isGenerated(note) && note.from.project !== undefined) items[at] = writer.generated(note);
    else if (note.from.project === undefined && note.from.harness !== HARNESS) carried.push({ note, at });
    else {
      const placed = await placeOf(note, target);
      items[at] = placed
        ? await writer.put(note, placed.folder, placed.name)
        : writer.unsafe(note, note.from.path);
    }
  }
  writer.end();
  const notes = carried.map(({ note }) => note);
  const [folder, file] = [CARRIED_NOTES, INSTRUCTIONS].map((name) => paths.join(target.root, name));
  const done = await writer.carried(notes, folder as string, file as string);
  for (const [i, item] of done.entries()) items[carried[i]?.at ?? 0] = item;
  return { actions: writer.actions, items };
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
