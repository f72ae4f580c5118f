/** The same talk in another den: its own bytes; as a copy, with another id and folder in its first line. */
import {
  blocksOf,
  bytesOf,
  type SessionPlan,
  type SessionRef,
  type Source,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { transcript } from "../layout.js";
import { asRecord } from "../records.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const isCopy = target.copy > 0 || target.cwd !== undefined;
  const id = isCopy ? uuidFrom(`marmot copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`) : ref.id;
  const cwd = target.cwd ?? ref.cwd;
  const change = { talk: id, ...(cwd !== undefined && { dir: cwd }) };
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [
      {
        do: "create",
        path: transcript(target.root, id),
        content: () => (isCopy ? changed(ref, files, change) : bytesOf(ref.path, files)),
      },
    ],
    children: [],
  };
}

const HEAD = 64 * 1024;

async function* changed(
  { path }: SessionRef,
  files: Source,
  change: { talk: string; dir?: string },
): AsyncGenerator<string | Uint8Array> {
  const file = await files.open(path);
  try {
    const head = Buffer.from(file.read(0, HEAD));
    const end = head.indexOf("\n");
    const line = parsed(head.subarray(0, Math.max(0, end)).toString("utf8"));
    const isHead = asRecord(line)?.kind === "talk";
    if (isHead) yield JSON.stringify({ ...(line as object), ...change });
    yield* blocksOf(file, isHead ? end : 0);
  } finally {
    file.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
