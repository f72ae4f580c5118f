/**
 * The five kinds beside sessions, as a converter gives them. A harness that has no such thing says so with
 * a sentence: `{ absent: "why" }`.
 */
import type { FidelityTable, StateAxis } from "../fidelity/axes.js";
import type { Loss } from "../fidelity/ledger.js";
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
}

export interface KindTarget extends KindContext {
  root: string;
  /** Where project-scoped things go; absent: they have no place and are declared. */
  project?: string;
  /** Executable things (MCP servers, hooks) may be written. */
  allowTools: boolean;
  /** Literal secret values may be written. */
  includeSecrets: boolean;
}

export interface StateKind<T> {
  /** undefined: the store holds none of it. */
  read(store: Store, context: KindContext): Promise<T | undefined>;
  write(state: T, target: KindTarget): Promise<{ actions: Action[]; written: number }>;
  fidelity: { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };
}

export interface Absent {
  absent: string;
}

export type StateKinds = { [K in StateKindName]: StateKind<StateForms[K]> | Absent };
