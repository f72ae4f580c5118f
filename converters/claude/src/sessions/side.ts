/** Records that are no part of the talk: under which axis each would be missed, and what little is read of them. */
import type { Origin, SessionAxis, SessionEvent } from "@asp-convert/core";
import { event } from "@asp-convert/core";
import { flag, isTalk, kinds } from "./kinds.js";
import type { Now } from "./now.js";
import type { Transcript } from "./transcript.js";
import { type Json, object, text } from "./value.js";

const BY_TYPE: ReadonlyMap<string, SessionAxis> = new Map<string, SessionAxis>([
  ["file-history-snapshot", "file-snapshots"],
  ["file-history-delta", "file-snapshots"],
  ["cost-state", "usage"],
  ["worktree-state", "git"],
  ["pr-link", "git"],
  ["permission-mode", "settings"],
  ["agent-setting", "settings"],
  ["mode", "settings"],
  ["asp-provenance", "lineage"],
  ["asp-evidence", "lineage"],
  ["fork-context-ref", "lineage"],
  ["teleported-from", "lineage"],
  ["relocated", "lineage"],
  ["content-replacement", "tool-results"],
]);

const BY_SUBTYPE: ReadonlyMap<string, SessionAxis> = new Map<string, SessionAxis>([
  ["api_error", "errors"],
  ["error", "errors"],
  ["api_refusal", "errors"],
  ["microcompact_boundary", "compaction"],
  ["compact_boundary", "compaction"],
  ["turn_duration", "turns"],
]);

/** `claude.system.turn_duration`, `claude.attachment.date`, `claude.queue-operation`, `claude.progress.hook_progress`. */
export function nativeTypeOf(record: Json): string {
  const type = text(record.type) ?? "untyped";
  const inner =
    text(record.subtype) ?? text(object(record.attachment)?.type) ?? text(object(record.data)?.type);
  return inner !== undefined && ["system", "attachment", "progress"].includes(type)
    ? `claude.${type}.${inner}`
    : `claude.${type}`;
}

export function axisOf(record: Json): SessionAxis {
  const type = text(record.type) ?? "";
  if (type === "system") return BY_SUBTYPE.get(text(record.subtype) ?? "") ?? "side-records";
  if (type === "attachment") return "injected-context";
  if (type === "user" || type === "assistant") return record.isSidechain === true ? "subagents" : "messages";
  if (type === "progress" && object(record.data)?.type === "agent_progress") return "subagents";
  return BY_TYPE.get(type) ?? "side-records";
}

/** One event for a record outside the talk. Only what has a meaning of its own is parsed. */
export function sideEvent(transcript: Transcript, i: number, origin: Origin, now: Now): SessionEvent {
  const { records } = transcript;
  const kind = records.kind[i] as number;
  const flags = records.flags[i] as number;
  const type = records.types[records.type[i] as number] ?? "untyped";
  const ms = records.time[i] as number;
  const rest = { origin: [origin], ...(!Number.isNaN(ms) && { time: new Date(ms).toISOString() }) };
  switch (kind) {
    case kinds.unparsable:
    case kinds.torn:
    case kinds.overBound: {
      const reason =
        kind === kinds.torn ? "torn-tail" : kind === kinds.overBound ? "over-bound" : "unparsable";
      return event("unknown.observed", { nativeType: "claude.raw", axis: "raw", reason }, rest);
    }
    case kinds.customTitle:
    case kinds.aiTitle: {
      if (i !== (records.facts.customTitle ?? records.facts.aiTitle)) {
        return event(
          "unknown.observed",
          { nativeType: `claude.${type}`, axis: "side-records", reason: "superseded" },
          rest,
        );
      }
      const title = text(transcript.get(i)?.[kind === kinds.aiTitle ? "aiTitle" : "customTitle"]);
      if (title === undefined) break;
      return event("session.bound", { title, titleBy: kind === kinds.aiTitle ? "agent" : "user" }, rest);
    }
    case kinds.other: {
      if (type !== "permission-mode") break;
      const mode = text(transcript.get(i)?.permissionMode);
      if (mode === undefined || mode === now.mode) break;
      now.mode = mode;
      return event("capabilities.changed", { settings: { mode } }, rest);
    }
  }
  const native = kind === kinds.system || kind === kinds.attachment ? transcript.get(i) : undefined;
  const axis = native ? axisOf(native) : axisOf({ type, isSidechain: (flags & flag.sidechain) !== 0 });
  const reason =
    flags & flag.replaced ? "superseded" : flags & flag.sidechain && isTalk(kind) ? "subagent" : undefined;
  const uuid = text(native?.uuid);
  // The later record of one uuid is the one that others name.
  const nativeId = uuid !== undefined && flags & flag.replaced ? `${uuid}@${origin.offset}` : uuid;
  return event(
    "unknown.observed",
    {
      nativeType: native ? nativeTypeOf(native) : `claude.${type}`,
      axis,
      ...(reason !== undefined && { reason }),
    },
    { ...rest, ...(nativeId !== undefined && { nativeId }) },
  );
}
