/** Events → sample's records. */
import {
  type Axis,
  axes,
  type Block,
  type EventOf,
  inPieces,
  type Loss,
  type LossLedger,
  RefusedError,
  reasons,
  type SessionEvent,
  type SessionInput,
  type SessionPlan,
  type Target,
  uuidFrom,
  wellFormed,
} from "@asp-convert/core";
import { childTranscript, transcript } from "./layout.js";
import { type Head, type Result, type Said, type SampleRecord, VERSION } from "./records.js";

type Words = Pick<Loss, "axis" | "level" | "reason">;

/** Events that sample has no record for. */
const NO_RECORD: Partial<Record<SessionEvent["type"], Words>> = {
  "session.ended": { axis: "side-records", level: "evidence-only", reason: "no-counterpart" },
  "input.observed": { axis: "side-records", level: "evidence-only", reason: "no-counterpart" },
  "run.started": { axis: "turns", level: "evidence-only", reason: "no-counterpart" },
  "run.settled": { axis: "turns", level: "evidence-only", reason: "no-counterpart" },
  "message.started": { axis: "side-records", level: "evidence-only", reason: "superseded" },
  "message.updated": { axis: "side-records", level: "evidence-only", reason: "superseded" },
  "tool.started": { axis: "side-records", level: "evidence-only", reason: "superseded" },
  "tool.updated": { axis: "side-records", level: "evidence-only", reason: "superseded" },
  "approval.requested": { axis: "approvals", level: "evidence-only", reason: "no-counterpart" },
  "approval.resolved": { axis: "approvals", level: "evidence-only", reason: "no-counterpart" },
  "artifact.observed": { axis: "file-snapshots", level: "evidence-only", reason: "no-counterpart" },
};

export function planSession(input: SessionInput, target: Target, parent?: SessionPlan): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd) throw new RefusedError("sample needs a working directory; name one with --cwd");
  const id = uuidFrom(`sample ${ref.harness} ${ref.id} ${target.copy}`);
  const path = parent ? childTranscript(target.root, parent.id, id) : transcript(target.root, id);
  const plan = {
    id,
    cwd,
    actions: [{ do: "create" as const, path, content: () => inPieces(lines(input, id, cwd, parent?.id)) }],
    children: [] as SessionPlan[],
  };
  return Promise.all(input.children.map((child) => planSession(child, target, plan))).then((children) => {
    plan.children.push(...children);
    return plan;
  });
}

async function* lines(
  input: SessionInput,
  id: string,
  cwd: string,
  parent: string | undefined,
): AsyncGenerator<string> {
  const { ref, ledger } = input;
  for await (const event of input.events()) {
    const record =
      event.type === "session.started" ? head(event, input, id, cwd, parent) : recordOf(event, ledger);
    if (record) yield `${spelled(record, ref.harness, ledger, event.origin[0]?.record)}\n`;
  }
  if (input.children.length > 0) ledger.keep("subagents", input.children.length);
  if (ref.parent && !parent) ledger.note({ axis: "lineage", level: "partial", reason: "missing-parent" });
}

/** Half a surrogate goes home as it is, and to sample from anywhere else as U+FFFD. */
function spelled(
  record: SampleRecord,
  from: string,
  ledger: LossLedger,
  ordinal: number | undefined,
): string {
  const text = JSON.stringify(record);
  if (from === "sample" || !/\\ud[89a-f]/.test(text)) return text;
  ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, ordinal);
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "string" ? wellFormed(value) : value,
  );
}

function head(
  event: EventOf<"session.started">,
  { ref, ledger }: SessionInput,
  id: string,
  cwd: string,
  parent: string | undefined,
): Head {
  const { git, model } = event.payload;
  const title = ref.titleFrom === "prompt" ? undefined : (event.payload.title ?? ref.title);
  ledger.mapped(
    event,
    ...(title === undefined ? [] : ["title" as const]),
    "cwd",
    ...(git ? ["git" as const] : []),
  );
  if (event.payload.harnessVersion !== undefined)
    ledger.note(
      { axis: "side-records", level: "evidence-only", reason: "generated" },
      event.origin[0]?.record,
    );
  const at = event.time ?? ref.createdAt;
  return {
    kind: "head",
    id,
    ...(at === undefined ? {} : { at }),
    dir: cwd,
    ...(title === undefined ? {} : { name: title }),
    ...(git && ref.git ? { git: ref.git } : {}),
    ...(model === undefined ? {} : { model }),
    version: VERSION,
    ...(parent === undefined ? {} : { parent: { ...ref.parent, id: parent, relation: "subagent" } }),
    from: { harness: ref.harness, id: ref.id },
  };
}

function recordOf(event: SessionEvent, ledger: LossLedger): SampleRecord | undefined {
  if (event.branch !== undefined) {
    ledger.leave(event, { axis: "branches", level: "evidence-only", reason: "abandoned-branch" });
    return undefined;
  }
  const at = event.time === undefined ? {} : { at: event.time };
  switch (event.type) {
    case "message.completed":
      return said(event, ledger);
    case "tool.completed":
      return result(event, ledger);
    case "session.bound": {
      const { title, titleBy } = event.payload;
      if (title === undefined) {
        ledger.leave(event, { axis: "cwd", level: "evidence-only", reason: "no-counterpart" });
        return undefined;
      }
      ledger.mapped(event, "title");
      return { kind: "name", ...at, name: title, ...(titleBy ? { by: titleBy } : {}) };
    }
    case "capabilities.changed":
      ledger.mapped(event, "settings");
      return { kind: "set", ...at, values: event.payload.settings };
    case "task.updated":
      ledger.mapped(event, "plans");
      return { kind: "todo", ...at, items: event.payload.plan };
    case "turn.started":
      ledger.mapped(event, "turns");
      return { kind: "turn", id: event.payload.turnId, ...at };
    case "turn.completed": {
      const { turnId, status, error, usage } = event.payload;
      ledger.mapped(event, "turns");
      return {
        kind: "turn",
        id: turnId,
        ...at,
        ends: status,
        ...(error === undefined ? {} : { error }),
        ...(usage ? { usage } : {}),
      };
    }
    case "status.changed":
      return status(event, ledger);
    case "unknown.observed": {
      const { axis, reason } = event.payload;
      ledger.leave(event, {
        axis: Object.hasOwn(axes, axis) ? (axis as Axis) : "side-records",
        level: axis === "raw" ? "dropped" : "evidence-only",
        reason:
          reason !== undefined && Object.hasOwn(reasons, reason)
            ? (reason as Loss["reason"])
            : "no-counterpart",
      });
      return undefined;
    }
    default:
      ledger.leave(
        event,
        NO_RECORD[event.type] ?? { axis: "side-records", level: "evidence-only", reason: "no-counterpart" },
      );
      return undefined;
  }
}

function said(event: EventOf<"message.completed">, ledger: LossLedger): Said | undefined {
  const { messageId, role, blocks, model, usage, stopReason, kind, injected, audience, display } =
    event.payload;
  if (injected === "harness") {
    ledger.leave(event, { axis: "injected-context", level: "evidence-only", reason: "harness-preamble" });
    return undefined;
  }
  const parts = blocks.filter((block) => keep(block, ledger, event.origin[0]?.record)).map(withoutSignature);
  ledger.mapped(
    event,
    "messages",
    ...(event.time === undefined ? [] : ["times" as const]),
    ...(model ? ["models" as const] : []),
  );
  if (usage) ledger.keep("usage");
  return {
    kind: "said",
    id: messageId,
    ...(event.time === undefined ? {} : { at: event.time }),
    by: role,
    parts,
    ...(model === undefined ? {} : { model }),
    ...(usage ? { usage } : {}),
    ...(stopReason === undefined ? {} : { stop: stopReason }),
    ...(kind ? { as: kind } : {}),
    ...(injected ? { why: injected } : {}),
    ...(audience ? { for: audience } : {}),
    ...(display === undefined ? {} : { shown: display }),
  };
}

/** Counts a block as arrived; what nobody else can read stays behind. */
function keep(block: Block, ledger: LossLedger, record: number | undefined): boolean {
  if (block.type === "unknown") {
    ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "encrypted" }, record);
    return false;
  }
  if (block.type === "thinking" && block.signature !== undefined)
    ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
  const axis = (
    {
      thinking: "thinking",
      "tool-call": "tool-calls",
      image: "images",
      reference: "documents",
      error: "errors",
    } as const
  )[block.type as "thinking"];
  if (axis) ledger.keep(axis);
  return true;
}

function withoutSignature(block: Block): Block {
  return block.type === "thinking" && block.signature !== undefined
    ? { type: "thinking", text: block.text }
    : block;
}

function result(event: EventOf<"tool.completed">, ledger: LossLedger): Result {
  const { toolCallId, result: parts, isError, detail, synthetic } = event.payload;
  const record = event.origin[0]?.record;
  if (detail !== undefined)
    ledger.note({ axis: "tool-details", level: "evidence-only", reason: "no-counterpart" }, record);
  ledger.mapped(event, "tool-results");
  return {
    kind: "result",
    call: toolCallId,
    ...(event.time === undefined ? {} : { at: event.time }),
    parts: parts.filter((block) => keep(block, ledger, record)).map(withoutSignature),
    failed: isError,
    ...(synthetic ? { madeUp: true } : {}),
  };
}

function status(event: EventOf<"status.changed">, ledger: LossLedger): SampleRecord | undefined {
  const { status, context, trigger, turns, reason } = event.payload;
  const at = event.time === undefined ? {} : { at: event.time };
  if (status === "rewound" && turns !== undefined) {
    ledger.mapped(event, "turns");
    return { kind: "back", ...at, turns };
  }
  if (status !== "compacted") {
    ledger.leave(event, { axis: "side-records", level: "evidence-only", reason: "no-counterpart" });
    return undefined;
  }
  ledger.mapped(event, "compaction");
  if (reason !== undefined) ledger.note({ axis: "compaction", level: "partial", reason: "no-counterpart" });
  const keepers = context?.flatMap((kept) => {
    const record = recordOf(kept, ledger);
    return record?.kind === "said" || record?.kind === "result" ? [record] : [];
  });
  return { kind: "cut", ...at, ...(trigger ? { by: trigger } : {}), ...(keepers ? { keep: keepers } : {}) };
}
