/** What of a session, as it stands now, is as a conversion once wrote it. */
import { createHash } from "node:crypto";
import { blocksOf, type Environment, type SessionEvent, type Source } from "@asp-convert/core";
import { clipped } from "./clip.js";
import { commonLength, keyOf, type Told, told } from "./keys.js";
import type { Conversion } from "./records.js";
import { eventsOf, type Readable } from "./sessions.js";

export interface Match {
  /** Events of the main line that are as they were written, of how many. */
  same: number;
  of: number;
  /** Says of each event, in order, whether it is one that was written. */
  sharing: () => (event: SessionEvent) => boolean;
}

/** @param written the session as it was written, where its file does not tell any more. */
export async function match(
  now: Readable,
  conversion: Conversion,
  environment: Environment,
  written: () => Promise<Readable | undefined>,
): Promise<Match | undefined> {
  const limit = (await beginsAsWritten(now, conversion)) ? conversion.to.written?.bytes : undefined;
  const [transcript] = now.ref.files;
  const then =
    limit !== undefined && transcript
      ? { ...now, source: clipped(now.source, transcript.path, limit) }
      : await written();
  if (!then) return undefined;
  const before = await told(eventsOf(then, environment));
  const after = await told(eventsOf(now, environment));
  return {
    same: commonLength(before.main, after.main),
    of: before.main.length,
    sharing: () => sharing(before, limit),
  };
}

/** Whether the session's file begins with the very bytes that were written. */
async function beginsAsWritten({ ref, source }: Readable, { to }: Conversion): Promise<boolean> {
  const [transcript] = ref.files;
  if (!to.written || !transcript || transcript.encoding) return false;
  return beginsWith(source, transcript.path, to.written);
}

export async function beginsWith(
  source: Source,
  path: string,
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<boolean> {
  const file = await source.open(path);
  try {
    if (file.size < bytes) return false;
    const sum = createHash("sha256");
    for (const block of blocksOf(file, 0, bytes)) sum.update(block);
    return sum.digest("hex") === sha256;
  } finally {
    file.close();
  }
}

/** @param limit where it is known by its bytes: how many of them were written. */
function sharing(before: Told, limit: number | undefined): (event: SessionEvent) => boolean {
  let seen = 0;
  const branches = new Map(before.branches);
  return (each) => {
    const key = keyOf(each);
    if (key === undefined) {
      if (each.type === "session.started") return true;
      if (limit !== undefined && each.origin.length > 0)
        return each.origin.every(({ file, offset }) => file > 0 || offset < limit);
      return each.type === "session.bound" ? each.payload.title === before.title : seen < before.main.length;
    }
    if (each.branch === undefined) return seen++ < before.main.length;
    const left = branches.get(key) ?? 0;
    if (left > 0) branches.set(key, left - 1);
    return left > 0;
  };
}
