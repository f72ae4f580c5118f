/**
 * The five kinds beside sessions, as a converter gives them. A harness that has no such thing says so with
 * a sentence: `{ absent: "why" }`. A kind reads through a `Source` and answers with a plan; it decides by
 * itself only what its own harness can hold, never what is allowed: that is in the target's consents.
 */
import type { FidelityTable, StateAxis } from "../fidelity/axes.js";
import type { Loss } from "../fidelity/ledger.js";
import type { Reason } from "../fidelity/reasons.js";
import type { Environment } from "../io/paths.js";
import type { Source } from "../io/source.js";
import type { Action } from "../pipeline/plan.js";
import type { Instructions } from "../state/instructions.js";
import type { Memory } from "../state/memory.js";
import type { Settings } from "../state/settings.js";
import type { Skills } from "../state/skills.js";
import type { Tools } from "../state/tools.js";
import type { Store } from "./store.js";

/** The portable form of each kind. */
export interface StateForms {
  instructions: Instructions;
  skills: Skills;
  tools: Tools;
  memory: Memory;
  settings: Settings;
}

export type StateKindName = keyof StateForms;

/** What a kind could not carry, and what a person must be told of. */
export type Losses = Loss[];

export interface KindContext {
  source: Source;
  environment: Environment;
  /** Losses are added here as they are met. */
  losses: Losses;
  /** What is left out while reading is named here. */
  items: Item[];
  /** Take what belongs to the person everywhere. */
  user: boolean;
  /** Take what belongs to these project folders (absolute). */
  projects: readonly string[];
  /** Links that lead out of the folder they stand in may be followed, and what they point to copied. */
  followLinks: boolean;
}

/** What the person allowed. Nothing here is ever assumed. */
export interface Consents {
  /** Executable things (MCP servers, hooks, environment variables, modes without questions) may be written. */
  allowTools: boolean;
  /** Literal secret values may be written. */
  includeSecrets: boolean;
  /** An item may be written although a restriction of it is lost. */
  dropRestrictions: boolean;
}

export interface KindTarget extends Consents {
  /** For looking at what is there already. */
  source: Source;
  environment: Environment;
  losses: Losses;
  /** The store root of the target. */
  root: string;
  /** Where things of this project of the source go; undefined: they have no place and are left, by name. */
  projectFolder(project: string): string | undefined;
}

/** What becomes of one thing a person has a name for. */
export interface Item {
  /** As the person knows it: a skill's name, a server's name, a path, an option. */
  item: string;
  scope: string;
  project?: string;
  /**
   * `written`: it goes over, whole. `changed`: it goes over, not as it was (see the losses).
   * `present`: the target has the same already, or reads the very file. `left`: it stays behind.
   */
  outcome: "written" | "changed" | "present" | "left";
  /** Why it was left or changed. */
  reason?: Reason;
  /** What the reason's sentence cannot say: a line and column, a command line, a variable to set. */
  note?: string;
}

export interface KindPlan {
  actions: Action[];
  /** One for each thing in the state, in its order. */
  items: Item[];
}

/** How many of a kind there are, by scope: `user`, `project`, `local`. */
export type Counts = Record<string, number>;

export interface StateKind<T> {
  /** undefined: the store holds none of it. */
  read(store: Store, context: KindContext): Promise<T | undefined>;
  write(state: T, target: KindTarget): Promise<KindPlan>;
  fidelity: { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };
}

/** A kind that a converter does not take. */
export interface Absent {
  /** Why: a sentence. */
  absent: string;
  /** The program has such a thing; it is this converter that does not read it. */
  unread?: true;
}

export type StateKinds = { [K in StateKindName]: StateKind<StateForms[K]> | Absent };
