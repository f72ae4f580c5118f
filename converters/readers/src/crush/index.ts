/**
 * Crush: `.crush/crush.db` in a project's folder. From Crush's public source (August 2026); never run.
 */
import { type Candidate, type Converter, defineReader, lazyEach, pathOf } from "@asp-convert/core";
import { reads } from "../levels.js";
import { DATABASE, FOLDER } from "./layout.js";

const crush: Converter = defineReader({
  id: "crush",
  name: "Crush",
  verified: [],
  experimental: "read from its public source; not tried on a store that it wrote",
  readOnly: "nobody has seen yet what it takes",
  probe,
  // A database lies in each project: name it, or its folder.
  locate: () => [],
  async open(path, source, environment) {
    const { dirname, basename } = pathOf(environment);
    const isFile = (await source.stat(path))?.kind === "file";
    const folder = isFile ? dirname(path) : path;
    const root = basename(folder) === FOLDER ? dirname(folder) : folder;
    return { harness: "crush", root, ...(isFile && { focus: path }) };
  },
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    view: async (store, source) => (await import("./list.js")).view(store, source),
    fidelity: reads({
      "tool-calls": "preserved",
      "tool-results": "preserved",
      "tool-details": "evidence-only",
      thinking: "preserved",
      "opaque-reasoning": "preserved",
      images: "preserved",
      documents: "preserved",
      title: "preserved",
      times: "preserved",
      cwd: "preserved",
      models: "preserved",
      usage: "evidence-only",
      turns: "partial",
      compaction: "partial",
      lineage: "evidence-only",
      plans: "evidence-only",
    }),
  },
});

export default crush;

async function probe({ kind, head, entries, path, source }: Candidate): Promise<number> {
  if (kind === "directory") {
    if (entries.includes(DATABASE)) return 85;
    const slash = path.includes("\\") && !path.includes("/") ? "\\" : "/";
    return entries.includes(FOLDER) && (await source.stat([path, FOLDER, DATABASE].join(slash))) ? 60 : 0;
  }
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  if (text.startsWith("SQLite format 3\0"))
    return text.includes("parent_session_id") && text.includes("summary_message_id") ? 90 : 0;
  return /^\{"table":"sessions","id":/.test(text) && text.includes('"prompt_tokens"') ? 90 : 0;
}
