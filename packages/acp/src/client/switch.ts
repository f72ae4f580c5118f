/** A harness switch: the state of one ASP agent to another, and the proof that the conversations are there. */
import type { Loss } from "@asp-convert/core";
import { fields, string } from "@asp-convert/core/values";
import { type StateKind, stateKindNames } from "../forms/capabilities.js";
import { ExportAnswer, ImportAnswer, type Left, type WireLoss } from "../forms/methods.js";
import type { WireState } from "../forms/state.js";
import { aspMethods } from "../methods.js";
import { checked } from "../state/holder.js";
import type { AgentClient } from "./client.js";
import { compared, type Proof, Said } from "./proof.js";

export interface SwitchRequest {
  from: AgentClient;
  to: AgentClient;
  /** Absent: all that both have. */
  kinds?: readonly StateKind[];
  /** These, by id or its beginning; `all`; `newest`. */
  sessions: readonly string[] | "all" | "newest";
  /** Where a conversation goes on that names no folder, absolute. */
  cwd: string;
  onProgress?: (text: string) => void;
}

export interface Switched {
  asp: 1;
  from: string;
  to: string;
  kinds: StateKind[];
  taken: string[];
  /** `at`: who could not give or take it. */
  notTaken: (Left & { at: "from" | "to" })[];
  /** New id by old. */
  sessions: Record<string, string>;
  /** How a copy beside another version of the same is called, by its id. */
  names: Record<string, string>;
  proofs: Proof[];
  receipts: string[];
  losses: Loss[];
}

/** Whoever opens a conversation to look at it may write to it: not more of them than are needed to believe it. */
const MOST_PROOFS = 20;

/** The two cannot be switched between; what to do is in the message. */
export class SwitchError extends Error {
  override name = "SwitchError";
}

export async function switchHarness(request: SwitchRequest): Promise<Switched> {
  const { from, to, cwd, onProgress } = request;
  const kinds = commonKinds(request);
  const wanted = kinds.includes("sessions") ? await wantedSessions(request) : [];
  const done: Switched = {
    asp: 1,
    from: from.name,
    to: to.name,
    kinds,
    taken: [],
    notTaken: [],
    sessions: {},
    names: {},
    proofs: [],
    receipts: [],
    losses: [],
  };
  const given: Loss[] = [];
  const said = new Said();
  const folders = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const page = checkedAnswer(
      from,
      ExportAnswer,
      await from.request(aspMethods.export, exportParams(kinds, wanted, cursor)),
    );
    cursor = page._meta?.asp?.next;
    note(done, page._meta?.asp?.left, "from");
    given.push(...lossesOf(page._meta?.asp?.losses));
    const state = selected(page.state, wanted);
    for (const { sessionId, updates, cwd } of state.sessions ?? []) {
      said.add(sessionId, updates);
      if (cwd != null) folders.set(sessionId, cwd);
    }
    if (Object.keys(state).length === 0) continue;
    onProgress?.(`${Object.keys(done.sessions).length} conversation(s) taken`);
    take(done, checkedAnswer(to, ImportAnswer, await to.request(aspMethods.import, { state })));
  } while (cursor !== undefined);
  // Of a session whoever took it tells all that is missing, and so what had stayed behind before.
  const tells = done.losses.some(({ kind }) => kind === "sessions");
  done.losses = summed([...given.filter(({ kind }) => !tells || kind !== "sessions"), ...done.losses]);
  for (const [old, id] of Object.entries(done.sessions).slice(0, MOST_PROOFS)) {
    // A subagent's session is looked at in the one that it belongs to.
    if (!folders.has(old) && said.of(old).length === 0) continue;
    onProgress?.(`looking at ${id}`);
    done.proofs.push(await prove(to, id, folders.get(old) ?? cwd, said.of(old)));
  }
  return done;
}

function commonKinds({ from, to, kinds }: SwitchRequest): StateKind[] {
  const [gives, takes] = [from.asp.agentState?.export, to.asp.agentState?.import];
  if (!gives)
    throw new SwitchError(
      `${from.name} gives no state (no _meta.asp.agentState in its capabilities). ${WRAP}`,
    );
  if (!takes)
    throw new SwitchError(`${to.name} takes no state (no _meta.asp.agentState in its capabilities). ${WRAP}`);
  const common = stateKindNames.filter((kind) => gives.includes(kind) && takes.includes(kind));
  const wanted = kinds ? common.filter((kind) => kinds.includes(kind)) : common;
  if (wanted.length > 0) return wanted;
  throw new SwitchError(
    `nothing of what is asked for goes from ${from.name} (gives ${gives.join(", ") || "nothing"}) ` +
      `to ${to.name} (takes ${takes.join(", ") || "nothing"})`,
  );
}

const WRAP = "Wrap it: asp-convert serve --harness ID -- AGENT";

/** Ids; undefined: all there are. */
async function wantedSessions({ from, sessions }: SwitchRequest): Promise<string[] | undefined> {
  if (sessions === "all") return undefined;
  if (!from.canList) {
    if (sessions !== "newest") return [...sessions];
    throw new SwitchError(`${from.name} lists no sessions: name one, or take all`);
  }
  const there = await from.sessions();
  if (there.length === 0) throw new SwitchError(`${from.name} has no sessions`);
  if (sessions === "newest") {
    const newest = there.reduce((best, each) =>
      (each.updatedAt ?? "") > (best.updatedAt ?? "") ? each : best,
    );
    return [newest.sessionId];
  }
  return sessions.map((id) => {
    const exact = there.find(({ sessionId }) => sessionId === id);
    const found = exact ? [exact] : there.filter(({ sessionId }) => sessionId.startsWith(id));
    const [one] = found;
    if (one && found.length === 1) return one.sessionId;
    throw new SwitchError(
      `${found.length === 0 ? "no session" : `${found.length} sessions`} of ${from.name} begin with "${id}"`,
    );
  });
}

function exportParams(
  kinds: readonly StateKind[],
  sessions: readonly string[] | undefined,
  cursor: string | undefined,
) {
  const asp = { ...(sessions && { sessions }), ...(cursor !== undefined && { cursor }) };
  return { kinds, ...(Object.keys(asp).length > 0 && { _meta: { asp } }) };
}

/** An agent that does not know how to give some gives all. */
function selected(state: WireState, wanted: readonly string[] | undefined): WireState {
  if (!wanted || !state.sessions) return state;
  const sessions = state.sessions.filter(({ sessionId }) => wanted.includes(sessionId));
  const { sessions: _, ...rest } = state;
  return sessions.length > 0 ? { ...rest, sessions } : rest;
}

function checkedAnswer<T>(agent: AgentClient, form: Parameters<typeof checked<T>>[0], answer: unknown): T {
  try {
    return checked(form, answer);
  } catch (error) {
    throw new SwitchError(
      `${agent.name} answered in another form than the protocol's: ${String(fields(error)?.message ?? error)}`,
    );
  }
}

function take(done: Switched, { taken, notTaken, sessions, _meta }: ImportAnswer): void {
  for (const kind of taken) if (!done.taken.includes(kind)) done.taken.push(kind);
  note(done, notTaken, "to");
  Object.assign(done.sessions, sessions);
  Object.assign(done.names, _meta?.asp?.names);
  done.receipts.push(...(_meta?.asp?.receipts ?? []));
  done.losses.push(...lossesOf(_meta?.asp?.losses));
}

function note(done: Switched, left: readonly Left[] | undefined, at: "from" | "to"): void {
  for (const each of left ?? []) done.notTaken.push({ ...each, at });
}

async function prove(
  to: AgentClient,
  sessionId: string,
  cwd: string,
  texts: readonly string[],
): Promise<Proof> {
  const by = to.opens;
  if (!by)
    return {
      sessionId,
      sent: texts.length,
      found: 0,
      problem: `${to.name} neither loads nor resumes sessions`,
    };
  try {
    const replayed = await to.open(sessionId, cwd);
    if (by === "resume") return { sessionId, by, sent: texts.length, found: 0 };
    return { sessionId, by, ...compared(texts, replayed) };
  } catch (error) {
    const problem =
      string(fields(error)?.message) ?? (error instanceof Error ? error.message : String(error));
    return { sessionId, sent: texts.length, found: 0, problem };
  }
}

/** Words of another program: they are shown, so they are words and nothing else. */
function lossesOf(told: readonly WireLoss[] | undefined): Loss[] {
  const word = (text: string) => text.replace(/[^a-z-]/g, "");
  return (told ?? []).map(({ kind, axis, level, reason, count }) => {
    const loss = {
      kind: word(kind),
      axis: word(axis),
      level: word(level),
      reason: word(reason),
      count,
      places: [],
    };
    return loss as unknown as Loss;
  });
}

/** Each conversation and kind was taken by itself: the same loss of several is one. */
function summed(losses: readonly Loss[]): Loss[] {
  const sums = new Map<string, Loss>();
  for (const loss of losses) {
    const key = `${loss.kind} ${loss.axis} ${loss.level} ${loss.reason}`;
    const sum = sums.get(key);
    if (sum) sum.count += loss.count;
    else sums.set(key, { ...loss });
  }
  return [...sums.values()];
}
