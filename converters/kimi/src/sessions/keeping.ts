/** What the program keeps beside the talk: turns, settings, plans, and what it only keeps for itself. */
import type { SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import { eventOf, type Rest } from "./event.js";
import type { Place } from "./scan.js";

export function* bookkeeping(record: Fields, place: Place, rest: Rest): Generator<SessionEvent> {
  switch (record.type) {
    case "turn.prompt":
      if (record.turnId === undefined) break;
      yield eventOf("turn.started", { turnId: String(record.turnId) }, rest);
      return;
    case "turn.ended": {
      const error = name(fields(record.error)?.message);
      yield eventOf(
        "turn.completed",
        {
          turnId: String(record.turnId),
          status: STATUS[String(record.reason)] ?? "cancelled",
          ...(error !== undefined && { error }),
        },
        rest,
      );
      return;
    }
    case "turn.step.interrupted": {
      const message = name(record.message);
      if (record.reason !== "error" || message === undefined) break;
      const id = `@${place.offset}`;
      yield eventOf(
        "message.completed",
        { messageId: id, role: "assistant", blocks: [{ type: "error", message }], audience: ["user"] },
        { ...rest, nativeId: id },
      );
      return;
    }
    case "profile.bind":
    case "config.update": {
      const told = [...bound(record, place, rest)];
      if (told.length === 0) break;
      yield* told;
      return;
    }
    case "permission.set_mode":
      yield eventOf("capabilities.changed", { settings: { mode: string(record.mode) ?? "" } }, rest);
      return;
    case "tools.update_store":
      if (record.key !== "todo" || !Array.isArray(record.value)) break;
      yield eventOf("task.updated", { plan: planOf(record.value) }, rest);
      return;
  }
  const type = name(record.type) ?? "record";
  yield eventOf(
    "unknown.observed",
    { nativeType: `kimi.${type}`, axis: axisOf(type), reason: REASONS[type] ?? "no-counterpart" },
    rest,
  );
}

const STATUS: Readonly<Record<string, "completed" | "failed" | "cancelled">> = {
  completed: "completed",
  failed: "failed",
};

/** Each thing that is said stands a second time in the journal, for whoever looks on. */
const REASONS: Readonly<Record<string, string>> = { "agent.message.appended": "duplicate" };

/** The program's own instructions, whole, and what it runs with. */
function* bound(record: Fields, { offset }: Place, rest: Rest): Generator<SessionEvent> {
  const text = name(record.systemPrompt);
  if (text !== undefined) {
    const id = `@${offset}`;
    yield eventOf(
      "message.completed",
      {
        messageId: id,
        role: "system",
        blocks: [{ type: "text", text }],
        injected: "harness",
        audience: ["assistant"],
      },
      { ...rest, nativeId: id },
    );
  }
  const model = name(record.modelAlias);
  const level = name(record.thinkingEffort) ?? name(record.thinkingLevel);
  const settings = {
    ...(model !== undefined && { model }),
    ...(level !== undefined && { thought_level: level }),
  };
  if (Object.keys(settings).length > 0) yield eventOf("capabilities.changed", { settings }, rest);
}

type Plan = { content: string; status: "pending" | "in_progress" | "completed" }[];

function planOf(value: unknown): Plan {
  return list(value).map((each) => {
    const { title, status } = fields(each) ?? {};
    return {
      content: string(title) ?? "",
      status: status === "done" ? "completed" : status === "in_progress" ? "in_progress" : "pending",
    };
  });
}

function axisOf(type: string): string {
  if (type.startsWith("file_history.")) return "file-snapshots";
  if (type.startsWith("permission.")) return "approvals";
  if (type.startsWith("plan_mode.") || type.startsWith("config.")) return "settings";
  if (type.startsWith("turn.")) return "turns";
  return type === "forked" ? "lineage" : "side-records";
}
