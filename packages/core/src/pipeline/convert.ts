/** Native store → native store, in one stream: read → plan → stage → account → commit. */
import type { Target } from "../converter/contract.js";
import type { Axis, Level } from "../fidelity/axes.js";
import { through } from "../fidelity/axes.js";
import { joinLosses, tally } from "../fidelity/tally.js";
import { pathOf } from "../io/paths.js";
import { beginTransaction } from "../io/transaction.js";
import { redactor } from "../share/redact.js";
import { dryRun } from "./dry-run.js";
import { ForbiddenLossError } from "./errors.js";
import { exchangeFolder } from "./exchange.js";
import type { Comparison, Report } from "./report.js";
import type { ConvertRequest } from "./request.js";
import { type Converted, convertSession } from "./session.js";
import { ConflictError, failWith, type Stager } from "./stage.js";
import { type ConvertedState, convertState } from "./state.js";
import { type KindItem, whyLeft } from "./state-words.js";

/** A session keeps getting ids that are taken by something else. */
const MOST_COPIES = 100;

/**
 * Converts sessions, all or none of them.
 * @throws RefusedError, SourceError, AccountError, ForbiddenLossError, WriteError, BusyError; in each case
 * nothing was written, or it was taken back.
 */
export async function convert(request: ConvertRequest): Promise<Report> {
  const { environment, source, signal } = request;
  const stager: Stager = request.dryRun
    ? dryRun(source, signal)
    : await beginTransaction({ environment, roots: writableRoots(request), what: whatOf(request), signal });
  try {
    const report = await convertInto(request, stager);
    const receipt = await stager.commit(whatCame(report));
    if (receipt && receipt.entries.length > 0) report.receipt = receipt.id;
    return report;
  } catch (error) {
    return failWith(error, stager);
  }
}

/** The folders that a conversion may write to. */
function writableRoots(request: ConvertRequest): string[] {
  const { to, root, environment, file, state, roots } = request;
  return [
    ...(file === undefined
      ? [root, ...(to.alsoWrites?.(root, environment) ?? [])]
      : [pathOf(environment).dirname(file)]),
    ...(state?.kinds.includes("memory") ? [exchangeFolder(request, state)] : []),
    ...(roots ?? []),
  ];
}

/**
 * Stages sessions into a run that the caller began and commits or rolls back.
 * @throws as `convert`; what of the request was staged before stays staged.
 */
export async function convertInto(request: ConvertRequest, stager: Stager): Promise<Report> {
  const { root, environment, source, signal, forbid } = request;
  const createdAt = (request.now?.() ?? new Date()).toISOString();
  const converted: Converted[] = [];
  try {
    const hide = request.share ? redactor() : undefined;
    let events = 0;
    for (const [index, ref] of request.refs.entries()) {
      signal?.throwIfAborted();
      const tell = () =>
        request.onProgress?.({ session: ref.id, index: index + 1, total: request.refs.length, events });
      tell();
      converted.push(
        await withFreeId(request, async (copy) => {
          const target: Target = {
            root,
            environment,
            source,
            copy,
            ...(request.cwd !== undefined && { cwd: request.cwd }),
            ...(request.file !== undefined && { file: request.file }),
          };
          const counting = (count: number) => {
            events += count;
            tell();
          };
          return convertSession(request, ref, target, stager, createdAt, counting, hide);
        }),
      );
    }
    const state = request.state && (await convertState(request, request.state, stager, hide));
    const report = reportOf(request, converted, state);
    if (hide) report.redacted = Object.fromEntries(hide.counts);
    const forbidden = forbid ? report.losses.filter(forbid) : [];
    if (forbidden.length > 0) throw new ForbiddenLossError(forbidden, report);
    const noted: unknown[] = [];
    for (const { noting } of converted) if (noting) noted.push(await noting.settle());
    if (noted.length > 0) await request.trail?.keep(noted);
    return report;
  } catch (error) {
    for (const { noting } of converted) await noting?.drop();
    throw error;
  }
}

/** Per axis what would be kept, degraded, dropped; writes nothing. */
export async function compare(request: ConvertRequest): Promise<Comparison> {
  const report = await convert({ ...request, dryRun: true });
  const declared: Partial<Record<Axis, Level>> = {};
  const { read } = request.from.sessions.fidelity;
  const { write } = request.to.sessions.fidelity;
  for (const axis of Object.keys(read) as (keyof typeof read)[])
    declared[axis] = through(read[axis], write[axis]);
  return { ...report, declared };
}

async function withFreeId<T>(request: ConvertRequest, attempt: (copy: number) => Promise<T>): Promise<T> {
  for (let copy = 0; ; copy++) {
    try {
      return await attempt(copy);
    } catch (error) {
      // Another id does not make room where the place itself was named.
      const isFixed = request.file !== undefined || copy >= MOST_COPIES;
      if (!(error instanceof ConflictError) || isFixed) throw error;
      request.signal?.throwIfAborted();
    }
  }
}

/** What a run is begun for. */
function whatOf({ refs, state, from, to }: ConvertRequest): string {
  return inWords({ sessions: refs.length }, state?.kinds ?? [], from.id, to.id);
}

/** What it wrote. */
function whatCame({ kinds, from, to }: Report): string {
  const written = Object.entries(kinds).map(([kind, { written }]) => [kind, written] as const);
  return inWords(Object.fromEntries(written), [], from.harness, to.harness);
}

const NOUNS: Readonly<Record<string, string>> = {
  sessions: "session",
  instructions: "instruction file",
  skills: "skill",
  tools: "tool",
  memory: "note",
  settings: "setting",
};

/** `1 session, 2 skills, claude → codex` */
function inWords(
  counts: Readonly<Record<string, number>>,
  more: readonly string[],
  from: string,
  to: string,
): string {
  const counted = Object.entries(counts).flatMap(([kind, n]) =>
    n > 0 ? `${n} ${NOUNS[kind] ?? kind}${n === 1 ? "" : "s"}` : [],
  );
  return [...counted, ...more, `${from} → ${to}`].join(", ");
}

function reportOf(
  request: ConvertRequest,
  converted: readonly Converted[],
  state: ConvertedState | undefined,
): Report {
  const sessions = converted.flatMap(({ reports }) => reports);
  const ledgers = converted.flatMap(({ ledgers }) => ledgers);
  const written = sessions.filter(({ outcome }) => outcome !== "unchanged").length;
  return {
    asp: 1,
    ...(request.dryRun && { dryRun: true }),
    from: {
      harness: request.from.id,
      versions: [...new Set(converted.flatMap(({ versions }) => versions))].sort(),
      path: request.store.session ?? request.store.focus ?? request.store.root,
    },
    to: { harness: request.to.id, path: request.file ?? request.root },
    sessions,
    ...(request.unreadable?.length && { unreadable: [...request.unreadable] }),
    kinds: { sessions: { read: sessions.length, written }, ...countsOf(state?.items ?? []) },
    notTaken: state ? notTaken(state) : [],
    items: state?.items ?? [],
    axes: tally(ledgers),
    losses: [...joinLosses(ledgers), ...(state?.losses ?? [])],
  };
}

function countsOf(items: readonly KindItem[]): Report["kinds"] {
  const counts: Report["kinds"] = {};
  for (const { kind, outcome } of items) {
    counts[kind] ??= { read: 0, written: 0 };
    counts[kind].read++;
    if (outcome === "written" || outcome === "changed") counts[kind].written++;
  }
  return counts;
}

function notTaken({ items, absent }: ConvertedState): Report["notTaken"] {
  const left = items.filter(({ outcome }) => outcome === "left");
  return [...absent, ...left.map((item) => ({ kind: item.kind, item: item.item, reason: whyLeft(item) }))];
}
