/**
 * A session of Kimi Code's own that comes back: its journal as it was, and after it records of what was said elsewhere.
 * Nothing in a journal says which session it is of, so that under a new id it is the same.
 */
import {
  below,
  pathOf,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type SessionRef,
  type Target,
} from "@asp-convert/core";
import { fields, isoTime, parsed } from "@asp-convert/core/values";
import { STATE_FILE, sessionFolder } from "../layout.js";
import { replaySession } from "./replay.js";
import type { Scribe } from "./scribe.js";
import { type Agent, agentsOf, journal, scribeOf, stateOf } from "./write.js";

type Action = SessionPlan["actions"][number];
type Bytes = AsyncIterable<string | Uint8Array>;

/** @throws RefusedError without a working directory, or where the program would not read on to what is new. */
export async function extendSession(
  base: SessionInput,
  input: SessionInput,
  target: Target,
): Promise<SessionPlan> {
  const { ref } = base;
  const { environment } = target;
  const files = base.source ?? target.source;
  const cwd = target.cwd ?? ref.cwd;
  if (cwd === undefined)
    throw new RefusedError(
      "Kimi Code keeps sessions by project and the source names no folder; give one with --cwd",
    );
  const own = await replaySession(ref, files, target);
  const [transcript, ...beside] = own.actions;
  if (transcript?.do !== "create") throw new Error(`session ${ref.id} names no file`);
  const { main, agents } = agentsOf(input, nextAgent(ref));
  const seed = `kimi home ${ref.id} ${input.ref.harness} ${input.ref.id} ${target.copy}`;
  const folder = below(target.root, sessionFolder(cwd, own.id), environment);
  const paths = pathOf(environment);
  const stateAt = paths.join(paths.dirname(transcript.path), "..", "..", STATE_FILE);
  let scribe: Scribe | undefined;

  async function* content(): AsyncGenerator<string | Uint8Array> {
    let lines = 0;
    let last: number | undefined;
    for await (const piece of piecesOf(transcript)) {
      const bytes = Buffer.from(piece);
      for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines++;
      last = bytes.at(-1) ?? last;
      yield piece;
    }
    // The program reads a journal up to the first line that is none.
    if (last !== undefined && last !== 0x0a)
      throw new RefusedError(
        `the last line of the session ${ref.id} is cut off: the program would read nothing after it`,
      );
    scribe = scribeOf(main, seed, lines);
    for await (const event of input.events()) {
      scribe.take(event);
      yield scribe.drain();
    }
    scribe.end();
    input.ledger.keep("cwd");
    yield scribe.drain();
  }

  const added = agents.slice(1);
  const planOf = (agent: Agent): SessionPlan => ({
    id: `${own.id}.${agent.name}`,
    cwd,
    actions: [journal(agent, scribeOf(agent, seed), folder, target)],
    children: agent.children.map(planOf),
  });
  return {
    ...own,
    cwd,
    actions: [
      {
        ...transcript,
        content,
        mtimeMs: () => Date.parse(isoTime(input.ref.updatedAt) ?? "") || scribe?.time,
      },
      ...beside.map((action) =>
        action.do === "create" && action.path === stateAt
          ? { ...action, content: () => grown(action) }
          : action,
      ),
    ],
    children: [...own.children, ...main.children.map(planOf)],
  };

  /** `state.json` with the agents that are new, and the title that it got. */
  async function* grown(action: Action): AsyncGenerator<string> {
    let text = "";
    for await (const piece of piecesOf(action)) text += Buffer.from(piece).toString("utf8");
    const state = fields(parsed(text));
    if (!state) {
      yield text;
      return;
    }
    const title = scribe?.title;
    const updated = Date.parse(isoTime(input.ref.updatedAt) ?? "") || scribe?.time;
    yield JSON.stringify({
      ...state,
      ...(updated !== undefined && { updatedAt: updated }),
      ...(title !== undefined &&
        title !== state.title && { title, titleKind: "custom", isCustomTitle: true }),
      agents: {
        ...fields(state.agents),
        ...Object.fromEntries(added.map((agent) => [agent.name, stateOf(agent, folder, environment)])),
      },
    });
  }
}

async function* piecesOf(action: Action | undefined): Bytes {
  if (action?.do !== "create") return;
  const { content } = action;
  if (typeof content === "function") yield* content();
  else yield content;
}

/** The number of a name that none of its agents has. */
function nextAgent({ children }: SessionRef): number {
  const numbers = children.flatMap((child): number[] => [
    Number(/\.agent-(\d+)$/.exec(child.id)?.[1] ?? -1) + 1,
    nextAgent(child),
  ]);
  return Math.max(0, ...numbers);
}
