/**
 * A session of Claude Code's own that comes back: its bytes as they were, and after them records of what was said
 * elsewhere. The program goes by a file's name and asks no record which session it is of, so that even under a new id
 * not a byte changes.
 */
import type { SessionEvent, SessionInput, SessionPlan, SessionRef, Target } from "@asp-convert/core";
import { blocksOf, LossLedger, type OpenFile, RefusedError, uuidFrom } from "@asp-convert/core";
import { Links, leafOf } from "./leaf.js";
import { Lines } from "./lines.js";
import { indexRecords } from "./records.js";
import { type Place, plan } from "./replay.js";
import { Scribe } from "./scribe.js";
import { Transcript } from "./transcript.js";
import { account, subagent, titled } from "./write.js";

/** @throws RefusedError without a working directory. */
export async function extendSession(
  base: SessionInput,
  input: SessionInput,
  target: Target,
): Promise<SessionPlan> {
  const { ref } = base;
  const cwd = target.cwd ?? ref.cwd ?? input.ref.cwd;
  if (cwd === undefined)
    throw new RefusedError(
      `session ${ref.id}: Claude Code finds sessions by working directory and the source names none; give one with --cwd`,
    );
  const moved = cwd !== ref.cwd;
  const id =
    target.copy === 0 && !moved
      ? ref.id
      : uuidFrom(`claude home ${ref.id} ${input.ref.harness} ${input.ref.id} ${target.copy} ${cwd}`);
  const place: Place = { from: ref.id, id, oldCwd: ref.cwd, cwd, moved, verbatim: true };
  const files = base.source ?? target.source;
  const own = plan(ref, files, target, place, id);
  const [first, ...others] = own.actions;
  if (first?.do !== "create") throw new Error(`session ${ref.id} has no transcript of its own`);
  const lines = new Lines(
    { sessionId: id, cwd, gitBranch: input.ref.git?.branch ?? ref.git?.branch ?? "" },
    Date.parse(ref.createdAt ?? "") || 0,
  );
  return {
    ...own,
    actions: [
      { ...first, content: () => contentOf(base, input, target, lines, id), mtimeMs: () => lines.time },
      ...others,
    ],
    children: [
      ...own.children,
      ...input.children.map((child) => subagent(child, target, { id, cwd, depth: 1 })),
    ],
  };
}

async function* contentOf(
  base: SessionInput,
  input: SessionInput,
  target: Target,
  lines: Lines,
  id: string,
): AsyncGenerator<string | Uint8Array> {
  const files = base.source ?? target.source;
  const file = await files.open(base.ref.path);
  let leaf: string | undefined;
  try {
    yield* blocksOf(file);
    // A last record that was cut off is passed over by the program, if it stays a line of its own.
    if (file.size > 0 && file.read(file.size - 1, 1)[0] !== 0x0a) yield "\n";
    leaf = leafIn(file);
  } finally {
    file.close();
  }
  const scribe = new Scribe(lines, {
    ledger: input.ledger,
    native: false,
    rehomed: target.cwd !== undefined && target.cwd !== input.ref.cwd,
    ref: modelled(input.ref, base.ref.model),
  });
  const aside = new LossLedger(base.ref.id);
  // Calls at the very end got no result; going on, the program would tell its model so.
  let unanswered: SessionEvent[] = [];
  for await (const event of base.events()) {
    if (event.type === "message.completed") unanswered = [];
    if (event.type === "tool.completed" && event.payload.synthetic && event.branch === undefined)
      unanswered.push(event);
    else scribe.stand(event, aside);
  }
  if (leaf !== undefined) lines.parent = leaf;
  for (const event of unanswered) scribe.supply(event, aside);
  const { ref } = input;
  lines.side({
    type: "asp-provenance",
    sessionId: id,
    convertedFrom: { harness: ref.harness, sessionId: ref.id, version: ref.harnessVersion },
  });
  for await (const event of input.events()) {
    scribe.take(event);
    for (const piece of lines.take()) yield piece;
  }
  scribe.end();
  const title = scribe.title ?? (base.ref.titleFrom === "prompt" ? undefined : base.ref.title);
  if (title !== undefined) titled(lines, id, title);
  if (scribe.leaf !== null)
    lines.side({
      type: "last-prompt",
      ...(scribe.lastPrompt !== undefined && { lastPrompt: scribe.lastPrompt }),
      leafUuid: scribe.leaf,
      sessionId: id,
      ...(scribe.branched && { explicit: true }),
    });
  account(ref, input, target);
  for (const piece of lines.end()) yield piece;
}

/** Answers that name no model are of the one that the session was with at home. */
function modelled({ model: _, ...ref }: SessionRef, model: string | undefined): SessionRef {
  return model === undefined ? ref : { ...ref, model };
}

/** The record that a resume would go on from. */
function leafIn(file: OpenFile): string | undefined {
  const records = indexRecords(file);
  const leaf = leafOf(records, new Links(records));
  const uuid = leaf === -1 ? undefined : new Transcript(file, records).peek(leaf)?.uuid;
  return typeof uuid === "string" ? uuid : undefined;
}
