/**
 * Memory as folders of Markdown notes, each folder with an index that every session is given: how Claude Code and the
 * programs that learned from it keep theirs.
 */
import type { Item, KindContext, KindTarget } from "../converter/kinds.js";
import { pathOf } from "../io/paths.js";
import type { Action } from "../pipeline/plan.js";
import type { Note } from "../state/memory.js";
import { belonging, change, leave, lose } from "./account.js";
import { type CarriedNote, carriedBlock, noteFile } from "./carried-notes.js";
import { planPieces } from "./instructions.js";
import {
  noteHeading,
  readSignature,
  signNote,
  WITHDRAWN,
  withIndexLines,
  withoutIndexLine,
} from "./notes.js";
import { readText } from "./text.js";
import { filesBelow } from "./walk.js";

const KIND = { kind: "memory", axis: "notes" } as const;

export interface NoteFolder {
  /** Absolute. */
  folder: string;
  /** What its notes are called by: `<prefix>/<file>`. */
  prefix: string;
  /** As the store names it: notes say that they are from `<relative>/<file>`. */
  relative: string;
  project?: string | undefined;
  /** Everything in it came from elsewhere. */
  isCarried?: boolean;
}

export interface NoteHome {
  /** Of its converter. */
  harness: string;
  /** As people write it. */
  name: string;
  /** The file of a folder that lists its notes: `MEMORY.md`. */
  index: string;
}

/** The notes of a folder: those that came from elsewhere as what they were there. */
export async function readNotes(
  { harness, index }: NoteHome,
  { folder, prefix, relative, project, isCarried = false }: NoteFolder,
  { source, environment, losses }: Pick<KindContext, "source" | "environment" | "losses">,
): Promise<Note[]> {
  const paths = pathOf(environment);
  const notes: Note[] = [];
  const isNote = (file: string) => file.endsWith(".md");
  for (const name of await filesBelow(folder, isNote, source, environment, { everywhere: true })) {
    const read = await readText(source, paths.join(folder, ...name.split("/")));
    if (!read) continue;
    const path = `${prefix}/${name}`;
    if (read.invalid) lose(losses, { ...KIND, level: "partial", reason: "invalid-text", item: path });
    const signed = readSignature(read.text);
    if (signed) notes.push({ path, text: signed.text, from: signed.from });
    else if (!isCarried) {
      const from = { harness, ...(project !== undefined && { project }), path: `${relative}/${name}` };
      notes.push({ path, text: read.text, ...(name === index && { kind: "index" as const }), from });
    }
  }
  return notes;
}

export class NoteWriter {
  readonly actions: Action[] = [];
  readonly #home: NoteHome;
  readonly #target: KindTarget;
  readonly #indexes = new Map<string, { path: string; title: string; description: string }[]>();

  constructor(home: NoteHome, target: KindTarget) {
    this.#home = home;
    this.#target = target;
  }

  /** Another program's index says nothing that this one's does not come to say. */
  isGenerated({ kind, from }: Note): boolean {
    return kind === "index" && from.harness !== this.#home.harness;
  }

  generated(note: Note): Item {
    return change(this.#target, noteItem(note), {
      ...KIND,
      reason: "generated",
      note: `${this.#home.name}'s own index gets a line for each note`,
    });
  }

  unsafe(note: Note, name: string): Item {
    return leave(this.#target, noteItem(note), {
      ...KIND,
      reason: "unsafe",
      note: `its path is ${JSON.stringify(name)}`,
    });
  }

  /** @param name below the folder, with `/`. */
  async put(note: Note, folder: string, name: string): Promise<Item> {
    const of = noteItem(note);
    if (!/^[^\0\\]+\.md$/.test(name) || name.split("/").some((part) => part === ".." || part === ""))
      return this.unsafe(note, name);
    const path = pathOf(this.#target.environment).join(folder, ...name.split("/"));
    const had = (await readText(this.#target.source, path))?.text;
    const hadText = had === undefined ? undefined : (readSignature(had)?.text ?? had);
    if (note.deleted) return this.withdraw(note, path, had);
    if (hadText !== undefined) {
      return hadText === note.text
        ? { ...of, outcome: "present" }
        : leave(this.#target, of, { ...KIND, reason: "exists", note: path });
    }
    const own = note.from.harness === this.#home.harness;
    this.actions.push({ do: "create", path, content: own ? (note.text ?? "") : signNote(note), mode: 0o644 });
    if (!own) {
      const lines = this.#indexes.get(folder) ?? [];
      lines.push({ path: name, ...(await noteHeading(note)) });
      this.#indexes.set(folder, lines);
    }
    return { ...of, outcome: "written" };
  }

  /** A tombstone reaches only what came with the same origin and was not changed since. */
  withdraw(note: Note, path: string, had: string | undefined, isListed = true): Item {
    const of = noteItem(note);
    if (had === undefined) return { ...of, outcome: "present", note: "it is not here" };
    const signed = readSignature(had);
    const { harness, path: origin } = note.from;
    if (signed?.from.harness !== harness || signed.from.path !== origin)
      return leave(this.#target, of, {
        ...KIND,
        reason: "exists",
        note: `${path} is ${this.#home.name}'s own`,
      });
    if (signed.text === WITHDRAWN) return { ...of, outcome: "present", note: "withdrawn already" };
    if (signed.edited)
      return leave(this.#target, of, { ...KIND, reason: "exists", note: `${path} was changed here since` });
    this.actions.push({
      do: "edit",
      path,
      edit: () => signNote({ ...note, text: WITHDRAWN }),
      what: `${note.path} (withdrawn)`,
    });
    const paths = pathOf(this.#target.environment);
    if (isListed)
      this.actions.push({
        do: "edit",
        path: paths.join(paths.dirname(path), this.#home.index),
        edit: (before) => withoutIndexLine(before, paths.basename(path)),
        what: "its line of the index",
      });
    return { ...of, outcome: "written", note: "withdrawn" };
  }

  /**
   * Notes that the program has no memory for: files in a folder of ours, and a block in the instructions that lists them.
   * @param file of the instructions, absolute.
   * @returns an item for each.
   */
  async carried(notes: readonly Note[], folder: string, file: string): Promise<Item[]> {
    const { source, environment } = this.#target;
    const paths = pathOf(environment);
    const text = paths.basename(file);
    const items = new Map<Note, Item>();
    for (const harness of new Set(notes.map(({ from }) => from.harness))) {
      const taken = new Set<string>();
      const files: CarriedNote[] = [];
      for (const note of notes.filter(({ from }) => from.harness === harness)) {
        const path = paths.join(folder, noteFile(note, taken));
        const of = noteItem(note);
        if (!note.deleted) files.push({ note, file: path });
        const had = (await readText(source, path))?.text;
        if (note.deleted) items.set(note, this.withdraw(note, path, had, false));
        else if (note.kind === "index") items.set(note, { ...of, outcome: "written", note: `in ${text}` });
        else if (had === undefined) {
          this.actions.push({ do: "create", path, content: signNote(note), mode: 0o644 });
          const note_ = `listed in ${text}: ${this.#home.name} keeps memory by project`;
          items.set(note, change(this.#target, of, { ...KIND, reason: "scope-changed", note: note_ }));
        } else if (readSignature(had)?.text === note.text) items.set(note, { ...of, outcome: "present" });
        else items.set(note, leave(this.#target, of, { ...KIND, reason: "exists", note: path }));
      }
      if (files.length === 0) continue;
      const piece = {
        text: await carriedBlock(harness, files),
        marks: { kind: "memory", from: harness },
      } as const;
      this.actions.push(...(await planPieces(file, [piece], this.#target)).actions);
    }
    return notes.flatMap((note) => items.get(note) ?? []);
  }

  /** The lines of the indexes, once all notes are there. */
  end(): void {
    const paths = pathOf(this.#target.environment);
    for (const [folder, lines] of this.#indexes)
      this.actions.push({
        do: "edit",
        path: paths.join(folder, this.#home.index),
        edit: (before) => withIndexLines(before, lines),
        what: `${lines.length} line(s) of the index`,
        mode: 0o644,
      });
  }
}

export function noteItem({ from: { project }, path }: Note): Pick<Item, "item" | "scope" | "project"> {
  return belonging({ scope: project === undefined ? "user" : "project", project }, path);
}
