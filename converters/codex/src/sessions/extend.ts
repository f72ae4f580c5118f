/**
 * A session of Codex's own that comes back: its rollout as it was, and after it records of what was said elsewhere. Under
 * a new id one line more stands before it, as in a fork: the thread's own header.
 */
import {
  type Action,
  below,
  blocksOf,
  lineBatches,
  type OpenFile,
  openZstd,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, number, parsed } from "@asp-convert/core/values";
import { NAME_INDEX, rolloutPath } from "../layout.js";
import { Lines } from "./lines.js";
import { inFolder, timeOf, verbatimPlan } from "./replay.js";
import { Scribe } from "./scribe.js";
import { plan, titleOf } from "./write.js";

/** How much of a file's end is looked at for its last record. */
const END = 1024 * 1024;

/** @throws RefusedError without a working directory. */
export async function extendSession(
  base: SessionInput,
  input: SessionInput,
  target: Target,
): Promise<SessionPlan> {
  const { ref } = base;
  const files = base.source ?? target.source;
  const [transcript] = ref.files;
  const cwd = target.cwd ?? ref.cwd;
  if (!transcript || cwd === undefined)
    throw new RefusedError(
      `session ${ref.id}: Codex needs a working directory and the source names none; give one with --cwd`,
    );
  const forked = target.copy > 0 || cwd !== ref.cwd;
  const seed = `codex home ${ref.id} ${input.ref.harness} ${input.ref.id} ${target.copy} ${cwd}`;
  const id = forked ? timedUuidFrom(timeOf(ref), seed) : ref.id;
  const relative = forked
    ? rolloutPath(new Date(timeOf(ref)), id)
    : inFolder(transcript.relative.replace(/\.zst$/, "").replace(/^archived_sessions\//, ""), ref);
  const own = await verbatimPlan(ref, files, target);
  let lines = new Lines(isoTime(ref.updatedAt) ?? new Date(timeOf(ref)).toISOString());
  let scribe: Scribe | undefined;

  async function* content(): AsyncGenerator<string | Uint8Array> {
    const packed = await files.open(transcript?.path ?? ref.path);
    const file = transcript?.encoding === "zstd" ? await openZstd(packed) : packed;
    try {
      const head = headerOf(file);
      if (forked) yield forkedHeader(head, { id, cwd: cwd as string, from: ref.id });
      yield* blocksOf(file);
      if (file.size > 0 && file.read(file.size - 1, 1)[0] !== 0x0a) yield "\n";
      const paginated = fields(head?.payload)?.history_mode === "paginated";
      lines = new Lines(lines.time, paginated ? lastOrdinal(file) + 1 : undefined);
    } finally {
      file.close();
    }
    scribe = new Scribe(lines, {
      id,
      cwd: cwd as string,
      ledger: input.ledger,
      ref: input.ref,
      turns: `${id} after ${base.ref.size}`,
    });
    for await (const event of input.events()) {
      scribe.take(event);
      for (const piece of lines.take()) yield piece;
    }
    scribe.end();
    if (ref.cwd !== undefined) input.ledger.keep("cwd");
    if (ref.git) input.ledger.keep("git");
    for (const piece of lines.end()) yield piece;
  }

  const actions: Action[] = [
    {
      do: "create",
      path: below(target.root, relative, target.environment),
      content,
      mtimeMs: () => Date.parse(isoTime(input.ref.updatedAt) ?? lines.time),
    },
    // What the rollout refers to.
    ...own.actions.slice(1),
    {
      do: "append",
      path: below(target.root, NAME_INDEX, target.environment),
      lines: () => {
        const title = scribe && titleOf(scribe);
        if (title === undefined) return "";
        const time = isoTime(input.ref.updatedAt) ?? lines.time;
        return `${JSON.stringify({ id, thread_name: title, updated_at: time })}\n`;
      },
    },
  ];
  const here = { id, root: id, depth: 1, cwd };
  const added = input.children.map((child) => plan(child, target, here));
  return { id, cwd, actions, children: [...own.children, ...added] };
}

/** The first record of a rollout, which says whose it is. */
function headerOf(file: OpenFile): Fields | undefined {
  for (const batch of lineBatches(file))
    for (const { bytes } of batch) {
      const record = bytes && fields(parsed(Buffer.from(bytes).toString("utf8")));
      if (record) return record;
    }
  return undefined;
}

/** A header for the thread that goes on, made from that of the thread it goes on from. */
function forkedHeader(head: Fields | undefined, own: { id: string; cwd: string; from: string }): string {
  const { id, cwd, from } = own;
  const payload = fields(head?.payload) ?? {};
  const changed = { ...payload, session_id: id, id, forked_from_id: from, cwd };
  return `${JSON.stringify({ ...head, type: "session_meta", payload: changed })}\n`;
}

/** Of the last record that has one. */
function lastOrdinal(file: OpenFile): number {
  const from = Math.max(0, file.size - END);
  const lines = Buffer.from(file.read(from, file.size - from))
    .toString("utf8")
    .split("\n")
    .reverse();
  for (const line of lines) {
    const ordinal = number(fields(parsed(line))?.ordinal);
    if (ordinal !== undefined) return ordinal;
  }
  return -1;
}
