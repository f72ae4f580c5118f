/** Plans a session as one file of Gemini CLI's own, with those of its subagents in a folder called like it. */
import {
  pathOf,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { CHATS, sessionFile } from "../layout.js";
import { placeFor } from "./place.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

/** The session that a subagent's belongs to. */
interface Above {
  id: string;
}

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const cwd = target.cwd ?? input.ref.cwd;
  if (!cwd)
    throw new RefusedError(
      "Gemini CLI keeps sessions by project and the source names no folder; give one with --cwd",
    );
  const { folder, actions } = await placeFor(cwd, target);
  const made = plan(input, target, cwd, folder, undefined);
  return { ...made, actions: [...made.actions, ...actions] };
}

function plan(
  input: SessionInput,
  target: Target,
  cwd: string,
  folder: string,
  above: Above | undefined,
): SessionPlan {
  const { ref, ledger } = input;
  const path = pathOf(target.environment);
  const created = isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
  const seed = `gemini ${above?.id ?? ""} ${ref.harness} ${ref.id} ${target.copy}`;
  const id = uuidFrom(seed);
  const children = input.children.map((child) => plan(child, target, cwd, folder, { id }));
  const agents = new Map(
    input.children.flatMap((child, i) => {
      const call = child.ref.parent?.toolCallId;
      const own = children[i]?.id;
      return call === undefined || own === undefined ? [] : [[call, own] as const];
    }),
  );
  const scribe = new Scribe({
    id,
    // A subagent may work in a folder of its own, and lies with the session that it belongs to.
    cwd: above ? (target.cwd ?? ref.cwd ?? cwd) : cwd,
    created,
    seed,
    ref,
    ledger,
    agents,
    isSubagent: above !== undefined,
  });

  async function* content(): AsyncGenerator<string> {
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    scribe.end();
    if (!above && !scribe.isSaid)
      throw new RefusedError("nothing was said in this session, and Gemini CLI resumes no such session");
    yield scribe.drain();
  }

  return {
    id,
    cwd,
    actions: [
      {
        do: "create",
        path: above
          ? path.join(folder, CHATS, above.id, `${id}.jsonl`)
          : path.join(folder, CHATS, sessionFile(new Date(created).toISOString(), id)),
        content,
        mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? scribe.time),
      },
    ],
    children,
  };
}
