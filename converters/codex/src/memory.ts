/** Memories: what Codex consolidated, and notes by hand. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Memory, type Note, pathOf } from "@asp-convert/core";
import {
  belonging,
  type CarriedNote,
  carriedBlock,
  change,
  filesBelow,
  leave,
  lose,
  noteFile,
  planPieces,
  readSignature,
  readText,
  signNote,
  WITHDRAWN,
} from "@asp-convert/core/kinds";
import { memoryFidelity } from "./fidelity-state.js";
import {
  GENERATED_MEMORY,
  HAND_NOTES,
  IMPORTED_NOTES,
  INSTRUCTIONS,
  MEMORIES,
  OVERRIDE,
} from "./layout-state.js";

const HARNESS = "codex";
const KIND = { kind: "memory", axis: "notes" } as const;
const SUMMARY = "memory_summary.md";

export const memory: StateKind<Memory> = { read, write, fidelity: memoryFidelity };

async function read(store: Store, context: KindContext): Promise<Memory | undefined> {
  if (!context.user) return undefined; // Codex keeps one memory for everything.
  const { source, environment, losses } = context;
  const paths = pathOf(environment);
  const notes: Note[] = [];
  for (const base of MEMORIES) {
    const folder = paths.join(store.root, base);
    for (const name of await filesBelow(folder, (file) => file.endsWith(".md"), source, environment)) {
      if (GENERATED_MEMORY.includes(name) || name.endsWith("/instructions.md")) {
        lose(losses, { ...KIND, level: "dropped", reason: "generated", item: `${base}/${name}` });
        continue;
      }
      const read = await readText(source, paths.join(folder, ...name.split("/")));
      if (!read) continue;
      if (read.invalid)
        lose(losses, { ...KIND, level: "partial", reason: "invalid-text", item: `${base}/${name}` });
      notes.push(await noteOf(name, base, folder, read.text, context));
    }
  }
  return notes.length > 0 ? { notes } : undefined;
}

async function noteOf(
  name: string,
  base: string,
  folder: string,
  text: string,
  context: KindContext,
): Promise<Note> {
  const path = `${base}/${name}`;
  const signed = readSignature(text);
  if (signed) return { path, text: signed.text, from: signed.from };
  if (name.startsWith(`${IMPORTED_NOTES}/`)) {
    // Taken over by Codex itself: whose they are is in the folder's scope.json.
    const [slug, ...rest] = name.slice(IMPORTED_NOTES.length + 1).split("/");
    const scope = (
      await readText(
        context.source,
        pathOf(context.environment).join(folder, ...IMPORTED_NOTES.split("/"), slug ?? "", "scope.json"),
      )
    )?.text;
    const project = cwdOf(scope);
    const from = {
      harness: "claude",
      ...(project !== undefined && { project }),
      path: `projects/${slug}/memory/${rest.join("/")}`,
    };
    return { path, text, ...(rest.join("/") === "MEMORY.md" && { kind: "index" as const }), from };
  }
  return {
    path,
    text,
    ...(name === SUMMARY && { kind: "index" as const }),
    from: { harness: HARNESS, path },
  };
}

function cwdOf(scope: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(scope ?? "null");
    return typeof value === "object" && value !== null && "cwd" in value && typeof value.cwd === "string"
      ? value.cwd
      : undefined;
  } catch {
    return undefined;
  }
}

async function write(state: Memory, target: KindTarget): Promise<KindPlan> {
  const paths = pathOf(target.environment);
  const actions: Action[] = [];
  const items: Item[] = [];
  const base = await memoriesFolder(target);
  const taken = new Set<string>();
  const carried = new Map<string, CarriedNote[]>();
  const there = await notesThere(target);
  for (const [at, note] of state.notes.entries()) {
    const of = belonging(
      { scope: note.from.project === undefined ? "user" : "project", project: note.from.project },
      note.path,
    );
    if (note.from.harness === HARNESS) {
      items[at] = await ownNote(note, of, actions, target);
      continue;
    }
    const name = noteFile(note, taken);
    const path = paths.join(base, ...HAND_NOTES.split("/"), name);
    const known = there.get(originOf(note));
    const file = known?.path ?? path;
    if (note.deleted) {
      items[at] = await withdraw(note, of, known, actions, target);
      continue;
    }
    const list = carried.get(note.from.harness) ?? [];
    list.push({ note, file });
    carried.set(note.from.harness, list);
    if (note.kind === "index")
      items[at] = change(target, of, {
        ...KIND,
        reason: "generated",
        note: `the index is made anew, in ${INSTRUCTIONS}`,
      });
    else if (!known) {
      actions.push({ do: "create", path, content: signNote(note), mode: 0o644 });
      items[at] = change(target, of, {
        ...KIND,
        reason: "scope-changed",
        note: `as a note by hand (${HAND_NOTES}), listed in ${INSTRUCTIONS}: Codex's own memory is its to write`,
      });
    } else if (known.text === note.text) items[at] = { ...of, outcome: "present" };
    else if (known.edited)
      items[at] = leave(target, of, {
        ...KIND,
        reason: "exists",
        note: `${known.path} was changed here since`,
      });
    else {
      actions.push({ do: "edit", path: known.path, edit: () => signNote(note), what: note.path });
      items[at] = { ...of, outcome: "written", note: "a newer text of a note that came before" };
    }
  }
  await writeIndex(carried, actions, target);
  return { actions, items };
}

async function memoriesFolder({ root, source, environment }: KindTarget): Promise<string> {
  const paths = pathOf(environment);
  for (const name of MEMORIES) if (await source.stat(paths.join(root, name))) return paths.join(root, name);
  return paths.join(root, "memories");
}

interface Known {
  path: string;
  text: string;
  edited: boolean;
}

function originOf({ from }: Pick<Note, "from">): string {
  return JSON.stringify([from.harness, from.project ?? null, from.path]);
}

/** What came before, by where it came from: ours by its signature, Codex's own importer's by its place. */
async function notesThere(target: KindTarget): Promise<Map<string, Known>> {
  const { root, source, environment } = target;
  const paths = pathOf(environment);
  const there = new Map<string, Known>();
  for (const base of MEMORIES) {
    for (const place of [HAND_NOTES, IMPORTED_NOTES]) {
      const folder = paths.join(root, base);
      for (const name of await filesBelow(
        paths.join(folder, ...place.split("/")),
        (file) => file.endsWith(".md"),
        source,
        environment,
      )) {
        const path = paths.join(folder, ...place.split("/"), ...name.split("/"));
        const text = (await readText(source, path))?.text ?? "";
        const context = {
          source,
          environment,
          losses: [],
          items: [],
          user: true,
          projects: [],
          followLinks: false,
        };
        const note = await noteOf(`${place}/${name}`, base, folder, text, context);
        if (note.from.harness !== HARNESS)
          there.set(originOf(note), {
            path,
            text: note.text ?? "",
            edited: readSignature(text)?.edited ?? false,
          });
      }
    }
  }
  return there;
}

/** A note of Codex's own that comes home. It is never written into what Codex generates. */
async function ownNote(
  note: Note,
  of: Pick<Item, "item" | "scope" | "project">,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const paths = pathOf(target.environment);
  const parts = note.from.path.split("/");
  if (
    parts.some((part) => part === ".." || part === "" || /[\0\\]/.test(part)) ||
    !MEMORIES.some((base) => base === parts[0])
  ) {
    return leave(target, of, {
      ...KIND,
      reason: "unsafe",
      note: `its path is ${JSON.stringify(note.from.path)}`,
    });
  }
  const path = paths.join(target.root, ...parts);
  const had = (await readText(target.source, path))?.text;
  if (note.deleted)
    return had === undefined
      ? { ...of, outcome: "present", note: "it is gone here too" }
      : leave(target, of, { ...KIND, reason: "exists", note: path });
  if (had !== undefined)
    return had === note.text
      ? { ...of, outcome: "present" }
      : leave(target, of, { ...KIND, reason: "exists", note: path });
  if (!parts.slice(1).join("/").startsWith(`${HAND_NOTES}/`)) {
    return leave(target, of, {
      ...KIND,
      reason: "generated",
      note: "Codex writes this file itself, from its own sessions",
    });
  }
  actions.push({ do: "create", path, content: note.text ?? "", mode: 0o644 });
  return { ...of, outcome: "written" };
}

/** Codex says "never delete a note file", and takes an edit over into its memory: so a note is emptied. */
async function withdraw(
  note: Note,
  of: Pick<Item, "item" | "scope" | "project">,
  known: Known | undefined,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  if (!known) return { ...of, outcome: "present", note: "it is not here" };
  if (known.edited)
    return leave(target, of, { ...KIND, reason: "exists", note: `${known.path} was changed here since` });
  if (known.text === WITHDRAWN) return { ...of, outcome: "present" };
  actions.push({
    do: "edit",
    path: known.path,
    edit: () => signNote({ ...note, text: WITHDRAWN }),
    what: `${note.path} (withdrawn)`,
  });
  return { ...of, outcome: "written", note: "withdrawn" };
}

/** The index in the instructions: all that reaches the model while Codex's memories feature is off. */
async function writeIndex(
  carried: ReadonlyMap<string, CarriedNote[]>,
  actions: Action[],
  target: KindTarget,
): Promise<void> {
  const paths = pathOf(target.environment);
  const override = paths.join(target.root, OVERRIDE);
  const file = (await target.source.stat(override)) ? override : paths.join(target.root, INSTRUCTIONS);
  for (const [harness, notes] of carried) {
    const text = await carriedBlock(harness, notes);
    const plan = await planPieces(file, [{ text, marks: { kind: "memory", from: harness } }], target);
    actions.push(...plan.actions);
    if (
      plan.outcomes.some((outcome) => outcome === "link" || outcome === "unreadable" || outcome === "edited")
    ) {
      lose(target.losses, {
        ...KIND,
        level: "partial",
        reason: "exists",
        item: file,
        note: "the index of the notes could not be written there",
      });
    }
  }
}
