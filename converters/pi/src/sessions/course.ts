/**
 * One way through the tree, from a root to a leaf, with what can only be known by looking ahead on it: what the
 * model sees in place of an entry, and where the result of a call stands.
 */
import type { OpenFile } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import { type Entry, recordAt } from "./scan.js";

export interface Edit {
  /** The record that says so. */
  entry: Entry;
  /** What the model sees instead; null: nothing. */
  content: unknown;
}

export class Course {
  readonly path: readonly Entry[];
  readonly #file: OpenFile;
  readonly #edits = new Map<string, Edit>();
  /** `assistant entry \0 call` → the result of that call. */
  #results: Map<string, Entry> | undefined;

  constructor(path: readonly Entry[], file: OpenFile) {
    this.path = path;
    this.#file = file;
    if (path.some(({ type }) => type === "context_edit")) this.#findEdits();
  }

  /** Of two edits of one entry the later holds, wherever on the path it stands. */
  edit(entry: Entry): Edit | undefined {
    return this.#edits.get(entry.id);
  }

  /** Does this record change what the model sees? */
  holds(edit: Entry, target: string | undefined): boolean {
    return target !== undefined && this.#edits.get(target)?.entry === edit;
  }

  /** The result of a call that is not answered where it should be, if it comes later. */
  lateResult(assistant: Entry, toolCallId: string): Entry | undefined {
    this.#results ??= this.#findResults();
    return this.#results.get(`${assistant.id}\0${toolCallId}`);
  }

  #findEdits(): void {
    const before = new Map<string, Entry>();
    for (const entry of this.path) {
      if (entry.type === "context_edit") {
        const { targetId, replacement } = recordAt(this.#file, entry);
        const target = before.get(string(targetId) ?? "");
        const edit: Edit = { entry, content: fields(replacement)?.content ?? null };
        if (target && canEdit(target, edit.content === null)) this.#edits.set(target.id, edit);
      }
      before.set(entry.id, entry);
    }
  }

  #findResults(): Map<string, Entry> {
    const results = new Map<string, Entry>();
    const callers = new Map<string, Entry>();
    for (const entry of this.path) {
      if (entry.role !== "assistant" && entry.role !== "toolResult") continue;
      const message = fields(recordAt(this.#file, entry).message);
      if (entry.role === "assistant") {
        for (const id of callsIn(message)) callers.set(id, entry);
        continue;
      }
      const id = string(message?.toolCallId) ?? "";
      const key = `${callers.get(id)?.id}\0${id}`;
      if (!results.has(key)) results.set(key, entry);
    }
    return results;
  }
}

function callsIn(message: Fields | undefined): string[] {
  return list(message?.content).flatMap((block) => {
    const { type, id } = fields(block) ?? {};
    return type === "toolCall" ? (name(id) ?? []) : [];
  });
}

/** What Pi puts another content into; anything that the model sees can be taken out. */
function canEdit({ type, role }: Entry, out: boolean): boolean {
  if (type === "custom_message") return true;
  if (type === "branch_summary") return out;
  if (type !== "message") return false;
  return role === "user" || role === "assistant" || role === "toolResult" || (out && role !== "system");
}
