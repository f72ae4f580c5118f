/**
 * SpecStory: `.specstory/history/*.md` in a project's folder, a Markdown file for each session of another program. Written
 * from what SpecStory publicly shows of its files; tools stand in them as text.
 */
import { type Candidate, type Converter, defineReader, lazyEach, pathOf } from "@asp-convert/core";
import { reads } from "../levels.js";
import { GENERATED } from "./layout.js";

const specstory: Converter = defineReader({
  id: "specstory",
  name: "SpecStory",
  verified: [],
  experimental: "read from what is publicly known of its Markdown; not tried on files of every version",
  readOnly: "it writes them itself, from the sessions of other programs",
  probe,
  // A history lies in each project: name it, or its folder.
  locate: () => [],
  async open(path, source, environment) {
    const { dirname, basename } = pathOf(environment);
    const isFile = (await source.stat(path))?.kind === "file";
    let root = isFile ? dirname(path) : path;
    if (basename(root) === "history" && basename(dirname(root)) === ".specstory") root = dirname(root);
    if (basename(root) === ".specstory") root = dirname(root);
    return { harness: "specstory", root, ...(isFile && { focus: path }) };
  },
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    fidelity: reads({
      messages: "partial",
      "tool-calls": "partial",
      "tool-results": "partial",
      thinking: "preserved",
      title: "preserved",
      times: "partial",
      cwd: "preserved",
      models: "preserved",
    }),
  },
});

export default specstory;

function probe({ kind, head, entries }: Candidate): number {
  if (kind === "directory") return entries.includes(".specstory") ? 60 : 0;
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8");
  return GENERATED.test(text) ? 92 : 0;
}
