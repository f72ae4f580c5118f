/** `memory/` of a bundle: one Markdown file a note, with a comment at its end that says where it came from. */
import type { Item, KindContext, KindPlan, KindTarget, StateKind } from "../../converter/kinds.js";
import type { Store } from "../../converter/store.js";
import { safeRelative } from "../../io/paths.js";
import { belonging, leave, lose } from "../../kinds/account.js";
import { readSignature, signNote } from "../../kinds/notes.js";
import { readText } from "../../kinds/text.js";
import { filesBelow } from "../../kinds/walk.js";
import type { Action } from "../../pipeline/plan.js";
import type { Memory, Note } from "../../state/memory.js";
import { bundleStateFidelity } from "./fidelity.js";
import { manifestThere } from "./files.js";

const KIND = { kind: "memory", axis: "notes" } as const;

export const memory: StateKind<Memory> = { read, write, fidelity: bundleStateFidelity };

async function read(store: Store, { source, environment, losses }: KindContext): Promise<Memory | undefined> {
  const notes: Note[] = [];
  for (const path of await filesBelow(
    `${store.root}/memory`,
    (name) => name.endsWith(".md"),
    source,
    environment,
    { everywhere: true },
  )) {
    const read = await readText(source, `${store.root}/memory/${path}`);
    if (!read) continue;
    if (read.invalid) lose(losses, { ...KIND, level: "partial", reason: "invalid-text", item: path });
    const signed = readSignature(read.text);
    if (!signed) notes.push({ path, text: read.text, from: { harness: "bundle", path } });
    else if (signed.deleted) notes.push({ path, deleted: true, from: signed.from });
    else
      notes.push({ path, text: signed.text, from: signed.from, ...(signed.kind && { kind: signed.kind }) });
  }
  return notes.length > 0 ? { notes } : undefined;
}

async function write(state: Memory, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [manifestThere(target)];
  const items: Item[] = [];
  for (const note of state.notes) {
    const of = belonging(
      { scope: note.from.project === undefined ? "user" : "project", project: note.from.project },
      note.path,
    );
    const safe = safeRelative(note.path);
    if ("refused" in safe) {
      items.push(leave(target, of, { ...KIND, reason: "unsafe", note: safe.refused }));
      continue;
    }
    const path = `${target.root}/memory/${safe.path}`;
    const text = signNote(note);
    const had = (await readText(target.source, path))?.text;
    if (had !== undefined && had === text) items.push({ ...of, outcome: "present" });
    else {
      actions.push({ do: "edit", path, edit: () => text, what: note.path, mode: 0o644 });
      items.push({ ...of, outcome: "written" });
    }
  }
  return { actions, items };
}
