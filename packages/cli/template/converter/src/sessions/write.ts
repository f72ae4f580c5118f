/**
 * Events → Acme's records. Each event is given to `ledger.mapped` or `ledger.leave`, and what of it does not arrive to
 * `ledger.note`: the table in fidelity.ts says the same.
 */
import {
  type Axis,
  axes,
  type Block,
  type EventOf,
  inPieces,
  type Loss,
  type LossLedger,
  type Reason,
  RefusedError,
  reasons,
  type SessionEvent,
  type SessionInput,
  type SessionPlan,
  type Target,
  uuidFrom,
  wellFormed,
} from "@asp-convert/core";
import { transcript } from "../layout.js";
import { type Message, type NativeRecord, type Part, VERSION } from "../records.js";

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd) throw new RefusedError("Acme needs a working directory; name one with --cwd");
  // From the source's id: the same conversion gives the same id.
  const id = uuidFrom(`acme ${ref.harness} ${ref.id} ${target.copy}`);
  const path = transcript(target.root, id);
  return {
    id,
    cwd,
    // A stream: nothing is read before the plan is carried out, and no more is held than a record.
    actions: [{ do: "create", path, content: () => inPieces(lines(input, id, cwd)) }],
    // TODO: subagents, if Acme has them. Until then they are written as sessions of their own.
    children: await Promise.all(input.children.map((child) => writeSession(child, target))),
  };
}

async function* lines(input: SessionInput, id: string, cwd: string): AsyncGenerator<string> {
  const { ref, ledger } = input;
  const first = ref.createdAt ?? new Date(0).toISOString();
  let time = first;
  let titled: string | undefined;
  for await (const event of input.events()) {
    if (event.time === undefined || event.timeInferred)
      ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, recordOf(event));
    time = event.time ?? time;
    const record =
      event.type === "session.started" ? head(event, input, id, cwd, first) : recordFor(event, ledger, time);
    if (record?.type === "title") titled = record.title;
    if (record) yield `${spelled(record, ref.harness, ledger, recordOf(event))}\n`;
  }
  // A title that its program keeps elsewhere than in an event.
  if (ref.title !== undefined && ref.titleFrom !== "prompt" && ref.title !== titled) {
    ledger.keep("title");
    yield `${spelled({ type: "title", time, title: ref.title }, ref.harness, ledger, undefined)}\n`;
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

function head(
  event: EventOf<"session.started">,
  { ref, ledger }: SessionInput,
  id: string,
  cwd: string,
  time: string,
): NativeRecord {
  ledger.mapped(event, "cwd");
  const at = recordOf(event);
  if (event.payload.git) ledger.note(NO_PLACE.git, at);
  if (event.payload.harnessVersion !== undefined) ledger.note({ ...NO_PLACE.side, reason: "generated" }, at);
  return { type: "session", id, time, cwd, version: VERSION, from: { harness: ref.harness, id: ref.id } };
}

const left = (axis: Axis) => ({ axis, level: "evidence-only", reason: "no-counterpart" }) as const;
/** TODO: what of this Acme has a place for after all. */
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

function recordFor(event: SessionEvent, ledger: LossLedger, time: string): NativeRecord | undefined {
  if (event.branch !== undefined) {
    ledger.leave(event, { axis: "branches", level: "evidence-only", reason: "abandoned-branch" });
    return undefined;
  }
  switch (event.type) {
    case "message.completed":
      return message(event, ledger, time);
    case "tool.completed": {
      const { toolCallId, result, isError, detail } = event.payload;
      if (detail !== undefined) ledger.note(NO_PLACE.details, recordOf(event));
      const text = result
        .flatMap((block) => (block.type === "text" ? [block.text] : lose(block, event, ledger)))
        .join("\n");
      ledger.mapped(event, "tool-results");
      return { type: "result", call: toolCallId, time, text, failed: isError };
    }
    case "session.bound": {
      const { title } = event.payload;
      if (title === undefined) break;
      ledger.mapped(event, "title");
      return { type: "title", time, title };
    }
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

function message(event: EventOf<"message.completed">, ledger: LossLedger, time: string): Message | undefined {
  const { messageId: id, role, blocks, model, usage, injected, audience } = event.payload;
  if (injected === "harness" || role === "system") {
    // Acme adds its own, as every program does.
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
  return {
    type: role === "assistant" ? "assistant" : "user",
    id,
    time,
    parts,
    ...(model !== undefined && { model }),
  };
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

/** Half an emoji is no text: it becomes U+FFFD, and that is said. At home it stays as it was. */
function spelled(record: NativeRecord, from: string, ledger: LossLedger, at: number | undefined): string {
  const text = JSON.stringify(record);
  if (from === "acme" || !/\\ud[89a-f]/.test(text)) return text;
  ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, at);
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "string" ? wellFormed(value) : value,
  );
}

function recordOf({ origin }: SessionEvent): number | undefined {
  return origin[0]?.record;
}
