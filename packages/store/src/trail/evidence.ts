/** Native bytes that were kept, shown as the files they were: a converter reads a session out of them as out of a store. */
import { openMade, type Source } from "@asp-convert/core";
import { filesSource, type MadeFile } from "./files.js";
import type { FileRecord, SessionRecord } from "./records.js";

/** No folder of any disk: the files are shown below it. */
export const EVIDENCE = "/asp-evidence";

/** @param read the bytes of one of its files. */
export function evidenceSource(
  session: SessionRecord,
  read: (file: FileRecord) => AsyncIterable<Uint8Array>,
): Source {
  const files = new Map<string, MadeFile>();
  const add = ({ files: own, children }: SessionRecord): void => {
    for (const file of own) {
      const path = `${EVIDENCE}/${file.relative}`;
      const life = { path, mtimeMs: file.mtimeMs ?? 0, check: () => "same" as const, close() {} };
      files.set(path, { ...file, open: () => openMade(life, read(file)) });
    }
    children.forEach(add);
  };
  add(session);
  return filesSource(files);
}
