/** What the picker and the threads beside it say to each other. */
import type { SessionRef } from "@asp-convert/core";

export interface Said {
  role: "user" | "assistant";
  text: string;
}

export type Task = { kind: "stores"; index: boolean } | { kind: "preview" };

export type FromStores =
  | { kind: "refs"; harness: string; name: string; root: string; refs: SessionRef[] }
  /** All of this store's sessions have come. */
  | { kind: "listed"; root: string; harness: string }
  | { kind: "reading"; done: number; total: number }
  /** What the index holds of it is as the store is now. */
  | { kind: "indexed" }
  | { kind: "problem"; text: string }
  | { kind: "done" };

export interface PreviewTask {
  turn: number;
  harness: string;
  root: string;
  ref: SessionRef;
}

export interface Preview {
  turn: number;
  said: Said[];
  problem?: string;
}
