/** What the doctor looks at, as data. */
import type { Unreadable } from "@asp-convert/core";
import type { Broken } from "../plugins/find.js";

export interface Problem {
  /** `problem`: something does not work; `note`: good to know. */
  level: "problem" | "note";
  about: string;
  text: string;
  /** What to do about it. */
  next: string;
}

export interface StoreFinding {
  root: string;
  sessions: number;
  unreadable: readonly Unreadable[];
}

export interface ProgramFinding {
  id: string;
  name: string;
  /** Of its file on the PATH. */
  at?: string;
  version?: string;
  /** Newest first. */
  verified: readonly string[];
  readOnly?: string;
  experimental?: string;
  stores: readonly StoreFinding[];
}

export interface Findings {
  asp: 1;
  version: string;
  node: { version: string; path: string };
  programs: readonly ProgramFinding[];
  plugins: readonly { id: string; name: string; from: string; version?: string }[];
  broken: readonly Broken[];
  state: StateFinding;
  problems: readonly Problem[];
}

export interface StateFinding {
  folder: string;
  receipts: number;
  unfinished: number;
  locks: number;
  /** Sessions that are remembered in the log, and that are in the index of texts; absent: there is none yet. */
  log?: number;
  index?: number;
}
