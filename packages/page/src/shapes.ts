/** What a page holds, as JSON: made by the command, shown by the page's own program. */
import type { Mark } from "./losses.js";

export type Part =
  | { part: "text"; text: string }
  | { part: "thinking"; text: string }
  | { part: "call"; id: string; name: string; input: unknown; result?: Outcome }
  | { part: "image"; src: string; alt: string }
  | { part: "reference"; uri: string; title: string; text?: string }
  | { part: "error"; text: string }
  | { part: "opaque"; text: string };

export interface Outcome {
  parts: Part[];
  failed: boolean;
  made: boolean;
}

export interface Item {
  as: "message" | "compaction" | "plan" | "note" | "rest";
  /** Role, or what kind of note it is. */
  who: string;
  time?: string;
  model?: string;
  parts: Part[];
  marks?: Mark[];
  /** The native records that the marks are of. */
  native?: string;
}

/** A session in the tree; `depth` 0 is the one that was asked for. */
export interface Branch {
  title: string;
  id: string;
  depth: number;
}

export interface Facts {
  sessions: Branch[];
  losses: { axis: string; level: string; why: string; count: number }[];
}
