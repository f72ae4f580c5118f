/** Plans a session as a folder of Kimi Code's own: a journal for each agent, and what the session is called and has. */
import {
  below,
  pathOf,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type SessionRef,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { isoTime, oneLine } from "@asp-convert/core/values";
import { MAIN, STATE_FILE, sessionFolder, wirePath } from "../layout.js";
import { provenance } from "./own.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

export interface Agent {
  name: string;
  input: SessionInput;
  parent: string | undefined;
  children: Agent[];
  /** The session that it is of, for a subagent. */
  above: SessionRef | undefined;
}

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (!cwd)
    throw new RefusedError(
      "Kimi Code keeps sessions by project and the source names no folder; give one with --cwd",
    );
  const seed = `kimi ${ref.harness} ${ref.id} ${target.copy}`;
  const id = `session_${uuidFrom(seed)}`;
  const folder = below(target.root, sessionFolder(cwd, id), target.environment);
  const { main, agents } = agentsOf(input);
  const planOf = (agent: Agent): SessionPlan => {
    const scribe = scribeOf(agent, seed);
    const isMain = agent.parent === undefined;
    return {
      id: isMain ? id : `${id}.${agent.name}`,
      cwd,
      actions: [
        journal(agent, scribe, folder, target),
        ...(isMain ? [stateFile(agents, scribe, { id, cwd, folder }, target)] : []),
      ],
      children: agent.children.map(planOf),
    };
  };
  return planOf(main);
}

/** All that a session has, the main one first. @param first number of a name that nobody has yet */
export function agentsOf(input: SessionInput, first = 0): { main: Agent; agents: readonly Agent[] } {
  let made = first;
  const agents: Agent[] = [];
  const agentOf = (each: SessionInput, parent: string | undefined): Agent => {
    const name = parent === undefined ? MAIN : `agent-${made++}`;
    const above = parent === undefined ? undefined : input.ref;
    const agent: Agent = { name, input: each, parent, children: [], above };
    agents.push(agent);
    agent.children = each.children.map((child) => agentOf(child, name));
    return agent;
  };
  return { main: agentOf(input, undefined), agents };
}

/** @param after the lines of a journal that it goes on with */
export function scribeOf({ name, input, children, above }: Agent, seed: string, after?: number): Scribe {
  const { ref, ledger } = input;
  const spawns = new Map(
    children.flatMap(({ name: agent, input: { ref: child } }) => {
      const call = child.parent?.toolCallId;
      return call === undefined ? [] : [[call, { agent, title: child.title }] as const];
    }),
  );
  return new Scribe({
    agent: name,
    created: createdOf(input),
    seed: `${seed} ${name}`,
    ref,
    ledger,
    spawns,
    above,
    ...(after !== undefined && { after }),
  });
}

type Action = SessionPlan["actions"][number];

export function journal(
  { name, input }: Agent,
  scribe: Scribe,
  folder: string,
  { environment }: Target,
): Action {
  async function* content(): AsyncGenerator<string> {
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    scribe.end();
    yield scribe.drain();
  }

  return {
    do: "create",
    path: below(folder, wirePath(name), environment),
    content,
    mtimeMs: () => Date.parse(isoTime(input.ref.updatedAt) ?? "") || scribe.time,
  };
}

/** Written after the journal: a title may be given on the way. */
function stateFile(
  agents: readonly Agent[],
  scribe: Scribe,
  { id, cwd, folder }: { id: string; cwd: string; folder: string },
  { environment }: Target,
): Action {
  const paths = pathOf(environment);
  async function* content(): AsyncGenerator<string> {
    const ref = agents[0]?.input.ref;
    const title = oneLine(ref?.title ?? scribe.title);
    const by = ref?.titleFrom ?? "user";
    const created = Date.parse(agents[0] ? createdOf(agents[0].input) : EPOCH);
    yield JSON.stringify({
      id,
      version: 2,
      cwd,
      createdAt: created,
      updatedAt: Math.max(created, Date.parse(isoTime(ref?.updatedAt) ?? "") || created),
      archived: false,
      ...(title !== "" && { title, titleKind: TITLE_KINDS[by] }),
      isCustomTitle: title !== "" && by === "user",
      agents: Object.fromEntries(agents.map((agent) => [agent.name, stateOf(agent, folder, environment)])),
      custom: ref ? { asp: provenance(ref) } : {},
    });
  }
  return { do: "create", path: paths.join(folder, STATE_FILE), content };
}

/** What `state.json` says of an agent. */
export function stateOf({ name, parent }: Agent, folder: string, environment: Target["environment"]): object {
  return {
    homedir: pathOf(environment).dirname(below(folder, wirePath(name), environment)),
    type: parent === undefined ? "main" : "sub",
    ...(parent !== undefined && { parentAgentId: parent, labels: { parentAgentId: parent } }),
  };
}

const TITLE_KINDS = { user: "custom", agent: "generated", prompt: "replaceable" } as const;

function createdOf({ ref }: SessionInput): string {
  return isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
}
