/** From a path or an id to a page: what is lost is planned first, then the session is read once more into the page. */
import {
  compare,
  LossLedger,
  type Origin,
  type Redactor,
  redactor,
  type SessionRef,
  type Source,
  sharedEvents,
} from "@asp-convert/core";
import { loadAssets, SeenLosses, type SessionPage, sessionPage } from "@asp-convert/page";
import { CommandError } from "../errors.js";
import { progressLine } from "../progress.js";
import { type Chosen, choose, requestOf } from "../run.js";
import type { Terminal } from "../terminal.js";
import { absolute, findStores, nameOf, sessionsOf, source, targetOf } from "../toolkit.js";
import { writePage } from "./file.js";

export interface PageOptions {
  out?: string;
  to?: string;
  session?: string[];
  latest?: boolean;
  from?: string;
  cwd?: string;
  share?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** Bytes of a native record that are shown beside a loss. */
const NATIVE = 4096;

export async function makePage(
  path: string,
  options: PageOptions,
  terminal: Terminal,
): Promise<{ path: string; session: string; bytes: number; losses?: number }> {
  const chosen = await chooseOne(path, options, terminal);
  const [ref] = chosen.refs;
  if (!ref) throw new CommandError(`${path}: no session here`, { code: "no-sessions" });
  const to = options.to === undefined ? undefined : targetOf(options.to);
  const files = (await chosen.from.sessions.view?.(chosen.store, source)) ?? source;
  const seen = new SeenLosses();
  if (to) {
    const progress = progressLine(terminal);
    const { state: _, ...request } = requestOf(
      chosen,
      {
        to: to.id,
        remember: false,
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        ...(options.share && { share: true }),
      },
      terminal,
    );
    await compare({ ...request, onProgress: progress.update, watchLosses: seen.watch }).finally(progress.end);
  }
  const hide = options.share ? redactor() : undefined;
  const losses = to && seen.sums().reduce((sum, count) => sum + count, 0);
  const page: SessionPage = {
    ref: hide ? shownRef(ref, hide) : ref,
    harness: nameOf(ref.harness),
    assets: loadAssets(),
    shared: options.share === true,
    events: (each) => eventsOf(each, chosen, files, hide, terminal),
    ...(to && { loss: { to: to.name, seen, native: (each, origin) => nativeOf(each, origin, files, hide) } }),
  };
  const out = absolute(options.out ?? `${ref.id.replaceAll(/[^\w.-]/g, "_")}.html`, terminal);
  const bytes = await writePage(out, () => sessionPage(page), terminal);
  return { path: out, session: ref.id, bytes, ...(losses !== undefined && { losses }) };
}

/** A path; or, where nothing is, an id of a session in any store of this machine. */
async function chooseOne(path: string, options: PageOptions, terminal: Terminal): Promise<Chosen> {
  const how = { ...options, kinds: ["sessions"], quietly: Boolean(options.json || options.quiet) };
  const isId = path !== "-" && /^[\w.:-]+$/.test(path) && !(await source.stat(absolute(path, terminal)));
  if (!isId) return choose(path, how, terminal);
  const found: { path: string; id: string; from: string }[] = [];
  for (const { converter, store } of await findStores(terminal)) {
    const { refs } = await sessionsOf(converter, store, terminal);
    for (const { id } of refs)
      if (id.startsWith(path)) found.push({ path: store.root, id, from: converter.id });
  }
  const [only, other] =
    found.filter(({ id }) => id === path).length === 1 ? found.filter(({ id }) => id === path) : found;
  if (!only)
    throw new CommandError(`${path}: neither a path nor the id of a session on this machine`, {
      code: "not-found",
      next: "`asp-convert list` shows every session on this machine.",
    });
  if (other)
    throw new CommandError(`${path}: ${found.length} sessions begin so`, { next: "Give more of the id." });
  return choose(only.path, { ...how, session: [only.id], from: only.from }, terminal);
}

function eventsOf(
  ref: SessionRef,
  { from }: Chosen,
  files: Source,
  hide: Redactor | undefined,
  { environment, signal }: Terminal,
): SessionPage["events"] extends (ref: SessionRef) => infer Events ? Events : never {
  const ledger = new LossLedger(ref.id);
  const events = from.sessions.read(ref, { source: files, environment, ledger, signal });
  return hide ? sharedEvents(events, hide, ledger) : events;
}

/** A title may hold a secret as any text may. */
function shownRef(ref: SessionRef, hide: Redactor): SessionRef {
  return {
    ...ref,
    ...(ref.title !== undefined && { title: hide.text(ref.title) }),
    children: ref.children.map((child) => shownRef(child, hide)),
  };
}

/** Nobody can say what is in a record as it is: of what is shared none is shown. */
async function nativeOf(
  ref: SessionRef,
  { file, offset, length }: Origin,
  files: Source,
  hide: Redactor | undefined,
): Promise<string | undefined> {
  const evidence = ref.files[file];
  // Offsets into a packed file are those of what it unpacks to.
  if (hide || !evidence || evidence.encoding !== undefined || length === 0) return undefined;
  const opened = await files.open(evidence.path);
  try {
    const bytes = opened.read(offset, Math.min(length, NATIVE));
    const text = Buffer.from(bytes).toString("utf8").trimEnd();
    return length > NATIVE ? `${text}\n[${length - NATIVE} more bytes]` : text;
  } finally {
    opened.close();
  }
}
