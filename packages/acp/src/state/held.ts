/** The native store that an agent's state lies in, and what its owner allowed when the program was started. */
import type {
  Consents,
  Converter,
  Environment,
  KindContext,
  SessionRef,
  Source,
  SourceError,
  StateForms,
  StateKind,
  StateKindName,
  Store,
} from "@asp-convert/core";
import { readKind as readState, stateKinds } from "@asp-convert/core";
import type { StateKind as KindName } from "../forms/capabilities.js";

export interface HeldStore extends Consents {
  converter: Converter;
  /** What the harness's own variable names. */
  root: string;
  environment: Environment;
  source: Source;
  /** Project folders (absolute) whose instructions, skills, servers … are part of the state. */
  projects: readonly string[];
  /** `root` is where the harness looks by itself. */
  installed: boolean;
  /** Sessions are read from it only. */
  readOnly?: boolean;
}

export function open({ converter, root, source, environment }: HeldStore): Promise<Store> {
  return converter.open(root, source, environment);
}

/** The kinds that the harness has: sessions, and whatever it does not declare absent. */
export function kindsOf({ converter }: HeldStore): KindName[] {
  return ["sessions", ...stateKinds.filter((kind) => !("absent" in converter[kind]))];
}

/**
 * Newest first; those without a time last. A store that is not there yet holds none.
 * @param onUnreadable told of what cannot be read; it never hides the rest
 */
export async function sessionsOf(
  held: HeldStore,
  signal?: AbortSignal,
  onUnreadable: (error: SourceError) => void = () => {},
): Promise<SessionRef[]> {
  const { converter, source, environment, root } = held;
  if ((await source.stat(root)) === undefined) return [];
  const refs: SessionRef[] = [];
  const context = { source, environment, onUnreadable, ...(signal && { signal }) };
  for await (const ref of converter.sessions.list(await open(held), context)) refs.push(ref);
  return refs.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : a.id < b.id ? -1 : 1));
}

function timeOf({ updatedAt, createdAt }: SessionRef): string {
  return updatedAt ?? createdAt ?? "";
}

export type Read<K extends StateKindName> = { state: StateForms[K] | undefined } & Pick<
  KindContext,
  "losses" | "items"
>;

/** One of the kinds beside sessions, as the store holds it; undefined: none of it. */
export async function readKind<K extends StateKindName>(held: HeldStore, kind: K): Promise<Read<K>> {
  const { converter, source, environment, projects } = held;
  const reader = converter[kind] as StateKind<StateForms[K]> | { absent: string };
  const context: KindContext = {
    source,
    environment,
    losses: [],
    items: [],
    user: true,
    projects,
    followLinks: false,
  };
  if ("absent" in reader) return { state: undefined, losses: [], items: [] };
  const { state } = await readState(kind, reader, await open(held), context);
  return { state, losses: context.losses, items: context.items };
}
