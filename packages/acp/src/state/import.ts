/** State from the wire into the store: through the pipeline of every conversion, each session and each kind by itself. */
import {
  convert,
  type KindContext,
  LossLedger,
  type Report,
  type SessionRef,
  type StateForms,
  type StateKindName,
  type StateRequest,
  stateKinds,
} from "@asp-convert/core";
import type { ImportAnswer, Left } from "../forms/methods.js";
import type { StateRest, WireState } from "../forms/state.js";
import { type HeldStore, open, sessionsOf } from "./held.js";
import type { Arrived, Staging } from "./staging.js";
import { isBeginning, talkOf } from "./versions.js";
import { instructionsFromWire } from "./wire/instructions.js";
import { memoryFromWire } from "./wire/memory.js";
import { settingsFromWire } from "./wire/settings.js";
import { skillFromWire } from "./wire/skills.js";
import { toolsFromWire } from "./wire/tools.js";
import { NOBODY, refOf, type WireStore, wireConverter } from "./wire-converter.js";

interface Taken {
  kinds: Set<string>;
  left: Left[];
  sessions: Record<string, string>;
  names: Record<string, string>;
  receipts: string[];
  losses: Report["losses"];
}

export async function importState(
  held: HeldStore,
  state: WireState,
  staging: Staging,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const taken: Taken = { kinds: new Set(), left: [], sessions: {}, names: {}, receipts: [], losses: [] };
  const rest = state._meta?.asp;
  for (const kind of stateKinds) await takeKind(held, kind, state, taken, signal);
  if (state.sessions || rest?.children) {
    const arrived = await staging.add(state.sessions ?? [], rest?.children ?? []);
    const own = arrived.length > 0 ? await sessionsOf(held, signal) : [];
    for (const one of arrived) await takeSession(held, one, own, taken, signal);
  }
  for (const kind of Object.keys(state)) {
    if (kind !== "_meta" && kind !== "sessions" && !(stateKinds as readonly string[]).includes(kind))
      taken.left.push({ kind, reason: "this agent knows no such kind" });
  }
  return answerOf(taken, staging);
}

function answerOf(taken: Taken, { waiting }: Staging): ImportAnswer {
  const { kinds, left, sessions, names, receipts, losses } = taken;
  const asp = {
    ...(receipts.length > 0 && { receipts }),
    ...(losses.length > 0 && { losses }),
    ...(waiting.length > 0 && { waiting }),
    ...(Object.keys(names).length > 0 && { names }),
  };
  return {
    taken: [...kinds],
    notTaken: left,
    sessions,
    ...(Object.keys(asp).length > 0 && { _meta: { asp } }),
  };
}

async function takeSession(
  held: HeldStore,
  arrived: Arrived,
  own: readonly SessionRef[],
  taken: Taken,
  signal: AbortSignal,
): Promise<void> {
  const { sessionId, harness } = arrived.head;
  if (held.readOnly) {
    taken.left.push({
      kind: "sessions",
      item: sessionId,
      reason: `${held.converter.name}: nothing is written to it`,
    });
    return;
  }
  try {
    const there = own.find(({ id }) => id === sessionId);
    if (there && (await holdsAlready(held, arrived, there, signal))) {
      put(taken.sessions, sessionId, sessionId);
      taken.kinds.add("sessions");
      return;
    }
    const name = there && `${sessionId}~${harness ?? NOBODY}`;
    const ref = refOf(arrived, name);
    const sessions = new Map([[ref, arrived], ...belonging(ref, arrived)]);
    const report = await run(held, { sessions, kinds: {} }, [ref], undefined, signal);
    for (const { id, newId } of report.sessions) put(taken.sessions, id === ref.id ? sessionId : id, newId);
    const newId = report.sessions[0]?.newId;
    if (name !== undefined && newId !== undefined) put(taken.names, newId, name);
    note(taken, report);
    taken.kinds.add("sessions");
  } catch (error) {
    signal.throwIfAborted();
    taken.left.push({ kind: "sessions", item: sessionId, reason: messageOf(error) });
  }
}

function* belonging(ref: SessionRef, arrived: Arrived): Generator<[SessionRef, Arrived]> {
  for (const [i, child] of arrived.children.entries()) {
    const of = ref.children[i];
    if (!of) continue;
    yield [of, child];
    yield* belonging(of, child);
  }
}

/** The store's own version of it has all that came, and maybe more. */
async function holdsAlready(
  held: HeldStore,
  arrived: Arrived,
  there: SessionRef,
  signal: AbortSignal,
): Promise<boolean> {
  const { converter, source, environment } = held;
  const ref = refOf(arrived);
  const wire = wireConverter({ sessions: new Map([[ref, arrived]]), kinds: {} });
  const context = (of: SessionRef) => ({ source, environment, ledger: new LossLedger(of.id), signal });
  const files = (await converter.sessions.view?.(await open(held), source)) ?? source;
  const came = await talkOf(wire.sessions.read(ref, context(ref)));
  const has = await talkOf(converter.sessions.read(there, { ...context(there), source: files }));
  return isBeginning(came, has);
}

async function takeKind(
  held: HeldStore,
  kind: StateKindName,
  state: WireState,
  taken: Taken,
  signal: AbortSignal,
): Promise<void> {
  const refuse = (reason: string, item?: string) =>
    taken.left.push({ kind, reason, ...(item !== undefined && { item }) });
  try {
    const portable = await portableOf(held, kind, state, refuse);
    if (portable === undefined) return;
    const writer = held.converter[kind];
    if (held.readOnly || "absent" in writer) {
      refuse(
        "absent" in writer ? `${held.converter.name}: ${writer.absent}` : "nothing is written to this store",
      );
      return;
    }
    const { allowTools, includeSecrets, dropRestrictions, projects } = held;
    const request: StateRequest = {
      kinds: [kind],
      user: true,
      projects: [],
      projectFolder: (project) => projects.find((own) => own === project),
      followLinks: false,
      allowTools,
      includeSecrets,
      dropRestrictions,
    };
    const store = { sessions: new Map(), kinds: { [kind]: portable } } as WireStore;
    const report = await run(held, store, [], request, signal);
    note(taken, report);
    if (report.items.length === 0 || report.items.some(({ outcome }) => outcome !== "left"))
      taken.kinds.add(kind);
  } catch (error) {
    signal.throwIfAborted();
    refuse(messageOf(error));
  }
}

/** undefined: nothing of this kind came. */
async function portableOf(
  held: HeldStore,
  kind: StateKindName,
  state: WireState,
  refuse: (reason: string, item?: string) => void,
): Promise<StateForms[StateKindName] | undefined> {
  const rest = state._meta?.asp;
  switch (kind) {
    case "instructions":
      return state.instructions === undefined
        ? undefined
        : instructionsFromWire(state.instructions, rest, NOBODY);
    case "skills":
      return skills(held, state, rest, refuse);
    case "tools":
      return state.tools || rest?.hooks || rest?.servers ? toolsFromWire(state.tools ?? [], rest) : undefined;
    case "memory":
      return state.memory && memoryFromWire(state.memory, NOBODY);
    case "settings":
      return state.settings && settingsFromWire(state.settings, rest, NOBODY);
  }
}

async function skills(
  { source, environment }: HeldStore,
  { skills: wire = [] }: WireState,
  rest: StateRest | null | undefined,
  refuse: (reason: string, item?: string) => void,
): Promise<StateForms["skills"] | undefined> {
  const definitions = rest?.definitions ?? [];
  if (wire.length === 0 && definitions.length === 0) return undefined;
  const context: KindContext = {
    source,
    environment,
    losses: [],
    items: [],
    user: true,
    projects: [],
    followLinks: false,
  };
  const read: StateForms["skills"] = { skills: [], definitions };
  for (const each of wire) {
    const made = await skillFromWire(each, context);
    if ("refused" in made) refuse(made.refused, each.name);
    else read.skills.push(made.skill);
  }
  return read;
}

function run(
  held: HeldStore,
  store: WireStore,
  refs: readonly SessionRef[],
  state: StateRequest | undefined,
  signal: AbortSignal,
): Promise<Report> {
  const { converter, root, environment, source, installed, projects } = held;
  return convert({
    from: wireConverter(store),
    // No two imports are the same exchange: what a later one leaves out was not deleted.
    store: { harness: NOBODY, root: `${NOBODY}:${globalThis.crypto.randomUUID()}` },
    refs,
    to: converter,
    root,
    environment,
    source,
    installed,
    via: "events",
    signal,
    roots: projects,
    ...(state && { state }),
  });
}

function note(taken: Taken, report: Report): void {
  if (report.receipt !== undefined) taken.receipts.push(report.receipt);
  taken.losses.push(...report.losses);
  for (const { kind, reason, item } of report.notTaken)
    taken.left.push({ kind, reason, ...(item !== undefined && { item }) });
}

function put(into: Record<string, string>, key: string, value: string): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
