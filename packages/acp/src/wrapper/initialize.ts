/** What the wrapper changes of the first exchange: the version asked for, and what the agent says of itself. */
import { type Fields, fields, list, string } from "@asp-convert/core/values";
import type { Busy, StateKind } from "../forms/capabilities.js";
import { PROTOCOL_VERSION } from "../methods.js";

/**
 * How a prompt joins a running turn of this agent. `extension`: by `_session/steering`, which it says it has. `merges`: a second
 * prompt does so by itself. `none`: it cannot.
 */
export type Steering = "extension" | "merges" | "none";

/** Agents that take a second prompt into the running turn and answer both at once (measured, opencode 1.18). */
const MERGING = new Set(["opencode"]);

/** In the next version a prompt's answer does not say that the turn is over: nobody could tell when the next may begin. */
export function clamped(message: Fields): Fields | undefined {
  const params = fields(message.params);
  const version = params?.protocolVersion;
  if (typeof version !== "number" || version <= PROTOCOL_VERSION) return undefined;
  return { ...message, params: { ...params, protocolVersion: PROTOCOL_VERSION } };
}

export interface Merged {
  /** The answer with `_meta.asp` in its capabilities; absent: the agent speaks ASP itself, and is left alone. */
  message?: Fields;
  steering: Steering;
  busy: Busy[];
}

export function merged(answer: Fields, kinds: { export: StateKind[]; import: StateKind[] }): Merged {
  const result = fields(answer.result) ?? {};
  const capabilities = fields(result.agentCapabilities) ?? {};
  const meta = fields(capabilities._meta) ?? {};
  if (meta.asp !== undefined) return { steering: "none", busy: [] };
  const steering = steeringOf(result);
  const busy: Busy[] = ["queue", "interrupt", ...(steering === "none" ? [] : (["steer"] as const))];
  const asp = { steering: { busy }, agentState: kinds };
  const agentCapabilities = { ...capabilities, _meta: { ...meta, asp } };
  return { message: { ...answer, result: { ...result, agentCapabilities } }, steering, busy };
}

function steeringOf(result: Fields): Steering {
  const said = fields(fields(result._meta)?.steering);
  if (said?.supported === true || list(said?.supported).length > 0) return "extension";
  const name = string(fields(result.agentInfo)?.name)?.toLowerCase() ?? "";
  return MERGING.has(name) ? "merges" : "none";
}
