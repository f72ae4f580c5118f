import type {
  Absent,
  Item,
  KindContext,
  KindTarget,
  StateForms,
  StateKind,
  StateKindName,
} from "../converter/kinds.js";
import { readKind } from "../converter/read-kind.js";
import type { Loss } from "../fidelity/ledger.js";
import type { Redactor } from "../share/redact.js";
import { sharedState } from "../share/state.js";
import type { Memory } from "../state/memory.js";
import { exchangeFolder, remember, sinceLast } from "./exchange.js";
import type { Stager } from "./stage.js";
import type { StateRequest, StateWorld } from "./state-request.js";
import { type KindItem, stateKinds } from "./state-words.js";

export type { StateRequest, StateWorld };

export interface ConvertedState {
  items: KindItem[];
  losses: Loss[];
  /** A kind that the source or the target does not have, with its sentence. */
  absent: { kind: StateKindName; reason: string }[];
}

/** Reads, plans and stages each kind that was asked for. Nothing is committed here. */
export async function convertState(
  world: StateWorld,
  request: StateRequest,
  stager: Stager,
  hide?: Redactor,
): Promise<ConvertedState> {
  const done: ConvertedState = { items: [], losses: [], absent: [] };
  for (const kind of stateKinds) {
    if (request.kinds.includes(kind)) await convertKind(kind, world, request, stager, done, hide);
  }
  return done;
}

async function convertKind(
  kind: StateKindName,
  world: StateWorld,
  request: StateRequest,
  stager: Stager,
  done: ConvertedState,
  hide: Redactor | undefined,
): Promise<void> {
  const { from, store, to, root, environment, source } = world;
  // One union of kinds is read and written by the same key: the pair always fits, which the types cannot say.
  const reader = from[kind] as StateKind<StateForms[typeof kind]> | Absent;
  const writer = to[kind] as StateKind<StateForms[typeof kind]> | Absent;
  if ("absent" in reader) {
    done.absent.push({ kind, reason: `${from.name}: ${reader.absent}` });
    return;
  }
  const { user, projects, followLinks } = request;
  const items: Item[] = [];
  const context: KindContext = {
    source,
    environment,
    losses: done.losses,
    items,
    user,
    projects,
    followLinks,
  };
  const { state: found, whole } = await readKind(kind, reader, store, context);
  const read = found && hide ? await sharedState(kind, found, hide, context) : found;
  // A note that cannot be read today was not deleted.
  const folder = kind === "memory" && whole ? exchangeFolder(world, request) : undefined;
  const state = folder === undefined ? read : await sinceLast(read as Memory | undefined, folder, world);
  if (state !== undefined && "absent" in writer)
    done.absent.push({ kind, reason: `${to.name}: ${writer.absent}` });
  else if (state !== undefined && !("absent" in writer)) {
    const { projectFolder, allowTools, includeSecrets, dropRestrictions } = request;
    const target: KindTarget = {
      source,
      environment,
      losses: done.losses,
      root,
      projectFolder,
      allowTools,
      includeSecrets,
      dropRestrictions,
    };
    const plan = await writer.write(state, target);
    if (plan.actions.length > 0) await stager.stage(plan.actions);
    if (folder !== undefined) await stager.stage(await remember(state as Memory, plan.items, folder, world));
    items.push(...plan.items);
  }
  done.items.push(...items.map((item) => ({ kind, ...item })));
}
