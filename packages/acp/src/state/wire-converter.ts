/**
 * What came over the wire, as a store to convert from: the very pipeline that every conversion goes through then plans,
 * asks for consent, accounts for losses and writes a receipt.
 */
import {
  type Converter,
  defineConverter,
  type FidelityTable,
  type ReadContext,
  RefusedError,
  type SessionEvent,
  type SessionRef,
  type StateForms,
  type StateKind,
  type StateKindName,
  sessionAxes,
} from "@asp-convert/core";
import { isoTime, string } from "@asp-convert/core/values";
import type { ParentLink, WireSession } from "../forms/state.js";
import { updateReader } from "../projection/from-updates.js";
import type { Arrived } from "./staging.js";

/** Whose state this is where nobody says. */
export const NOBODY = "acp";

export interface WireStore {
  sessions: ReadonlyMap<SessionRef, Arrived>;
  kinds: { [K in StateKindName]?: StateForms[K] };
}

const everything = Object.fromEntries(
  Object.keys(sessionAxes).map((axis) => [axis, "preserved"]),
) as FidelityTable;

export function wireConverter({ sessions, kinds }: WireStore): Converter {
  const kind = <K extends StateKindName>(name: K): StateKind<StateForms[K]> => ({
    read: async () => kinds[name],
    write: refused,
    fidelity: { read: {}, write: {} },
  });
  return defineConverter({
    id: NOBODY,
    name: "Agent State Protocol",
    container: true,
    verified: [],
    probe: () => 0,
    locate: () => [],
    open: async (root) => ({ harness: NOBODY, root }),
    sessions: {
      async *list() {
        yield* sessions.keys();
      },
      read: (ref, context) => read(arrivedOf(ref, sessions), ref, context),
      write: refused,
      replay: refused,
      fidelity: { read: everything, write: everything },
      resume: { needs: [], command: () => [], variable: "" },
      carrier: "_meta.asp: no agent sends it to a model",
    },
    instructions: kind("instructions"),
    skills: kind("skills"),
    tools: kind("tools"),
    memory: kind("memory"),
    settings: kind("settings"),
  });
}

async function refused(): Promise<never> {
  throw new RefusedError("nothing is written to a message");
}

/** @param name instead of the id it came with. */
export function refOf(arrived: Arrived, name?: string): SessionRef {
  const { head, children } = arrived;
  const asp = head._meta?.asp;
  const [createdAt, updatedAt] = [isoTime(asp?.createdAt), isoTime(head.updatedAt)];
  const git = {
    branch: string(asp?.git?.branch),
    commit: string(asp?.git?.commit),
    repository: string(asp?.git?.repository),
  };
  return {
    harness: head.harness ?? NOBODY,
    id: name ?? head.sessionId,
    path: "",
    // Its own bytes stayed where it came from.
    files: [],
    ...optional({
      title: titleOf(head, name),
      titleFrom: asp?.titleFrom,
      cwd: head.cwd ?? undefined,
      createdAt: createdAt ?? updatedAt,
      updatedAt,
      model: asp?.model,
      harnessVersion: asp?.harnessVersion,
      archived: asp?.archived,
      parent: asp?.parent && parentOf(asp.parent),
    }),
    ...(asp?.git && { git: optional(git) }),
    size: 0,
    children: children.map((child) => refOf(child)),
  };
}

function parentOf({ id, relation, toolCallId }: ParentLink): NonNullable<SessionRef["parent"]> {
  return { id, relation, ...(toolCallId !== undefined && { toolCallId }) };
}

/** A copy beside another version of the same says so. */
function titleOf({ title, harness }: WireSession, name: string | undefined): string | undefined {
  if (name === undefined) return title ?? undefined;
  return title == null ? name : `${title} ~${harness ?? NOBODY}`;
}

function optional<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

function arrivedOf(ref: SessionRef, sessions: ReadonlyMap<SessionRef, Arrived>): Arrived {
  const found = sessions.get(ref);
  if (!found) throw new Error(`session ${ref.id} did not come with this state`);
  return found;
}

/** Each update is a record. The first event says what session this is, also where the other side did not. */
async function* read(
  arrived: Arrived,
  ref: SessionRef,
  { ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const reader = updateReader();
  let first = true;
  for await (const update of arrived.updates()) {
    signal?.throwIfAborted();
    yield* begun(reader.push(update, { record: ledger.record(), file: 0, offset: 0, length: 0 }));
  }
  yield* begun(reader.end());

  function* begun(events: readonly SessionEvent[]): Generator<SessionEvent> {
    for (const event of events) {
      if (first && event.type !== "session.started") yield started(ref);
      first = false;
      yield event;
    }
  }
}

function started({ id, title, cwd, model, git, harnessVersion }: SessionRef): SessionEvent {
  const payload = {
    nativeSessionId: id,
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    ...(model !== undefined && { model }),
    ...(git && { git }),
    ...(harnessVersion !== undefined && { harnessVersion }),
  };
  return { type: "session.started", payload, origin: [] };
}
