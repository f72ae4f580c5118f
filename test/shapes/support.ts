/** Opens a shape, takes it across, and says what came of it. */
import {
  type Atom,
  type Conversion,
  carryOut,
  convert,
  ENVIRONMENT,
  openStore,
  readAll,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
  talkOf,
} from "@asp-convert/conformance/toolbox";
import type { Converter, SessionEvent, SessionRef, Source } from "@asp-convert/core";
import { expect } from "vitest";
import { harnesses } from "../harnesses.js";
import { loadShape, shapeCases } from "./load.js";

export const cases = shapeCases();
export const others = (id: string): Converter[] => [
  ...Object.values(harnesses)
    .map(({ converter }) => converter)
    .filter((converter) => converter.id !== id),
];

export interface Opened {
  from: Converter;
  source: Source;
  refs: SessionRef[];
  files: ReadonlyMap<string, Uint8Array>;
}

export async function opened(name: string): Promise<Opened> {
  const shape = cases.find((one) => one.name === name);
  if (!shape) throw new Error(`there is no shape ${name}`);
  const { files, root } = await loadShape(shape);
  const from = harnesses[shape.harness].converter;
  const source = sourceOf(files);
  return { from, source, files, refs: await sessionsIn(from, root, source) };
}

/** The only session, or the one with this id. */
export function one({ refs }: Opened, id?: string): SessionRef {
  const found = id === undefined ? refs : refs.filter((ref) => ref.id === id);
  expect(found).toHaveLength(1);
  return found[0] as SessionRef;
}

export const eventsOf = async ({ from, source }: Opened, ref: SessionRef): Promise<SessionEvent[]> =>
  (await readAll(from, ref, source)).events;

export const words = (atoms: readonly Atom[]) => atoms.map(({ kind, key }) => `${kind}: ${key}`);

export interface Crossed extends Conversion {
  /** What the target's own reader finds. */
  talk: string[];
  text: string;
}

/** A session that does not say where it was is refused (P46), unless a place is given. */
export const home = ({ cwd }: SessionRef) => (cwd === undefined ? { cwd: "/home/dev/demo" } : {});

/** Into the other harness, and read back there. */
export async function crossed(store: Opened, ref: SessionRef = one(store)): Promise<Crossed> {
  const [to] = others(store.from.id);
  if (!to) throw new Error("there is no other harness");
  const conversion = await convert({ from: store.from, ref, source: store.source, to, ...home(ref) });
  const written = await openStore(to, TARGET_ROOT, sourceOf(conversion.files));
  const copy = written.refs.find(({ id }) => id === conversion.plan.id);
  if (!copy) throw new Error("the copy is not listed");
  const { events } = await readAll(to, copy, written.source);
  const text = [...conversion.files.values()].map((bytes) => Buffer.from(bytes).toString("utf8")).join("\n");
  return { ...conversion, talk: words(talkOf(events)), text };
}

export const losses = ({ losses }: Conversion) => losses.map(({ axis, reason }) => `${axis}: ${reason}`);
export const count = (conversion: Conversion, reason: string, axis?: string) =>
  conversion.losses
    .filter((loss) => loss.reason === reason && (axis ?? loss.axis) === loss.axis)
    .reduce((sum, loss) => sum + loss.count, 0);

/** Its own bytes into another store of its own harness. */
export async function replayed({ from, source }: Opened, ref: SessionRef): Promise<Buffer[]> {
  const target = { root: TARGET_ROOT, environment: ENVIRONMENT, source: sourceOf(new Map()), copy: 0 };
  return [...(await carryOut(await from.sessions.replay(ref, source, target))).values()].map((bytes) =>
    Buffer.from(bytes),
  );
}

export const TALK = [
  "user: What is here?",
  'call: #0 Bash {"command":"ls"}',
  "result: #0 ok README.md",
  "assistant: One file.",
  "user: Thank you.",
  "assistant: You are welcome.",
];
