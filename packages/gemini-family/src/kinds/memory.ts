/** Memory: a folder of notes with an index for each project, and where the program has one, for the person. */
import {
  type Item,
  isInside,
  type KindContext,
  type KindPlan,
  type KindTarget,
  type Memory,
  type Note,
  pathOf,
  type StateKind,
  type Store,
} from "@asp-convert/core";
import { type NoteFolder, NoteWriter, noteFile, readNotes } from "@asp-convert/core/kinds";
import { memoryFidelity } from "./fidelity.js";
import type { Program } from "./program.js";

/** The program puts it into each session; what it says of the other notes is how the model comes to read them. */
const INDEX = "MEMORY.md";
/** Ours: notes of the person's, where the program remembers by project only. */
const CARRIED = "asp-memory";

export function memory(program: Program): StateKind<Memory> {
  const home = { harness: program.id, name: program.name, index: INDEX };
  return {
    read: (store, context) => read(program, home, store, context),
    write: (state, target) => write(program, home, state, target),
    fidelity: memoryFidelity,
  };
}

type Home = ConstructorParameters<typeof NoteWriter>[0];

async function read(
  program: Program,
  home: Home,
  store: Store,
  context: KindContext,
): Promise<Memory | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const state = await program.state(store.root, source, environment);
  const notes: Note[] = [];
  const take = async (folder: NoteFolder) => notes.push(...(await readNotes(home, folder, context)));
  if (context.user) {
    const own = program.memories ?? CARRIED;
    const isCarried = program.memories === undefined;
    await take({ folder: paths.join(state, own), prefix: "user", relative: own, isCarried });
  }
  const named = new Map<string, string>();
  for (const project of context.projects)
    named.set((await program.memoryOf(project, { root: store.root, source, environment })).folder, project);
  const all = new Map(context.user ? await knownIn(program, state, context) : []);
  for (const [folder, project] of new Map<string, string | undefined>([...all, ...named])) {
    const relative = paths.relative(state, folder).replaceAll("\\", "/");
    await take({ folder, prefix: relative.split("/").at(-2) ?? "", relative, project });
  }
  return notes.length > 0 ? { notes } : undefined;
}

async function knownIn(
  program: Program,
  state: string,
  context: KindContext,
): Promise<[folder: string, project: string | undefined][]> {
  const found = await program.projectMemories(state, context);
  return found.map(({ folder, project }) => [folder, project]);
}

async function write(program: Program, home: Home, state: Memory, target: KindTarget): Promise<KindPlan> {
  const { root, source, environment } = target;
  const paths = pathOf(environment);
  const folder = await program.state(root, source, environment);
  const writer = new NoteWriter(home, target);
  const items: Item[] = [];
  const carried: { note: Note; at: number }[] = [];
  const places = new Map<string, Awaited<ReturnType<Program["memoryOf"]>>>();
  for (const [at, note] of state.notes.entries()) {
    const { project, path } = note.from;
    const isOwn = note.from.harness === program.id;
    if (project === undefined && program.memories === undefined) {
      carried.push({ note, at });
      continue;
    }
    if (writer.isGenerated(note)) {
      items[at] = writer.generated(note);
      continue;
    }
    if (project === undefined) {
      const own = isOwn && path.startsWith(`${program.memories}/`);
      const name = own ? path.slice((program.memories ?? "").length + 1) : noteFile(note, new Set());
      items[at] = await writer.put(note, paths.join(folder, program.memories ?? ""), name);
      continue;
    }
    const place =
      places.get(project) ?? (await program.memoryOf(target.projectFolder(project) ?? project, target));
    places.set(project, place);
    const name = isOwn ? /\/memory\/(.+)$/.exec(path)?.[1] : noteFile(note, new Set());
    items[at] = name === undefined ? writer.unsafe(note, path) : await writer.put(note, place.folder, name);
  }
  // What makes a folder the project's is written where a note goes into it.
  const touched = [...places.values()].filter(({ folder: of }) =>
    writer.actions.some(({ path }) => isInside(path, of, environment.platform)),
  );
  writer.end();
  const [text] = program.texts;
  const done = await writer.carried(
    carried.map(({ note }) => note),
    paths.join(folder, CARRIED),
    paths.join(folder, text ?? ""),
  );
  for (const [i, item] of done.entries()) items[carried[i]?.at ?? 0] = item;
  return { actions: [...touched.flatMap(({ actions }) => actions), ...writer.actions], items };
}
