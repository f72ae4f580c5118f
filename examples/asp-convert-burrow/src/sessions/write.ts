/**
 * Events → Burrow's rows. Each event is given to `ledger.mapped` or `ledger.leave`, and what of it does not arrive to
 * `ledger.note`: the table in fidelity.ts says the same.
 */
import {
  type Axis,
  axes,
  type Block,
  type EventOf,
  type Loss,
  type LossLedger,
  type Reason,
  RefusedError,
  type RowChange,
  reasons,
  type SessionEvent,
  type SessionInput,
  type SessionPlan,
  type SqlValue,
  type Target,
  uuidFrom,
  wellFormed,
} from "@asp-convert/core";
import { databaseIn } from "../layout.js";
import { type Message, type Part, type Result, VERSION } from "../records.js";
import { TABLES } from "../rows.js";

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd) throw new RefusedError("Burrow needs a working directory; name one with --cwd");
  // From the source's id: the same conversion gives the same id.
  const id = uuidFrom(`burrow ${ref.harness} ${ref.id} ${target.copy}`);
  return {
    id,
    cwd,
    // All in one transaction, also into a database that Burrow has open; nothing is read before it is carried out.
    actions: [
      { do: "rows", path: databaseIn(target.root), create: TABLES, rows: () => rows(input, id, cwd) },
    ],
    // Burrow has no subagents: they become sessions of their own.
    children: await Promise.all(input.children.map((child) => writeSession(child, target))),
  };
}

async function* rows(input: SessionInput, id: string, cwd: string): AsyncGenerator<RowChange> {
  const { ref, ledger } = input;
  const created = ref.createdAt ?? new Date(0).toISOString();
  const named = ref.title !== undefined && ref.titleFrom !== "prompt";
  const title = named ? spelled(ref.title ?? "", ref.harness, ledger, undefined) : null;
  if (named) ledger.keep("title");
  yield { table: "session", row: { id, cwd, title, created, version: VERSION } };
  let at = created;
  let seq = 0;
  for await (const event of input.events()) {
    if (event.time === undefined || event.timeInferred)
      ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, recordOf(event));
    at = event.time ?? at;
    if (event.type === "session.started") {
      head(event, ledger);
      continue;
    }
    const entry = entryFor(event, ledger);
    if (!entry) continue;
    const data = spelled(JSON.stringify(entry.data), ref.harness, ledger, recordOf(event));
    const row: Record<string, SqlValue> = { session_id: id, seq: seq++, at, kind: entry.kind, data };
    yield { table: "entry", row };
  }
  if (input.children.length > 0)
    ledger.note({
      axis: "subagents",
      level: "partial",
      reason: "no-counterpart",
      count: input.children.length,
    });
  if (ref.parent) ledger.note({ axis: "lineage", level: "dropped", reason: "no-counterpart" });
}

function head(event: EventOf<"session.started">, ledger: LossLedger): void {
  ledger.mapped(event, "cwd");
  if (event.payload.git) ledger.note(NO_PLACE.git, recordOf(event));
  if (event.payload.harnessVersion !== undefined)
    ledger.note({ ...NO_PLACE.side, reason: "generated" }, recordOf(event));
}

const left = (axis: Axis) => ({ axis, level: "evidence-only", reason: "no-counterpart" }) as const;
const NO_PLACE = {
  git: left("git"),
  settings: left("settings"),
  turns: left("turns"),
  plans: left("plans"),
  compaction: left("compaction"),
  approvals: left("approvals"),
  files: left("file-snapshots"),
  usage: left("usage"),
  thinking: left("thinking"),
  images: left("images"),
  documents: left("documents"),
  errors: left("errors"),
  details: left("tool-details"),
  side: left("side-records"),
} satisfies Record<string, Pick<Loss, "axis" | "level" | "reason">>;

const LEFT: Partial<Record<SessionEvent["type"], (typeof NO_PLACE)[keyof typeof NO_PLACE]>> = {
  "capabilities.changed": NO_PLACE.settings,
  "turn.started": NO_PLACE.turns,
  "turn.completed": NO_PLACE.turns,
  "run.started": NO_PLACE.turns,
  "run.settled": NO_PLACE.turns,
  "task.updated": NO_PLACE.plans,
  "status.changed": NO_PLACE.compaction,
  "approval.requested": NO_PLACE.approvals,
  "approval.resolved": NO_PLACE.approvals,
  "artifact.observed": NO_PLACE.files,
};

type Said = Pick<Message, "kind" | "data"> | Pick<Result, "kind" | "data">;

function entryFor(event: SessionEvent, ledger: LossLedger): Said | undefined {
  if (event.branch !== undefined) {
    ledger.leave(event, { axis: "branches", level: "evidence-only", reason: "abandoned-branch" });
    return undefined;
  }
  switch (event.type) {
    case "message.completed":
      return message(event, ledger);
    case "tool.completed": {
      const { toolCallId: call, result, isError: failed, detail } = event.payload;
      if (detail !== undefined) ledger.note(NO_PLACE.details, recordOf(event));
      const text = result
        .flatMap((block) => (block.type === "text" ? [block.text] : lose(block, event, ledger)))
        .join("\n");
      ledger.mapped(event, "tool-results");
      return { kind: "result", data: { call, text, failed } };
    }
    case "session.bound":
      // The title that it has in the end stands in the session's row.
      if (event.payload.title === undefined) break;
      ledger.mapped(event);
      return undefined;
    case "unknown.observed": {
      const { axis, reason } = event.payload;
      ledger.leave(event, {
        axis: Object.hasOwn(axes, axis) ? (axis as Axis) : "side-records",
        level: axis === "raw" ? "dropped" : "evidence-only",
        reason:
          reason !== undefined && Object.hasOwn(reasons, reason) ? (reason as Reason) : "no-counterpart",
      });
      return undefined;
    }
  }
  ledger.leave(event, LEFT[event.type] ?? NO_PLACE.side);
  return undefined;
}

function message(event: EventOf<"message.completed">, ledger: LossLedger): Said | undefined {
  const { messageId: id, role, blocks, model, usage, injected, audience } = event.payload;
  if (injected === "harness" || role === "system") {
    // Burrow adds its own, as every program does.
    ledger.leave(event, { axis: "injected-context", level: "evidence-only", reason: "harness-preamble" });
    return undefined;
  }
  if (audience && !audience.includes("assistant")) {
    ledger.leave(event, NO_PLACE.errors); // shown to the person, never sent to the model
    return undefined;
  }
  if (usage) ledger.note(NO_PLACE.usage, recordOf(event));
  const parts = blocks.flatMap((block): Part[] => {
    switch (block.type) {
      case "text":
        return [{ text: block.text }];
      case "tool-call":
        ledger.keep("tool-calls");
        return [{ tool: { id: block.toolCallId, name: block.name, input: block.arguments } }];
      default:
        return lose(block, event, ledger);
    }
  });
  ledger.mapped(event, "messages", "times");
  if (model !== undefined) ledger.keep("models");
  const kind = role === "assistant" ? "assistant" : "user";
  return { kind, data: { id, parts, ...(model !== undefined && { model }) } };
}

/** A block that has no place: nothing of it is written, and that is said. */
function lose(block: Block, event: SessionEvent, ledger: LossLedger): [] {
  const at = recordOf(event);
  if (block.type === "thinking") ledger.note(NO_PLACE.thinking, at);
  else if (block.type === "image") ledger.note(NO_PLACE.images, at);
  else if (block.type === "reference") ledger.note(NO_PLACE.documents, at);
  else if (block.type === "error") ledger.note(NO_PLACE.errors, at);
  else ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "encrypted" }, at);
  if (block.type === "thinking" && block.signature !== undefined)
    ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, at);
  return [];
}

/** Half an emoji is no text, and no database takes it: it becomes U+FFFD, and that is said. */
function spelled(text: string, from: string, ledger: LossLedger, at: number | undefined): string {
  if (from === "burrow" || (text.isWellFormed() && !/\\ud[89a-f]/.test(text))) return text;
  ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, at);
  return wellFormed(text).replaceAll(
    /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/g,
    "\ufffd",
  );
}

function recordOf({ origin }: SessionEvent): number | undefined {
  return origin[0]?.record;
}
