/** Plans a session as one file of Factory Droid's own. It knows no subagents: theirs become sessions of their own. */
import {
  below,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { SESSIONS, slugFor, stateFolder } from "../layout.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const cwd = target.cwd ?? input.ref.cwd;
  if (!cwd)
    throw new RefusedError(
      "Factory Droid keeps sessions by folder and the source names none; give one with --cwd",
    );
  return planned(input, cwd, "droid", target);
}

async function planned(
  input: SessionInput,
  cwd: string,
  above: string,
  target: Target,
): Promise<SessionPlan> {
  const { ref, ledger } = input;
  const seed = `${above} ${ref.harness} ${ref.id} ${target.copy}`;
  const id = uuidFrom(seed);
  const created = isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
  const scribe = new Scribe({ id, cwd, seed, created, ref, ledger });
  const state = await stateFolder(target.root, target.source, target.environment);
  const path = below(state, `${SESSIONS}/${slugFor(cwd)}/${id}.jsonl`, target.environment);

  async function* content(): AsyncGenerator<string> {
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    scribe.end();
    yield scribe.drain();
  }

  const children: SessionPlan[] = [];
  for (const child of input.children)
    children.push(await planned(child, target.cwd ?? child.ref.cwd ?? cwd, seed, target));
  if (children.length > 0)
    ledger.note({ axis: "subagents", level: "partial", reason: "re-encoded", count: children.length });
  const mtimeMs = () => Date.parse(isoTime(ref.updatedAt) ?? scribe.time);
  return { id, cwd, actions: [{ do: "create", path, content, mtimeMs }], children };
}
