/** A store's state, kind by kind, as a stream of pieces none of which is larger than a message may be. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type Loss, LossLedger, type SessionEvent, type SessionRef, whyLeft } from "@asp-convert/core";
import type { StateKind } from "../forms/capabilities.js";
import type { Left } from "../forms/methods.js";
import type { StateRest, WireSession, WireState } from "../forms/state.js";
import { projector } from "../projection/to-updates.js";
import { type HeldStore, open, readKind, sessionsOf } from "./held.js";
import { inPieces, MAX_UPDATE } from "./parts.js";
import { instructionsToWire } from "./wire/instructions.js";
import { memoryToWire } from "./wire/memory.js";
import { settingsToWire } from "./wire/settings.js";
import { skillToWire } from "./wire/skills.js";
import { toolsToWire } from "./wire/tools.js";

/** One piece of the state. `size`: bytes of JSON, about. */
export interface Fragment {
  size: number;
  put?: (state: WireState) => void;
  left?: readonly Left[];
  losses?: readonly Loss[];
}

/** So much of a session's updates is put into one piece. */
const PART = 4 * 1024 * 1024;

export interface ExportRequest {
  kinds: readonly StateKind[];
  /** Only these conversations. */
  sessions?: readonly string[];
}

export async function* fragments(
  held: HeldStore,
  { kinds, sessions }: ExportRequest,
  signal: AbortSignal,
): AsyncGenerator<Fragment> {
  const wants = new Set(kinds);
  if (wants.has("instructions")) yield* instructions(held);
  if (wants.has("skills")) yield* skills(held);
  if (wants.has("tools")) yield* tools(held);
  if (wants.has("memory")) yield* memory(held);
  if (wants.has("settings")) yield* settings(held);
  if (!wants.has("sessions")) return;
  const left: Left[] = [];
  const refs = await sessionsOf(held, signal, ({ path, detail: reason }) => {
    left.push({ kind: "sessions", item: path.replace(/^.*[/\\]/, ""), reason });
  });
  if (left.length > 0) yield { size: 0, left };
  for (const ref of refs) {
    if (sessions === undefined || sessions.includes(ref.id)) yield* conversation(held, ref, signal);
  }
}

async function* instructions(held: HeldStore): AsyncGenerator<Fragment> {
  const { state, ...more } = await readKind(held, "instructions");
  const wire = state && state.files.length > 0 ? instructionsToWire(state) : undefined;
  yield whole("instructions", wire && { instructions: wire.text }, wire?.rest, more);
}

/** A skill each: a store may hold many, and each is taken or left by itself. */
async function* skills(held: HeldStore): AsyncGenerator<Fragment> {
  const { state, ...more } = await readKind(held, "skills");
  for (const skill of state?.skills ?? []) {
    const wire = await skillToWire(skill);
    yield limited({ kind: "skills", item: skill.name }, wire, (into) => {
      into.skills ??= [];
      into.skills.push(wire);
    });
  }
  const definitions = state?.definitions ?? [];
  yield whole("skills", definitions.length > 0 ? {} : undefined, { definitions }, more);
}

async function* tools(held: HeldStore): AsyncGenerator<Fragment> {
  const { state, ...more } = await readKind(held, "tools");
  const wire = state && toolsToWire(state, held.includeSecrets);
  const any = wire && (wire.tools.length > 0 || Object.keys(wire.rest).length > 0);
  yield whole("tools", any ? { tools: wire.tools } : undefined, wire?.rest, more);
}

async function* memory(held: HeldStore): AsyncGenerator<Fragment> {
  const { state, ...more } = await readKind(held, "memory");
  const any = state && state.notes.length > 0;
  yield whole("memory", any ? { memory: memoryToWire(state) } : undefined, undefined, more);
}

async function* settings(held: HeldStore): AsyncGenerator<Fragment> {
  const { state, ...more } = await readKind(held, "settings");
  if (!state || (state.options.length === 0 && !state.permissions?.length)) {
    yield whole("settings", undefined, undefined, more);
    return;
  }
  const { values, rest, left } = settingsToWire(state, held.includeSecrets);
  yield whole("settings", { settings: values }, rest, more, left);
}

/** A kind that is one piece. Nothing of it: nothing is said of it, but for what was found and could not be read. */
function whole(
  kind: StateKind,
  state: WireState | undefined,
  rest: StateRest | undefined,
  { losses, items }: Pick<Awaited<ReturnType<typeof readKind>>, "losses" | "items">,
  more: readonly Left[] = [],
): Fragment {
  const left = [
    ...items
      .filter(({ outcome }) => outcome === "left")
      .map((item) => ({ kind, item: item.item, reason: whyLeft(item) })),
    ...more,
  ];
  if (!state) return { size: 0, left, losses };
  const fragment = limited({ kind }, { state, rest }, (into) => {
    Object.assign(into, state);
    if (rest) into._meta = { asp: { ...into._meta?.asp, ...rest } };
  });
  return { ...fragment, left: [...left, ...(fragment.left ?? [])], losses };
}

function limited(of: { kind: StateKind; item?: string }, value: unknown, put: Fragment["put"]): Fragment {
  const size = Buffer.byteLength(JSON.stringify(value));
  if (size > MAX_UPDATE)
    return { size: 0, left: [{ ...of, reason: `${size} bytes are more than a message holds` }] };
  return { size, ...(put && { put }) };
}

/** Subagents first: who takes a session then has all of it when it comes. */
async function* conversation(
  held: HeldStore,
  ref: SessionRef,
  signal: AbortSignal,
  parent?: SessionRef,
): AsyncGenerator<Fragment> {
  for (const child of ref.children) yield* conversation(held, child, signal, ref);
  const ledger = new LossLedger(ref.id);
  const head = headOf(ref, parent);
  let updates: SessionUpdate[] = [];
  let size = 0;
  let part = 0;
  try {
    for await (const { update, size: bytes } of replay(held, ref, ledger, signal)) {
      if (size + bytes > PART && updates.length > 0) {
        yield piece(head, updates, size, part++, true, parent !== undefined);
        updates = [];
        size = 0;
      }
      updates.push(update);
      size += bytes;
    }
    ledger.settle();
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    yield { size: 0, left: [{ kind: "sessions", item: ref.id, reason }] };
    return;
  }
  yield { ...piece(head, updates, size, part, false, parent !== undefined), losses: ledger.losses };
}

/** A conversation as `session/load` replays it. What stays behind in the native bytes goes into the ledger. */
export async function* replay(
  held: HeldStore,
  ref: SessionRef,
  ledger: LossLedger,
  signal: AbortSignal,
  compaction = true,
): AsyncGenerator<{ update: SessionUpdate; size: number }> {
  const { converter, source, environment } = held;
  const files = (await converter.sessions.view?.(await open(held), source)) ?? source;
  const project = projector({ harness: ref.harness, compaction });
  for await (const event of converter.sessions.read(ref, { source: files, environment, ledger, signal })) {
    account(event, ledger);
    for (const update of project(event)) yield* inPieces(update);
  }
}

function account(event: SessionEvent, ledger: LossLedger): void {
  if (event.type !== "unknown.observed" || event.payload.value !== undefined) ledger.mapped(event);
  else ledger.leave(event, { axis: "side-records", level: "evidence-only", reason: "no-counterpart" });
}

type SessionMeta = NonNullable<NonNullable<WireSession["_meta"]>["asp"]>;
/** A session without its updates. */
interface Head {
  sessionId: string;
  title?: string;
  cwd?: string;
  updatedAt?: string;
  harness: string;
  _meta: { asp: SessionMeta };
}

function headOf(ref: SessionRef, parent: SessionRef | undefined): Head {
  const { id, harness, title, titleFrom, cwd, createdAt, updatedAt, model, harnessVersion, archived, git } =
    ref;
  const link = parent ? { id: parent.id, relation: "subagent" as const, ...toolCall(ref) } : ref.parent;
  const meta: SessionMeta = {
    ...(createdAt !== undefined && { createdAt }),
    ...(titleFrom !== undefined && { titleFrom }),
    ...(model !== undefined && { model }),
    ...(harnessVersion !== undefined && { harnessVersion }),
    ...(archived !== undefined && { archived }),
    ...(git && { git }),
    ...(link && { parent: link }),
  };
  return {
    sessionId: id,
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    ...(updatedAt !== undefined && { updatedAt }),
    harness,
    _meta: { asp: meta },
  };
}

function toolCall({ parent }: SessionRef): { toolCallId?: string } {
  return parent?.toolCallId === undefined ? {} : { toolCallId: parent.toolCallId };
}

function piece(
  head: Head,
  updates: SessionUpdate[],
  size: number,
  part: number,
  more: boolean,
  child: boolean,
): Fragment {
  const only = part === 0 && !more;
  const asp = { ...head._meta.asp, ...(!only && { part, more }) };
  const session: WireSession = { ...head, updates, _meta: { asp } };
  return {
    size: size + 1024,
    put(state) {
      if (!child) {
        state.sessions ??= [];
        state.sessions.push(session);
        return;
      }
      const rest = state._meta?.asp ?? {};
      rest.children ??= [];
      rest.children.push(session);
      state._meta = { asp: rest };
    },
  };
}
