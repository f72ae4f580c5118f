/** What a harness needs to resume a session, checked before anything is written. */
import { type Converter, RefusedError, type SessionRef } from "../converter/contract.js";

/** @throws RefusedError naming everything the target would miss. */
export function checkResume(to: Converter, ref: SessionRef): void {
  const missing = to.sessions.resume.needs.flatMap((need) => need.missing(ref) ?? []);
  if (missing.length > 0) {
    throw new RefusedError(
      `${to.name} could not resume session ${ref.id}: ${missing.join("; ")}. Nothing was written.`,
    );
  }
}
