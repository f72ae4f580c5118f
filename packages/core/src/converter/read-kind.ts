/** One of the kinds beside sessions is read: what of it cannot be read stays behind by name, and hides nothing else. */
import type { StateAxis } from "../fidelity/axes.js";
import { lenient } from "../io/lenient.js";
import { isInside } from "../io/paths.js";
import { SourceError } from "../io/source.js";
import { leave } from "../kinds/account.js";
import type { KindContext, StateForms, StateKind, StateKindName } from "./kinds.js";
import type { Store } from "./store.js";

export interface ReadKind<T> {
  /** undefined: the store holds none of it. */
  state: T | undefined;
  /** Nothing of it was unreadable: what is not in it is not there. */
  whole: boolean;
}

const AXES: Readonly<Record<StateKindName, StateAxis>> = {
  instructions: "instructions",
  skills: "skills",
  tools: "mcp-servers",
  memory: "notes",
  settings: "options",
};

/** @param context gets an item for each file or folder that cannot be read */
export async function readKind<K extends StateKindName>(
  name: K,
  kind: StateKind<StateForms[K]>,
  store: Store,
  context: KindContext,
): Promise<ReadKind<StateForms[K]>> {
  const { source, environment, projects, items } = context;
  const told = new Set<string>();
  const tell = ({ path, detail }: SourceError) => {
    if (told.has(path)) return;
    told.add(path);
    const project = projects.find((folder) => isInside(path, folder, environment.platform));
    const of = { item: path, scope: project === undefined ? "user" : "project", ...(project && { project }) };
    items.push(leave(context, of, { kind: name, axis: AXES[name], reason: "unreadable", note: detail }));
  };
  // Contents are opened when they are written: an empty file must not stand for one that cannot be read.
  const looking = { ...lenient(source, tell), open: (path: string) => source.open(path) };
  try {
    const state = await kind.read(store, { ...context, source: looking });
    return { state, whole: told.size === 0 };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    tell(error);
    return { state: undefined, whole: false };
  }
}
