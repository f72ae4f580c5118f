/** One session with its subagents' sessions: input → plan → staged files → settled account. */
import type { Converter, SessionInput, SessionPlan, SessionRef, Target } from "../converter/contract.js";
import { LossLedger } from "../fidelity/ledger.js";
import { checkResume } from "../fidelity/profile.js";
import type { Reason } from "../fidelity/reasons.js";
import { keepWhole } from "../fidelity/whole.js";
import type { Source } from "../io/source.js";
import { watch } from "../io/watch.js";
import { countOf } from "../session/count.js";
import type { SessionEvent } from "../session/event.js";
import { conversionRelation } from "../session/relation.js";
import { sharedEvents } from "../share/events.js";
import type { Redactor } from "../share/redact.js";
import { homeward } from "./homecoming.js";
import type { Action } from "./plan.js";
import { recognises } from "./recognise.js";
import type { SessionReport } from "./report.js";
import type { ConvertRequest } from "./request.js";
import type { Stager } from "./stage.js";
import type { Arrival, Departure, Noting } from "./trail.js";

export interface Converted {
  reports: SessionReport[];
  ledgers: LossLedger[];
  versions: string[];
  /** What the trail remembers of it, if there is one. */
  noting?: SessionNoting;
}

export interface SessionNoting extends Pick<Noting, "drop"> {
  /** Asked when it is sure that all is to be written. */
  settle(): Promise<unknown>;
}

/** A session being read: what is counted on the way. */
interface Reading {
  ref: SessionRef;
  ledger: LossLedger;
  input: SessionInput;
  children: Reading[];
  messages: number;
  toolCalls: number;
  opening?: SessionEvent;
  /** Of the event that was read last. */
  lastRecord?: number | undefined;
}

/** How many events between two calls of `tell`. */
const TELL_EVERY = 4096;

/** How many events before work on other threads, and signals, are looked after. */
const TURN_EVERY = 64;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function convertSession(
  request: ConvertRequest,
  ref: SessionRef,
  target: Target,
  stager: Stager,
  createdAt: string,
  tell: (events: number) => void,
  hide?: Redactor,
): Promise<Converted> {
  const { from, to } = request;
  const watched = watch(request.source);
  const files = (await from.sessions.view?.(request.store, watched.source)) ?? watched.source;
  const reading = prepare(from, ref, request, files, tell, hide);
  const replays = await mayReplay(request, ref, files);
  const departure = departureOf(request, ref, files);
  const home = replays ? undefined : await homeward(request, departure, reading.input);
  if (!replays) everyRef(ref, (each) => checkResume(to, each, target.cwd));
  const plan = replays
    ? await to.sessions.replay(ref, files, target)
    : home
      ? await home.plan(target)
      : await to.sessions.write(await carrying(request, departure, reading.input, target, createdAt), target);
  const how = replays ? "replayed" : home ? "returned" : "written";
  const noting = await begun(request, { ...departure, plan, target, how, createdAt });
  try {
    const outcome = await stager.stage(actionsOf(plan));
    if (replays) await countAll(reading);
    for (const child of reading.children) if (home?.held.has(child.ref.id)) await countAll(child);
    for (const path of watched.changes())
      reading.ledger.note({ axis: "raw", level: "not-in-source", reason: "source-grew" }, undefined, path);
    const settled = settle(request, reading, plan, target, how, outcome, createdAt);
    if (home) Object.assign(settled.reports[0] ?? {}, { returned: home.returned });
    if (!noting) return settled;
    return {
      ...settled,
      noting: {
        settle: async () => {
          const noted = await noting.settle({
            opening: reading.opening,
            written: (path) => stager.written?.(path),
          });
          watched.changes(); // What is kept is what was converted.
          return noted;
        },
        drop: () => noting.drop(),
      },
    };
  } catch (error) {
    await noting?.drop();
    throw error;
  }
}

/** The input with its own bytes to be carried along, if that is asked for. Where it cannot be it is said. */
async function carrying(
  { carry, trail, share, to }: ConvertRequest,
  departure: Departure,
  input: SessionInput,
  target: Target,
  createdAt: string,
): Promise<SessionInput> {
  if (!carry) return input;
  const leave = (reason: Reason): SessionInput => {
    input.ledger.note({ axis: "raw", level: "dropped", reason }, undefined, "evidence");
    return input;
  };
  if (share) return leave("not-shared");
  if (!to.sessions.carried || !trail) return leave("no-counterpart");
  const carried = await trail.pack(departure, target, createdAt);
  return carried ? { ...input, carried } : leave("target-limit");
}

/** Nothing is remembered of what is for others to see, of a run that writes nothing, or of a file to be taken in. */
async function begun(request: ConvertRequest, arrival: Arrival): Promise<Noting | undefined> {
  const { trail, share, dryRun, to, file } = request;
  if (share || dryRun || to.container || file !== undefined) return undefined;
  return trail?.note(arrival);
}

function departureOf(request: ConvertRequest, ref: SessionRef, source: Source): Departure {
  const { from, store, to, environment, signal } = request;
  return { from, store, ref, to, environment, source, signal };
}

/** Into its own harness a session goes by its own bytes, if they are at hand and are what they say they are. */
async function mayReplay(
  { from, to, via, environment, share, file }: ConvertRequest,
  ref: SessionRef,
  files: Source,
): Promise<boolean> {
  // A file in the form that a program takes in holds less than its own store does: it is written, and that is told.
  if (
    share ||
    via === "events" ||
    file !== undefined ||
    ref.harness !== to.id ||
    ref.files[0]?.role !== "transcript"
  )
    return false;
  return !from.container || recognises(to, ref, { source: files, environment });
}

function prepare(
  from: Converter,
  ref: SessionRef,
  request: ConvertRequest,
  source: Source,
  tell: (events: number) => void,
  hide: Redactor | undefined,
): Reading {
  const watcher = request.watchLosses?.(ref.id);
  const ledger = new LossLedger(
    ref.id,
    watcher && ((loss, record, item) => watcher(loss, record ?? reading.lastRecord, item)),
  );
  const children = ref.children.map((child) => prepare(from, child, request, source, tell, hide));
  const context = {
    source,
    environment: request.environment,
    ledger,
    ...(request.signal && { signal: request.signal }),
  };
  const reading: Reading = {
    ref,
    ledger,
    children,
    messages: 0,
    toolCalls: 0,
    input: {
      ref: hide ? { ...ref, ...(ref.title !== undefined && { title: hide.text(ref.title) }) } : ref,
      ledger,
      source,
      ...(hide && { shared: true }),
      children: children.map(({ input }) => input),
      events: () => {
        const events = from.sessions.read(ref, context);
        return counted(hide ? sharedEvents(events, hide, ledger) : events, reading, tell);
      },
    },
  };
  return reading;
}

async function* counted(
  events: AsyncIterable<SessionEvent>,
  reading: Reading,
  tell: (events: number) => void,
): AsyncGenerator<SessionEvent> {
  let untold = 0;
  let held = 0;
  for await (const event of events) {
    if (++held === TURN_EVERY) {
      await turn();
      held = 0;
    }
    reading.lastRecord = event.origin[0]?.record ?? reading.lastRecord;
    const { messages, toolCalls } = countOf(event);
    if (reading.opening === undefined && messages > 0 && isPrompt(event)) reading.opening = event;
    reading.messages += messages;
    reading.toolCalls += toolCalls;
    if (++untold === TELL_EVERY) {
      tell(untold);
      untold = 0;
    }
    yield event;
  }
  tell(untold);
}

function isPrompt(event: SessionEvent): boolean {
  return event.type === "message.completed" && event.payload.role === "user";
}

/** A verbatim replay keeps every record; reading it all the same gives the counts and proves the account. */
async function countAll(reading: Reading): Promise<void> {
  for await (const event of reading.input.events()) keepWhole(event, reading.ledger);
  for (const child of reading.children) await countAll(child);
}

function settle(
  request: ConvertRequest,
  reading: Reading,
  plan: SessionPlan,
  target: Target,
  how: SessionReport["how"],
  outcome: "created" | "unchanged",
  createdAt: string,
  parent?: string,
): Converted {
  const { ref, ledger } = reading;
  const { to } = request;
  const cwd = plan.cwd ?? target.cwd ?? ref.cwd;
  const relation = to.container
    ? undefined
    : conversionRelation({ harness: ref.harness, id: ref.id }, { harness: to.id, id: plan.id }, createdAt);
  const report: SessionReport = {
    id: ref.id,
    harness: ref.harness,
    newId: plan.id,
    ...(parent !== undefined && { parent }),
    ...(reading.input.ref.title !== undefined && { title: reading.input.ref.title }),
    ...(cwd !== undefined && { cwd }),
    records: ledger.settle(),
    messages: reading.messages,
    toolCalls: reading.toolCalls,
    how,
    outcome: outcome === "unchanged" ? "unchanged" : target.copy > 0 ? "copied" : "created",
    ...(parent === undefined &&
      !to.container && {
        resume: {
          ...(cwd !== undefined && { cwd }),
          ...(target.file === undefined
            ? !request.installed && { env: variablesOf(to, request) }
            : { first: filesOf(plan).map((path) => [...(to.sessions.file?.command(path) ?? [])]) }),
          command: [...to.sessions.resume.command(plan.id, cwd)],
        },
      }),
    ...(relation && { relation }),
    files: plan.actions.flatMap((action) => (appendsNothing(action) ? [] : [action.path])),
  };
  const children = reading.children.map((child, index) => {
    const childPlan = plan.children[index];
    // A writer may put a subagent's session into its parent's file: then it has no plan of its own.
    return settle(
      request,
      child,
      childPlan ?? { ...plan, actions: [], children: [] },
      target,
      how,
      outcome,
      createdAt,
      ref.id,
    );
  });
  return {
    reports: [report, ...children.flatMap(({ reports }) => reports)],
    ledgers: [ledger, ...children.flatMap(({ ledgers }) => ledgers)],
    versions: [
      ...(ref.harnessVersion === undefined ? [] : [ref.harnessVersion]),
      ...children.flatMap(({ versions }) => versions),
    ],
  };
}

/** A session's own, then those below it: who takes them in finds the parents there. */
function filesOf({ actions, children }: SessionPlan): string[] {
  return [...actions.map(({ path }) => path), ...children.flatMap(filesOf)];
}

/** An index that has no line to get is not touched. */
function appendsNothing(action: Action): boolean {
  return action.do === "append" && action.lines() === "";
}

function variablesOf(
  { sessions: { resume } }: Converter,
  { root, environment }: ConvertRequest,
): Record<string, string> {
  return { ...(resume.variables?.(root, environment) ?? { [resume.variable]: root }) };
}

function actionsOf(plan: SessionPlan): Action[] {
  return [...plan.actions, ...plan.children.flatMap(actionsOf)];
}

function everyRef(ref: SessionRef, visit: (ref: SessionRef) => void): void {
  visit(ref);
  for (const child of ref.children) everyRef(child, visit);
}
