/**
 * ChatGPT's account export: `conversations.json` (or `conversations-000.json` …), a list of conversations, each a tree of
 * messages. Written from what OpenAI's export is publicly known to hold; see the README.
 */
import { type Candidate, type Converter, defineReader, lazyEach } from "@asp-convert/core";
import { beginning, openExport } from "../exports.js";
import { reads } from "../levels.js";
import { isExport } from "./layout.js";

const chatgpt: Converter = defineReader({
  id: "chatgpt",
  name: "ChatGPT export",
  verified: [],
  experimental: "read from what is publicly known of the export; not tried on a real one",
  readOnly: "an account takes no conversations in",
  probe,
  locate: () => [],
  open: openExport("chatgpt"),
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    view: async (store, source) => (await import("./list.js")).view(store, source),
    fidelity: reads({
      "injected-context": "partial",
      "tool-calls": "partial",
      "tool-results": "preserved",
      "tool-details": "evidence-only",
      thinking: "preserved",
      images: "partial",
      documents: "partial",
      title: "preserved",
      times: "preserved",
      models: "preserved",
      branches: "preserved",
    }),
  },
});

export default chatgpt;

async function probe(candidate: Candidate): Promise<number> {
  const { kind, head, entries } = candidate;
  if (kind === "file")
    return scoreOf(Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8"));
  const name = entries.find(isExport);
  return name === undefined ? 0 : scoreOf(await beginning(candidate, name));
}

/** A list of conversations that are trees, or one of them. */
function scoreOf(text: string): number {
  if (!/^\ufeff?\s*(\[\s*)?\{/.test(text)) return 0;
  return /"mapping"\s*:\s*\{/.test(text) && /"(author|children|client-created-root)"/.test(text) ? 92 : 0;
}
