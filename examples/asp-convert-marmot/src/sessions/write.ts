/**
 * Events → Marmot's records: a line for each thing that was said, thought, called or answered. Each event is given to
 * `ledger.mapped` or `ledger.leave`, and what of it does not arrive to `ledger.note`: fidelity.ts says the same.
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
import { type NativeRecord, VERSION } from "../records.js";

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd) throw new RefusedError("Marmot needs a working directory; name one with --cwd");
  const id = uuidFrom(`marmot ${ref.harness} ${ref.id} ${target.copy}`);
  return {
    id,
    cwd,
    actions: [
      { do: "create", path: transcript(target.root, id), content: () => inPieces(lines(input, id, cwd)) },
    ],
    // Marmot has no subagents: theirs are talks of their own.
    children: await Promise.all(input.children.map((child) => writeSession(child, target))),
  };
}

async function* lines(input: SessionInput, id: string, cwd: string): AsyncGenerator<string> {
  const { ref, ledger } = input;
  const first = ref.createdAt ?? new Date(0).toISOString();
  let at = Date.parse(first);
  let named: string | undefined;
  for await (const event of input.events()) {
    if (event.time === undefined || event.timeInferred)
      ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, recordOf(event));
    if (event.time !== undefined) at = Date.parse(event.time);
    const records =
      event.type === "session.started"
        ? [talk(event, input, id, cwd, Date.parse(first))]
        : recordsFor(event, ledger, at);
    for (const record of records) {
      if (record.kind === "name") named = record.name;
      yield `${spelled(record, ref.harness, ledger, recordOf(event))}\n`;
    }
  }
  // A title that its program keeps elsewhere than in an event.
  if (ref.title !== undefined && ref.titleFrom !== "prompt" && ref.title !== named) {
    ledger.keep("title");
    yield `${spelled({ kind: "name", at, name: ref.title }, ref.harness, ledger, undefined)}\n`;
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

function talk(
  event: EventOf<"session.started">,
  { ref, ledger }: SessionInput,
  id: string,
  dir: string,
  at: number,
): NativeRecord {
  ledger.mapped(event, "cwd");
  const record = recordOf(event);
  if (event.payload.git) ledger.note(NO_PLACE.git, record);
  if (event.payload.harnessVersion !== undefined)
    ledger.note({ ...NO_PLACE.side, reason: "generated" }, record);
  return { kind: "talk", at, talk: id, dir, marmot: VERSION, from: { harness: ref.harness, id: ref.id } };
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
  images: left("images"),
  documents: left("documents"),
  errors: left("errors"),
  details: left("tool-details"),
  side: left("side-records"),
  ids: left("ids"),
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

function recordsFor(event: SessionEvent, ledger: LossLedger, at: number): NativeRecord[] {
  if (event.branch !== undefined) {
    ledger.leave(event, { axis: "branches", level: "evidence-only", reason: "abandoned-branch" });
    return [];
  }
  switch (event.type) {
    case "message.completed":
      return message(event, ledger, at);
    case "tool.completed": {
      const { toolCallId, result, isError, detail } = event.payload;
      if (detail !== undefined) ledger.note(NO_PLACE.details, recordOf(event));
      const text = result
        .flatMap((block) => (block.type === "text" ? [block.text] : lose(block, event, ledger)))
        .join("\n");
      ledger.mapped(event, "tool-results");
      return [{ kind: "back", at, call: toolCallId, text, ok: !isError }];
    }
    case "session.bound": {
      const { title } = event.payload;
      if (title === undefined) break;
      ledger.mapped(event, "title");
      return [{ kind: "name", at, name: title }];
    }
    case "unknown.observed": {
      const { axis, reason } = event.payload;
      ledger.leave(event, {
        axis: Object.hasOwn(axes, axis) ? (axis as Axis) : "side-records",
        level: axis === "raw" ? "dropped" : "evidence-only",
        reason:
          reason !== undefined && Object.hasOwn(reasons, reason) ? (reason as Reason) : "no-counterpart",
      });
      return [];
    }
  }
  ledger.leave(event, LEFT[event.type] ?? NO_PLACE.side);
  return [];
}

function message(event: EventOf<"message.completed">, ledger: LossLedger, at: number): NativeRecord[] {
  const { role, blocks, model, usage, injected, audience } = event.payload;
  if (injected === "harness" || role === "system") {
    // Marmot adds its own, as every program does.
    ledger.leave(event, { axis: "injected-context", level: "evidence-only", reason: "harness-preamble" });
    return [];
  }
  if (audience && !audience.includes("assistant")) {
    ledger.leave(event, NO_PLACE.errors); // shown to the person, never sent to the model
    return [];
  }
  if (usage) ledger.note(NO_PLACE.usage, recordOf(event));
  // Marmot's own have none to begin with.
  if (event.nativeId !== undefined && !/^r\d+$/.test(event.nativeId))
    ledger.note(NO_PLACE.ids, recordOf(event));
  const by = model === undefined ? {} : { by: model };
  const records = blocks.flatMap((block): NativeRecord[] => {
    switch (block.type) {
      case "text":
        return [{ kind: role === "user" ? "ask" : "answer", at, text: block.text, ...by }];
      case "thinking":
        if (block.text === "") return lose(block, event, ledger);
        if (block.signature !== undefined) ledger.note(UNSIGNED, recordOf(event));
        ledger.keep("thinking");
        return [{ kind: "think", at, text: block.text, ...by }];
      case "tool-call":
        ledger.keep("tool-calls");
        return [{ kind: "call", at, call: block.toolCallId, tool: block.name, with: block.arguments }];
      default:
        return lose(block, event, ledger);
    }
  });
  ledger.mapped(event, "messages", "times");
  if (model !== undefined) ledger.keep("models");
  return records;
}

/** Marmot does not sign what its models think. */
const UNSIGNED = { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" } as const;

/** A block that has no place: nothing of it is written, and that is said. */
function lose(block: Block, event: SessionEvent, ledger: LossLedger): [] {
  const at = recordOf(event);
  if (block.type === "thinking") ledger.note(UNSIGNED, at);
  else if (block.type === "image") ledger.note(NO_PLACE.images, at);
  else if (block.type === "reference") ledger.note(NO_PLACE.documents, at);
  else if (block.type === "error") ledger.note(NO_PLACE.errors, at);
  else ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "encrypted" }, at);
  return [];
}

/** Half an emoji is no text: it becomes U+FFFD, and that is said. At home it stays as it was. */
function spelled(record: NativeRecord, from: string, ledger: LossLedger, at: number | undefined): string {
  const text = JSON.stringify(record);
  if (from === "marmot" || !/\\ud[89a-f]/.test(text)) return text;
  ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, at);
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "string" ? wellFormed(value) : value,
  );
}

function recordOf({ origin }: SessionEvent): number | undefined {
  return origin[0]?.record;
}
