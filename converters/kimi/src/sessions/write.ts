/** Plans a session as a folder of Kimi Code's own: a journal for each agent, and what the session is called and has. */
import {
  below,
  pathOf,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { MAIN, STATE_FILE, sessionFolder, wirePath } from "../layout.js";
import { provenance } from "./own.js";
import { Scribe } from "./scribe.js";
import { oneLine } from "./state.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

interface Agent {
  name: string;
  input: SessionInput;
  parent: string | undefined;
  children: Agent[];
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
  let made = 0;
  const agents: Agent[] = [];
  const agentOf = (each: SessionInput, parent: string | undefined): Agent => {
    const agent: Agent = {
      name: parent === undefined ? MAIN : `agent-${made++}`,
      input: each,
      parent,
      children: [],
    };
    agents.push(agent);
    agent.children = each.children.map((child) => agentOf(child, agent.name));
    return agent;
  };
  const main = agentOf(input, undefined);
  const planOf = (agent: Agent): SessionPlan => ({
    id: agent.parent === undefined ? id : `${id}.${agent.name}`,
    cwd,
    actions: [
      journal(agent, folder, seed, target),
      ...(agent.parent === undefined
        ? [
            {
              do: "create" as const,
              path: pathOf(target.environment).join(folder, STATE_FILE),
              content: state(agents, { id, cwd, folder }, target),
            },
          ]
        : []),
    ],
    children: agent.children.map(planOf),
  });
  return planOf(main);
}

function journal(
  { name, input, children }: Agent,
  folder: string,
  seed: string,
  { environment }: Target,
): SessionPlan["actions"][number] {
  const { ref, ledger } = input;
  const spawns = new Map(
    children.flatMap(({ name: agent, input: { ref: child } }) => {
      const call = child.parent?.toolCallId;
      return call === undefined ? [] : [[call, { agent, title: child.title }] as const];
    }),
  );
  const scribe = new Scribe({
    agent: name,
    created: createdOf(input),
    seed: `${seed} ${name}`,
    ref,
    ledger,
    spawns,
  });

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
    mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? "") || scribe.time,
  };
}

function state(
  agents: readonly Agent[],
  { id, cwd, folder }: { id: string; cwd: string; folder: string },
  { environment }: Target,
): string {
  const [main] = agents;
  const ref = main?.input.ref;
  const title = ref?.title === undefined ? "" : oneLine(ref.title);
  const created = Date.parse(main ? createdOf(main.input) : EPOCH);
  return JSON.stringify({
    id,
    version: 2,
    cwd,
    createdAt: created,
    updatedAt: Math.max(created, Date.parse(isoTime(ref?.updatedAt) ?? "") || created),
    archived: false,
    ...(title !== "" && { title, titleKind: TITLE_KINDS[ref?.titleFrom ?? "user"] }),
    isCustomTitle: title !== "" && (ref?.titleFrom ?? "user") === "user",
    agents: Object.fromEntries(
      agents.map(({ name, parent }) => [
        name,
        {
          homedir: pathOf(environment).dirname(below(folder, wirePath(name), environment)),
          type: parent === undefined ? "main" : "sub",
          ...(parent !== undefined && { parentAgentId: parent, labels: { parentAgentId: parent } }),
        },
      ]),
    ),
    custom: ref ? { asp: provenance(ref) } : {},
  });
}

const TITLE_KINDS = { user: "custom", agent: "generated", prompt: "replaceable" } as const;

function createdOf({ ref }: SessionInput): string {
  return isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH;
}
