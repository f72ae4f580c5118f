/** Plans a session as one file of Pi's own, and those of its subagents as files beside it. */
import {
  below,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { sessionPath } from "../layout.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

/** The session that a subagent's belongs to. */
interface Above {
  id: string;
  cwd: string;
  path: string;
}

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  return plan(input, target, undefined);
}

function plan(input: SessionInput, target: Target, above: Above | undefined): SessionPlan {
  const { ref, ledger } = input;
  const cwd = target.cwd ?? ref.cwd ?? above?.cwd;
  if (!cwd)
    throw new RefusedError("Pi needs a working directory and the source names none; give one with --cwd");
  const created = isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
  const seed = `pi ${above?.id ?? ""} ${ref.harness} ${ref.id} ${target.copy}`;
  const id = timedUuidFrom(Date.parse(created), seed);
  const path = below(target.root, sessionPath(cwd, created, id), target.environment);
  const scribe = new Scribe({ id, cwd, created, seed, ref, ledger, above });

  async function* content(): AsyncGenerator<string> {
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    scribe.end();
    yield scribe.drain();
  }

  return {
    id,
    cwd,
    actions: [
      {
        do: "create",
        path,
        content,
        mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? scribe.time),
      },
    ],
    children: input.children.map((child) => plan(child, target, { id, cwd, path })),
  };
}
