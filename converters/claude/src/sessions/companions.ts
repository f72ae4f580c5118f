/** The files beside a transcript: each is one record, named by an event, so that nothing of a session is unsaid. */
import type { Origin, ReadContext, SessionEvent, SessionRef } from "@asp-convert/core";
import { event } from "@asp-convert/core";
import { TITLE_FILE, TOOL_RESULTS } from "../layout.js";

export async function* companionEvents(
  ref: SessionRef,
  { source, ledger }: ReadContext,
): AsyncGenerator<SessionEvent> {
  for (const [file, { path, relative, role }] of ref.files.entries()) {
    if (role !== "companion") continue;
    const info = await source.stat(path);
    const record = ledger.record();
    if (!info) ledger.note({ axis: "side-records", level: "not-in-source", reason: "missing-file" }, record);
    const origin: Origin[] = [{ record, file, offset: 0, length: info?.size ?? 0 }];
    const name = relative.split("/").at(-1) ?? relative;
    const folder = relative.split("/").at(-2);
    if (folder === TOOL_RESULTS) {
      yield event(
        "artifact.observed",
        { uri: relative, mediaType: mediaTypeOf(name) },
        { nativeId: relative, origin },
      );
      continue;
    }
    const axis = relative.startsWith("file-history/")
      ? "file-snapshots"
      : relative.startsWith("tasks/")
        ? "plans"
        : "side-records";
    const nativeType =
      name === TITLE_FILE
        ? "claude.file.custom-title"
        : name.endsWith(".meta.json")
          ? "claude.file.agent-meta"
          : "claude.file";
    yield event(
      "unknown.observed",
      { nativeType, axis, value: { path: relative } },
      { nativeId: relative, origin },
    );
  }
}

function mediaTypeOf(name: string): string {
  if (name.endsWith(".png")) return "image/png";
  if (/\.jpe?g$/.test(name)) return "image/jpeg";
  return name.endsWith(".json") ? "application/json" : "text/plain";
}
