/**
 * Claude.ai's account export: `conversations.json`, a list of conversations with their messages in order. Written from what
 * the export is publicly known to hold; see the README.
 */
import { type Candidate, type Converter, defineReader, lazyEach } from "@asp-convert/core";
import { beginning, openExport } from "../exports.js";
import { reads } from "../levels.js";

const claudeAi: Converter = defineReader({
  id: "claude-ai",
  name: "Claude.ai export",
  verified: [],
  experimental: "read from what is publicly known of the export; not tried on a real one",
  readOnly: "an account takes no conversations in",
  probe,
  locate: () => [],
  open: openExport("claude-ai"),
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    view: async (store, source) => (await import("./list.js")).view(store, source),
    fidelity: reads({
      "tool-calls": "preserved",
      "tool-results": "preserved",
      "tool-details": "evidence-only",
      thinking: "preserved",
      images: "partial",
      documents: "preserved",
      title: "preserved",
      times: "preserved",
    }),
  },
});

export default claudeAi;

const EXPORT = "conversations.json";

async function probe(candidate: Candidate): Promise<number> {
  const { kind, head, entries } = candidate;
  if (kind === "file")
    return scoreOf(Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8"));
  return entries.includes(EXPORT) ? scoreOf(await beginning(candidate, EXPORT)) : 0;
}

/** A list of conversations with `chat_messages`, or one of them. */
function scoreOf(text: string): number {
  if (!/^\ufeff?\s*(\[\s*)?\{/.test(text)) return 0;
  return /"uuid"\s*:/.test(text) && /"chat_messages"\s*:\s*\[/.test(text) ? 92 : 0;
}
