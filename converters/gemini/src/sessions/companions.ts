/** The files beside a session: each is one record, named by an event, so that nothing of a session is unsaid. */
import type { ReadContext, SessionEvent, SessionRef } from "@asp-convert/core";
import { told } from "@asp-convert/gemini-family";

export async function* companionEvents(
  { files }: SessionRef,
  { source, ledger }: ReadContext,
): AsyncGenerator<SessionEvent> {
  for (const [file, { path, relative, role }] of files.entries()) {
    if (role !== "companion") continue;
    const info = await source.stat(path);
    const record = ledger.record();
    if (!info) ledger.note({ axis: "side-records", level: "not-in-source", reason: "missing-file" }, record);
    const origin = [{ record, file, offset: 0, length: info?.size ?? 0 }];
    const isPlan = /\/(?:plans|tracker|tasks)\//.test(relative);
    yield isPlan
      ? told(
          "unknown.observed",
          { nativeType: "gemini.file", axis: "plans", value: { path: relative } },
          { nativeId: relative, origin },
        )
      : told("artifact.observed", { uri: relative, mediaType: "text/plain" }, { nativeId: relative, origin });
  }
}
