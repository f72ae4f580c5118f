/**
 * Amp: threads that old versions kept on disk (`threads/T-<uuid>.json`), and what `amp threads export` gives. Threads of
 * today are on Amp's server: where a store has none, a list says so.
 */
import { type Candidate, type Converter, defineReader, lazyEach, pathOf } from "@asp-convert/core";
import { reads } from "../levels.js";
import { DEVICE, isThread, roots, THREADS } from "./layout.js";

const amp: Converter = defineReader({
  id: "amp",
  name: "Amp",
  verified: [],
  experimental: "read from what is publicly known of its threads; it needs an account, and none was tried",
  readOnly: "its threads are on its server",
  probe,
  locate: roots,
  async open(path, source, environment) {
    const { dirname, basename } = pathOf(environment);
    const isFile = (await source.stat(path))?.kind === "file";
    const folder = isFile ? dirname(path) : path;
    const root = basename(folder) === THREADS ? dirname(folder) : folder;
    return { harness: "amp", root, ...(isFile && { focus: path }) };
  },
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    fidelity: reads({
      "tool-calls": "preserved",
      "tool-results": "partial",
      thinking: "preserved",
      "opaque-reasoning": "preserved",
      images: "preserved",
      title: "preserved",
      times: "preserved",
      cwd: "preserved",
      models: "preserved",
      usage: "partial",
      turns: "partial",
    }),
  },
});

export default amp;

function probe({ kind, head, entries, path }: Candidate): number {
  if (kind === "directory") {
    if (entries.includes(DEVICE) && entries.length <= 12) return 70;
    return entries.some(isThread) || (entries.includes(THREADS) && /[/\\]amp$/.test(path)) ? 70 : 0;
  }
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8");
  if (!/^\ufeff?\s*\{/.test(text) || !/"messages"\s*:\s*\[/.test(text)) return 0;
  return /"id"\s*:\s*"T-[0-9a-f]{8}-/.test(text) && /"created"\s*:\s*\d/.test(text) ? 92 : 0;
}
