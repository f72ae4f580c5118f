/**
 * A session's own bytes in another store of Pi. Under its own id every byte stays; as a copy, or for another
 * working directory, only the header changes.
 */
import {
  lineBatches,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { fields, isoTime, parsed } from "@asp-convert/core/values";
import { below, isProjectFolder, SESSIONS, sessionPath } from "../layout.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const [transcript] = ref.files;
  if (!transcript) throw new Error(`session ${ref.id} names no file`);
  const created = isoTime(ref.createdAt) ?? "1970-01-01T00:00:00.000Z";
  const cwd = target.cwd ?? ref.cwd;
  const moved = target.copy > 0 || cwd !== ref.cwd;
  const id = moved
    ? timedUuidFrom(Date.parse(created), `pi copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`)
    : ref.id;
  const placed = isProjectFolder(transcript.relative.split("/").at(-2) ?? "");
  const relative =
    !moved && placed && transcript.relative.startsWith(`${SESSIONS}/`)
      ? transcript.relative
      : sessionPath(cwd ?? "", created, id);
  const info = await files.stat(transcript.path);
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [
      {
        do: "create",
        path: below(target.root, relative, target.environment),
        content: () => bytes(transcript.path, files, moved ? { from: ref.id, id, cwd } : undefined),
        mtimeMs: () => info?.mtimeMs,
      },
    ],
    children: [],
  };
}

const BLOCK = 1024 * 1024;

async function* bytes(
  path: string,
  files: Source,
  header: { from: string; id: string; cwd: string | undefined } | undefined,
): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    let from = 0;
    if (header) {
      const first = lineBatches(file).next().value?.[0];
      const record = fields(parsed(first?.bytes?.toString("utf8") ?? ""));
      if (first && record?.type === "session") {
        const { id, cwd } = header;
        yield Buffer.from(`${JSON.stringify({ ...record, id, ...(cwd !== undefined && { cwd }) })}`);
        from = first.offset + first.length;
      }
    }
    for (let at = from; at < file.size; at += BLOCK) yield file.read(at, BLOCK);
  } finally {
    file.close();
  }
}
