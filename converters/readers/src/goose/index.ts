/**
 * Goose: `sessions/sessions.db`, and the `.jsonl` files of versions before it. From Goose's public source (session schema
 * version 13); never run.
 */
import { type Candidate, type Converter, defineReader, lazyEach, pathOf, readHead } from "@asp-convert/core";
import { reads } from "../levels.js";
import { DATABASE, roots, SESSIONS } from "./layout.js";

const goose: Converter = defineReader({
  id: "goose",
  name: "Goose",
  verified: [],
  experimental: "read from its public source; not tried on a store that it wrote",
  readOnly: "nobody has seen yet what it takes",
  probe,
  locate: roots,
  async open(path, source, environment) {
    const { dirname, basename } = pathOf(environment);
    const isFile = (await source.stat(path))?.kind === "file";
    const folder = isFile ? dirname(path) : path;
    const root = basename(folder) === SESSIONS ? dirname(folder) : folder;
    return { harness: "goose", root, ...(isFile && { focus: path }) };
  },
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    view: async (store, source) => (await import("./list.js")).view(store, source),
    fidelity: reads({
      "injected-context": "preserved",
      "tool-calls": "preserved",
      "tool-results": "preserved",
      "tool-details": "evidence-only",
      thinking: "preserved",
      "opaque-reasoning": "preserved",
      images: "preserved",
      title: "preserved",
      times: "preserved",
      cwd: "preserved",
      models: "partial",
      usage: "evidence-only",
      settings: "evidence-only",
    }),
  },
});

export default goose;

async function probe(candidate: Candidate): Promise<number> {
  const { kind, head, entries, path, source } = candidate;
  if (kind === "file") return probeFile(head);
  if (entries.includes(DATABASE)) return 85;
  if (!entries.includes(SESSIONS)) return 0;
  const slash = path.includes("\\") && !path.includes("/") ? "\\" : "/";
  const folder = [path, SESSIONS].join(slash);
  if (await source.stat([folder, DATABASE].join(slash))) return 85;
  const first = (await source.readDir(folder)).find(
    ({ name, kind }) => kind === "file" && name.endsWith(".jsonl"),
  );
  if (!first) return /[/\\]goose$/.test(path) ? 70 : 0;
  return probeFile(await readHead(source, [folder, first.name].join(slash), HEAD));
}

const HEAD = 4096;

function probeFile(head: Uint8Array): number {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  if (text.startsWith("SQLite format 3\0"))
    return /CREATE TABLE (?:IF NOT EXISTS )?sessions/.test(text) && text.includes("user_set_name") ? 90 : 0;
  if (/^\{"table":"sessions","id":/.test(text) && text.includes('"working_dir"')) return 90;
  const first = text.split("\n", 1)[0] ?? "";
  return /"working_dir"\s*:/.test(first) && /"(?:message_count|description)"\s*:/.test(first) ? 80 : 0;
}
