/** Memory: notes by path, each with where it came from; a deleted one says so. */
import type { Memory, Note } from "@asp-convert/core";
import type { WireNote } from "../../forms/state.js";

export function memoryToWire({ notes }: Memory): WireNote[] {
  return notes.map(({ path, text, deleted, kind, from }) => ({
    path,
    ...(deleted ? { deleted } : { text: text ?? "" }),
    source: from,
    ...(kind !== undefined && { _meta: { asp: { kind } } }),
  }));
}

export function memoryFromWire(notes: readonly WireNote[], harness: string): Memory {
  return { notes: notes.map((note) => noteFromWire(note, harness)) };
}

function noteFromWire({ path, text, deleted, source, _meta }: WireNote, harness: string): Note {
  const of = typeof source === "object" ? source : undefined;
  const from = {
    harness: of?.harness ?? (typeof source === "string" ? source : harness),
    path: of?.path ?? path,
    ...(of?.project !== undefined && { project: of.project }),
  };
  const kind = _meta?.asp?.kind;
  if (deleted) return { path, deleted, from };
  return { path, text: text ?? "", from, ...(kind !== undefined && { kind }) };
}
