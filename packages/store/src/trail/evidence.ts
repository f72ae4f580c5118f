/** Native bytes that were kept, shown as the files they were: a converter reads a session out of them as out of a store. */
import { openMade, type Source } from "@asp-convert/core";
import type { SessionLog } from "../session-log.js";
import { filesSource, type MadeFile } from "./files.js";
import type { SessionRecord } from "./records.js";

/** No folder of any disk: the files are shown below it. */
export const EVIDENCE = "/asp-evidence";

export function evidenceSource(log: SessionLog, session: SessionRecord): Source {
  const files = new Map<string, MadeFile>();
  const add = ({ files: own, children }: SessionRecord): void => {
    for (const file of own) {
      const path = `${EVIDENCE}/${file.relative}`;
      const life = { path, mtimeMs: file.mtimeMs ?? 0, check: () => "same" as const, close() {} };
      files.set(path, { ...file, open: () => openMade(life, log.blobs.read(file)) });
    }
    children.forEach(add);
  };
  add(session);
  return filesSource(files);
}
