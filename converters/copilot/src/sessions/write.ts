/** Plans a session as a folder of Copilot CLI's own; its subagents' events stand in the same file as its own. */
import {
  below,
  type SessionInput,
  type SessionPlan,
  type SessionRef,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { EVENTS, sessionFolder, WORKSPACE } from "../layout.js";
import { Lines } from "./lines.js";
import { Scribe } from "./scribe.js";
import { workspaceText } from "./workspace.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  const seed = `copilot ${ref.harness} ${ref.id} ${target.copy}`;
  const id = uuidFrom(seed);
  const created = createdOf(ref);
  const place = (name: string) => below(target.root, `${sessionFolder(id)}/${name}`, target.environment);
  const lines = new Lines(seed, created);

  async function* content(): AsyncGenerator<string> {
    yield* told(input, lines, new Scribe({ id, cwd, created, ref, ledger: input.ledger, lines }));
    for (const child of input.children)
      yield* agentLines(child, lines, seed, { above: ref, parent: undefined });
    yield lines.drain();
  }

  return {
    id,
    ...(cwd !== undefined && { cwd }),
    actions: [
      {
        do: "create",
        path: place(EVENTS),
        content,
        mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? lines.time),
      },
      { do: "create", path: place(WORKSPACE), content: workspaceOf(id, ref, cwd) },
    ],
    children: [],
  };
}

/** A subagent's events, and those of its own subagents. */
export async function* agentLines(
  input: SessionInput,
  lines: Lines,
  seed: string,
  of: { above: SessionRef; parent: string | undefined },
): AsyncGenerator<string> {
  const { ref, ledger } = input;
  const id = uuidFrom(`${seed} agent ${ref.id}`);
  const created = createdOf(ref);
  lines.at(created);
  const agent = { id, ...of };
  yield* told(input, lines, new Scribe({ id, cwd: ref.cwd, created, ref, ledger, lines, agent }));
  for (const child of input.children) yield* agentLines(child, lines, seed, { ...of, parent: id });
}

export async function* told(input: SessionInput, lines: Lines, scribe: Scribe): AsyncGenerator<string> {
  for await (const event of input.events()) {
    scribe.take(event);
    if (lines.size >= PIECE) yield lines.drain();
  }
  scribe.end();
}

function createdOf(ref: SessionRef): string {
  return isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
}

function workspaceOf(id: string, ref: SessionRef, cwd: string | undefined): string {
  const created = createdOf(ref);
  return workspaceText({
    id,
    ...(cwd !== undefined && { cwd }),
    ...(ref.git?.branch !== undefined && { branch: ref.git.branch }),
    ...(ref.title !== undefined && { name: ref.title }),
    isNamed: ref.titleFrom === "user",
    created,
    updated: isoTime(ref.updatedAt) ?? created,
  });
}
