/** Plans a session as one file of Qwen Code's own, with those of its subagents in a folder called like it. */
import {
  below,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { metaOf, sessionPath, subagentPath } from "../layout.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const cwd = target.cwd ?? input.ref.cwd;
  if (!cwd)
    throw new RefusedError(
      "Qwen Code keeps sessions by project and the source names no folder; give one with --cwd",
    );
  const { ref } = input;
  const seed = `qwen ${ref.harness} ${ref.id} ${target.copy}`;
  // Of version 4: an id of version 7 is no id to the program, and it looks for a title instead.
  const id = uuidFrom(seed);
  const { environment } = target;
  const path = below(target.root, sessionPath(cwd, id, environment), environment);
  return {
    id,
    cwd,
    actions: [creation(input, { path, id, cwd, seed, agent: undefined })],
    children: input.children.map((child, place) => subagent(child, place, { id, cwd, seed }, target)),
  };
}

interface Above {
  id: string;
  cwd: string;
  seed: string;
}

function subagent(input: SessionInput, place: number, above: Above, target: Target): SessionPlan {
  const { root, environment } = target;
  const { ref } = input;
  const call = ref.parent?.toolCallId;
  const named = call === undefined ? String(place) : call.replace(/[^\w-]/g, "_");
  const agent = `agent-${named}`;
  const path = below(root, subagentPath(above.cwd, above.id, agent, environment), environment);
  const id = `${above.id}.${agent}`;
  const meta = {
    agentId: agent,
    agentType: "agent",
    parentSessionId: above.id,
    ...(call !== undefined && { toolUseId: call }),
    parentAgentId: null,
    createdAt: createdOf(input),
    status: "completed",
  };
  return {
    id,
    cwd: above.cwd,
    actions: [
      creation(input, {
        path,
        id: above.id,
        cwd: target.cwd ?? ref.cwd ?? above.cwd,
        seed: `${above.seed} ${agent}`,
        agent,
      }),
      { do: "create", path: metaOf(path), content: `${JSON.stringify(meta, undefined, 2)}\n` },
    ],
    // The program knows one storey of them.
    children: input.children.map((child, at) => subagent(child, at + 1000 * (place + 1), above, target)),
  };
}

interface File {
  path: string;
  /** Of the session in whose records it stands: for a subagent's, of the one above it. */
  id: string;
  cwd: string;
  seed: string;
  agent: string | undefined;
}

function creation(input: SessionInput, { path, ...file }: File): SessionPlan["actions"][number] {
  const { ref, ledger } = input;
  const scribe = new Scribe({ ...file, created: createdOf(input), ref, ledger });

  async function* content(): AsyncGenerator<string> {
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    scribe.end();
    if (file.agent === undefined && !scribe.isSaid)
      throw new RefusedError("nothing was said in this session, and Qwen Code resumes no such session");
    yield scribe.drain();
  }

  return {
    do: "create",
    path,
    content,
    mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? scribe.time),
  };
}

function createdOf({ ref }: SessionInput): string {
  return isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
}
