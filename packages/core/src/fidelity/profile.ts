/** What a harness needs to resume a session, checked before anything is written. */
import { type Converter, RefusedError, type SessionRef } from "../converter/contract.js";

/**
 * @param cwd the working directory it will be given instead of its own.
 * @throws RefusedError naming everything the target would miss.
 */
export function checkResume(to: Converter, ref: SessionRef, cwd?: string): void {
  const homed = cwd === undefined ? ref : { ...ref, cwd };
  const missing = to.sessions.resume.needs.flatMap((need) => need.missing(homed) ?? []);
  if (missing.length > 0) {
    throw new RefusedError(
      `${to.name} could not resume session ${ref.id}: ${missing.join("; ")}. Nothing was written.`,
    );
  }
}
