/**
 * Our own memory of the last exchange of notes between two stores. No harness keeps tombstones: that a note was
 * deleted is known only by what was handed over before.
 */
import type { Item } from "../converter/kinds.js";
import { type Environment, pathOf } from "../io/paths.js";
import { stateFolder } from "../io/state.js";
import { type Exchanged, exchanged, withTombstones } from "../kinds/notes.js";
import { digest } from "../session/identity.js";
import type { Memory } from "../state/memory.js";
import type { Action } from "./plan.js";
import type { StateRequest, StateWorld } from "./state-request.js";

/** A folder of its own for each pair of stores and what is taken, so that two runs do not wait for each other. */
export function exchangeFolder(
  { from, store, to, root, environment }: StateWorld,
  { user, projects }: StateRequest,
): string {
  const taken = user ? "all" : [...projects].sort().join("\n");
  const id = digest(from.id, store.root, to.id, root, taken).slice(0, 24);
  return pathOf(environment).join(stateFolder(environment), "exchange", id);
}

function fileOf(folder: string, environment: Environment): string {
  return pathOf(environment).join(folder, "notes.json");
}

/** The notes, and a tombstone for each that was handed over last time and is no more. */
export async function sinceLast(
  memory: Memory | undefined,
  folder: string,
  { source, environment }: StateWorld,
): Promise<Memory | undefined> {
  const bytes = await source.readFile(fileOf(folder, environment));
  const last = bytes === undefined ? [] : notesOf(new TextDecoder().decode(bytes));
  const notes = withTombstones(memory?.notes ?? [], last);
  return notes.length > 0 ? { notes } : memory;
}

function notesOf(text: string): Exchanged[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isExchanged) : [];
  } catch {
    return []; // Nothing is known then, and nothing is taken for deleted.
  }
}

function isExchanged(value: unknown): value is Exchanged {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    typeof value.path === "string" &&
    "from" in value &&
    typeof value.from === "object"
  );
}

/**
 * What was handed over this time, for the next. A part of the same transaction: undo takes it back as well. Notes that
 * came home to where they were first written are nobody's to take away, and are not remembered.
 */
export async function remember(
  { notes }: Memory,
  items: readonly Item[],
  folder: string,
  { to, source, environment }: StateWorld,
): Promise<Action[]> {
  const taken = notes.filter(
    (note, i) => !note.deleted && items[i]?.outcome !== "left" && note.from.harness !== to.id,
  );
  const path = fileOf(folder, environment);
  if (taken.length === 0 && !(await source.stat(path))) return [];
  const text = `${JSON.stringify(exchanged(taken), undefined, 1)}\n`;
  return [{ do: "edit", path, edit: () => text, what: "what was exchanged", mode: 0o600 }];
}
