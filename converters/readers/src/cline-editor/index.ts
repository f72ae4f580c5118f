/**
 * Cline in an editor (and what grew from it with the same store): `globalStorage/<extension>/tasks/<id>/`, where
 * `api_conversation_history.json` is what the model was sent. Cline's own terminal program is another converter.
 */
import { type Candidate, type Converter, defineReader, lazyEach, pathOf } from "@asp-convert/core";
import { reads } from "../levels.js";
import { HISTORY, roots, TASKS } from "./layout.js";

const clineEditor: Converter = defineReader({
  id: "cline-editor",
  name: "Cline (editor)",
  verified: [],
  experimental: "read from what is publicly known of the extension's store; not tried on one that it wrote",
  readOnly: "the editor keeps a list of its tasks that nothing else may write to while it runs",
  probe,
  locate: roots,
  async open(path, source, environment) {
    const { dirname, basename, join } = pathOf(environment);
    const isFile = (await source.stat(path))?.kind === "file";
    const at = isFile ? dirname(path) : path;
    const inTask = basename(dirname(at)) === TASKS && (await source.stat(join(at, HISTORY))) !== undefined;
    const root = inTask ? dirname(dirname(at)) : basename(at) === TASKS ? dirname(at) : at;
    return { harness: "cline-editor", root, ...(at !== root && { focus: isFile ? path : at }) };
  },
  sessions: {
    list: lazyEach(async () => (await import("./list.js")).listSessions),
    read: lazyEach(async () => (await import("./read.js")).readSession),
    fidelity: reads({
      "injected-context": "preserved",
      // Where the extension asks its model for XML, they are text.
      "tool-calls": "partial",
      "tool-results": "preserved",
      thinking: "preserved",
      "opaque-reasoning": "preserved",
      images: "preserved",
      title: "preserved",
      times: "partial",
      cwd: "preserved",
      models: "partial",
    }),
  },
});

export default clineEditor;

async function probe({ kind, head, entries, path, source }: Candidate): Promise<number> {
  if (kind === "directory") {
    if (entries.includes(HISTORY)) return 70;
    if (!entries.includes(TASKS)) return 0;
    const slash = path.includes("\\") && !path.includes("/") ? "\\" : "/";
    const folder = [path, TASKS].join(slash);
    for (const { name } of (await source.readDir(folder)).slice(0, LOOKED_AT))
      if (await source.stat([folder, name, HISTORY].join(slash))) return 85;
    return /[/\\]globalStorage[/\\]/.test(path) ? 60 : 0;
  }
  if (!path.endsWith(HISTORY)) return 0;
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8");
  return /^\ufeff?\s*\[\s*\{\s*"role"\s*:/.test(text) ? 70 : 0;
}

/** Of a store's tasks: one of them tells. */
const LOOKED_AT = 8;
