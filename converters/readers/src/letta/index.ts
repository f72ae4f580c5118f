/**
 * Letta's agent files (`.af`): one JSON document with an agent, its memory and the messages of its one talk. Both forms that
 * are publicly described are read: an agent alone (`messages` at the top), and a file of several (`agents`).
 */
import { type Candidate, type Converter, defineReader, lazyEach } from "@asp-convert/core";
import { openExport } from "../exports.js";
import { reads } from "../levels.js";

const letta: Converter = defineReader({
  id: "letta",
  name: "Letta agent file",
  verified: [],
  experimental: "read from what is publicly described of the format; not tried on a file that Letta wrote",
  readOnly: "an agent is more than its talk: its memory, tools and rules have no counterpart",
  probe,
  locate: () => [],
  open: openExport("letta"),
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    fidelity: reads({
      "injected-context": "partial",
      "tool-calls": "preserved",
      "tool-results": "preserved",
      thinking: "preserved",
      title: "preserved",
      times: "preserved",
      models: "partial",
    }),
  },
});

export default letta;

function probe({ kind, head, entries, path }: Candidate): number {
  if (kind === "directory") return entries.some((name) => name.endsWith(".af")) ? 55 : 0;
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8");
  if (!/^\ufeff?\s*\{/.test(text)) return 0;
  const marks = [
    "agent_type",
    "core_memory",
    "in_context_message_indices",
    "message_buffer_autoclear",
    "llm_config",
  ];
  const found = marks.filter((mark) => text.includes(`"${mark}"`)).length;
  return found >= 2 ? 91 : path.endsWith(".af") && /"(agents|messages)"\s*:/.test(text) ? 60 : 0;
}
