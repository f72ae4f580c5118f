/** Which axis a leaf belongs to, from the place in an event where it turned up. */
import { type SessionAxis, type SessionEvent, sessionAxes } from "@asp-convert/core";
import { type LeafPath, mapLeaves } from "./walk.js";

/**
 * Marker → the axes under which its loss may be declared, for every marker in the events. A marker in several places
 * counts for the first. What is lost of a branch may be told as what it is, or as a loss of the branch.
 */
export function axesIn(
  events: readonly SessionEvent[],
  marker: RegExp,
): Map<string, readonly [SessionAxis, "branches"?]> {
  const found = new Map<string, readonly [SessionAxis, "branches"?]>();
  for (const event of events) {
    mapLeaves(event, (leaf, path) => {
      for (const [hit] of leaf.matchAll(new RegExp(marker, "g"))) {
        if (found.has(hit)) continue;
        const axis = axisOf(event, path);
        found.set(hit, event.branch === undefined ? [axis] : [axis, "branches"]);
      }
      return leaf;
    });
  }
  return found;
}

const BY_TYPE: Partial<Record<SessionEvent["type"], SessionAxis>> = {
  "capabilities.changed": "settings",
  "task.updated": "plans",
  "approval.requested": "approvals",
  "approval.resolved": "approvals",
  "artifact.observed": "file-snapshots",
  "turn.started": "turns",
  "turn.completed": "turns",
  "run.started": "turns",
  "run.settled": "turns",
  "session.bound": "title",
};

const BY_KEY: Readonly<Record<string, SessionAxis>> = {
  title: "title",
  cwd: "cwd",
  git: "git",
  model: "models",
  usage: "usage",
  detail: "tool-details",
  // What the screen shows instead of the words that the model was sent.
  display: "side-records",
  nativeId: "ids",
  messageId: "ids",
  toolCallId: "ids",
  toolResultId: "ids",
  turnId: "ids",
  branch: "branches",
  time: "times",
  harnessVersion: "side-records",
  nativeSessionId: "ids",
  stopReason: "turns",
};

const BY_BLOCK: Readonly<Record<string, SessionAxis>> = {
  thinking: "thinking",
  "tool-call": "tool-calls",
  "tool-result": "tool-results",
  image: "images",
  reference: "documents",
  error: "errors",
  unknown: "opaque-reasoning",
};

function axisOf(event: SessionEvent, path: LeafPath): SessionAxis {
  if (event.type === "status.changed" && path[1] === "context" && typeof path[2] === "number") {
    const kept = event.payload.context?.[path[2]];
    if (kept) return axisOf(kept, path.slice(3));
  }
  if (event.type === "unknown.observed") {
    const { axis } = event.payload;
    return Object.hasOwn(sessionAxes, axis) ? (axis as SessionAxis) : "side-records";
  }
  if (path[1] === "detail") return "tool-details"; // whatever it looks like inside
  const keys = path.filter((step): step is string => typeof step === "string");
  const last = keys.at(-1) ?? "";
  if (last === "signature") return "opaque-reasoning";
  const block = blockAt(event, path);
  if (block !== undefined && !(last in BY_KEY && last !== "detail"))
    return BY_BLOCK[block] ?? talkAxis(event);
  for (const key of keys) {
    const axis = BY_KEY[key];
    if (axis) return axis;
  }
  return BY_TYPE[event.type] ?? talkAxis(event);
}

function talkAxis(event: SessionEvent): SessionAxis {
  if (event.type === "tool.completed") return "tool-results";
  if (event.type === "status.changed") return "compaction";
  if (event.type === "message.completed") {
    const { injected, audience } = event.payload;
    if (injected !== undefined) return "injected-context";
    return audience && !audience.includes("assistant") ? "errors" : "messages";
  }
  return "side-records";
}

/** The type of the innermost block on the way to a leaf. */
function blockAt(event: SessionEvent, path: LeafPath): string | undefined {
  let at: unknown = event;
  let type: string | undefined;
  let before: string | number | undefined;
  for (const step of path) {
    // What lies inside an opaque value looks like blocks by accident only.
    if (typeof at !== "object" || at === null || type === "unknown") break;
    at = (at as Record<string | number, unknown>)[step];
    const list = before === "blocks" || before === "result" || before === "content";
    if (list && typeof at === "object" && at !== null && "type" in at) type = String(at.type);
    before = step;
  }
  return type;
}
