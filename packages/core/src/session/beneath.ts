/** The header of a subagent's session, for a writer that keeps subagents inside the session they are of. */
import type { SessionRef } from "../converter/contract.js";
import type { LossLedger } from "../fidelity/ledger.js";

/**
 * Tells what of a subagent's header has no place there: all that is not just as in the header of its session.
 * @param above the session that it is of, as the source has it.
 */
export function noteBeneath(
  { cwd, git, title, titleFrom }: SessionRef,
  above: SessionRef,
  ledger: LossLedger,
): void {
  const note = (axis: "cwd" | "git" | "title") =>
    ledger.note({ axis, level: "evidence-only", reason: "no-counterpart" });
  if (cwd !== undefined && cwd !== above.cwd) note("cwd");
  if (
    git &&
    (["branch", "commit", "repository"] as const).some(
      (key) => (git[key] ?? above.git?.[key]) !== above.git?.[key],
    )
  )
    note("git");
  if (title !== undefined && titleFrom !== "prompt") note("title");
}
