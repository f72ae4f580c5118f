/** Plans a session as one file of Pi's own. */
import {
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { below, sessionPath } from "../layout.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref, ledger } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd)
    throw new RefusedError("Pi needs a working directory and the source names none; give one with --cwd");
  const created = isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
  const seed = `pi ${ref.harness} ${ref.id} ${target.copy}`;
  const id = timedUuidFrom(Date.parse(created), seed);
  const scribe = new Scribe({ id, cwd, created, seed, ref, ledger });

  async function* content(): AsyncGenerator<string> {
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    // Pi knows no sessions below another: what a subagent did stays in the source.
    for (const child of input.children) {
      for await (const event of child.events()) {
        child.ledger.leave(event, { axis: "subagents", level: "evidence-only", reason: "no-counterpart" });
      }
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
        path: below(target.root, sessionPath(cwd, created, id), target.environment),
        content,
        mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? scribe.time),
      },
    ],
    children: [],
  };
}
