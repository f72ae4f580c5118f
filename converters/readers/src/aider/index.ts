/**
 * Aider: `.aider.chat.history.md` in a project's folder, all its chats one after the other. Read as Aider reads it itself
 * when it is told to restore a chat: by how a line begins.
 */
import { type Candidate, type Converter, defineReader, lazyEach } from "@asp-convert/core";
import { openExport } from "../exports.js";
import { reads } from "../levels.js";
import { BEGIN, isHistory } from "./layout.js";

const aider: Converter = defineReader({
  id: "aider",
  name: "Aider",
  verified: [],
  experimental: "read from what is publicly known of its chat history; not tried on one that Aider wrote",
  readOnly: "of a history that it restores Aider keeps no ids, calls or results",
  probe,
  // A history lies in each project: name it, or its folder.
  locate: () => [],
  open: openExport("aider"),
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    view: async (store, source) => (await import("./list.js")).view(store, source),
    fidelity: reads({
      messages: "partial",
      cwd: "preserved",
      times: "partial",
      models: "partial",
      title: "not-in-source",
    }),
  },
});

export default aider;

function probe({ kind, head, entries, path }: Candidate): number {
  if (kind === "directory") return entries.some(isHistory) ? 60 : 0;
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8");
  if (BEGIN.test(text)) return 92;
  return isHistory(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)) ? 60 : 0;
}
