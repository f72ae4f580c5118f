import type { SessionRef } from "../converter/contract.js";
import type { Payloads } from "./event.js";

/** What a session's first event says: that which its `list` found out already. */
export function startedOf({
  id,
  title,
  cwd,
  git,
  model,
  harnessVersion,
}: SessionRef): Payloads["session.started"] {
  return {
    nativeSessionId: id,
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    ...(git && { git }),
    ...(model !== undefined && { model }),
    ...(harnessVersion !== undefined && { harnessVersion }),
  };
}
