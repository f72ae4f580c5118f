/** The files beside a session's events: each is one record, named by an event, so that nothing of a session is unsaid. */
import type { ReadContext, SessionAxis, SessionEvent, SessionRef } from "@asp-convert/core";
import { WORKSPACE } from "../layout.js";
import { told } from "./told.js";

export async function* companionEvents(
  { files }: SessionRef,
  { source, ledger }: ReadContext,
): AsyncGenerator<SessionEvent> {
  for (const [file, { path, relative, role }] of files.entries()) {
    if (role !== "companion" || isWorkspace(relative)) continue;
    const info = await source.stat(path);
    const record = ledger.record();
    if (!info) ledger.note({ axis: "side-records", level: "not-in-source", reason: "missing-file" }, record);
    yield told(
      "unknown.observed",
      {
        nativeType: "copilot.file",
        axis: axisOf(relative),
        reason: "no-counterpart",
        value: { path: relative },
      },
      { nativeId: relative, origin: [{ record, file, offset: 0, length: info?.size ?? 0 }] },
    );
  }
}

export function isWorkspace(relative: string): boolean {
  return relative.endsWith(`/${WORKSPACE}`) || relative === WORKSPACE;
}

function axisOf(relative: string): SessionAxis {
  if (/\/(?:plan\.md|session\.db)$/.test(relative)) return "plans";
  return relative.includes("/rewind-file-snapshots/") ? "file-snapshots" : "side-records";
}
