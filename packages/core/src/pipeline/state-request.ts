/** What is asked for of the kinds beside sessions, and between whom. */
import type { Converter, Store } from "../converter/contract.js";
import type { Consents, StateKindName } from "../converter/kinds.js";
import type { Environment } from "../io/paths.js";
import type { Source } from "../io/source.js";

export interface StateRequest extends Consents {
  kinds: readonly StateKindName[];
  /** What belongs to the person everywhere. */
  user: boolean;
  /** Project folders of the source (absolute) whose things are taken. A bundle brings its own. */
  projects: readonly string[];
  /** Where things of a project go in the target; undefined: nowhere, they are left and named. */
  projectFolder: (project: string) => string | undefined;
  followLinks: boolean;
}

export interface StateWorld {
  from: Converter;
  store: Store;
  to: Converter;
  root: string;
  environment: Environment;
  source: Source;
}
