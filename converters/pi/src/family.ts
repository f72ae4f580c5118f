/**
 * Pi and its kin: programs that grew from it and keep sessions in its form, each in a place of its own. What is known
 * of the kin is from what they publish, not from running them: their sessions are read and none is written.
 */
import { type Environment, pathOf, type Source, type Store } from "@asp-convert/core";
import { isProjectFolder, SESSIONS, storeRoots } from "./layout.js";

export type MemberId = "pi" | "oh-my-pi" | "openclaw";

export interface Looking {
  source: Source;
  environment: Pick<Environment, "platform">;
}

export interface Member {
  id: MemberId;
  name: string;
  roots: (environment: Environment) => string[];
  /** The folders below a root that hold sessions. */
  folders: (root: string, looking: Looking) => Promise<string[]>;
}

const pi: Member = {
  id: "pi",
  name: "Pi",
  roots: storeRoots,
  folders: (root, looking) => foldersIn(root, [SESSIONS], isProjectFolder, looking),
};

const ohMyPi: Member = {
  id: "oh-my-pi",
  name: "Oh My Pi",
  // Its variable is Pi's own, PI_CODING_AGENT_DIR: what that names is taken for Pi's unless it looks otherwise.
  roots: (environment) => [pathOf(environment).join(environment.home, ".omp", "agent")],
  // A project below the home or the temporary folder is named by what follows: `-src-app`.
  folders: (root, looking) => foldersIn(root, [SESSIONS], (name) => name.startsWith("-"), looking),
};

export const STATE_VARIABLE = "OPENCLAW_STATE_DIR";
const AGENTS = "agents";

const openClaw: Member = {
  id: "openclaw",
  name: "OpenClaw",
  roots: ({ env, home, cwd, platform }) => {
    const path = pathOf({ platform });
    const standard = path.join(home, ".openclaw");
    const named = env[STATE_VARIABLE];
    return named ? [path.resolve(cwd, named), standard] : [standard];
  },
  folders: async (root, looking) => {
    const path = pathOf(looking.environment);
    const agents = await foldersIn(root, [AGENTS], () => true, looking);
    return agents.map((agent) => path.join(agent, SESSIONS));
  },
};

async function foldersIn(
  root: string,
  below: readonly string[],
  wanted: (name: string) => boolean,
  { source, environment }: Looking,
): Promise<string[]> {
  const path = pathOf(environment);
  const top = path.join(root, ...below);
  const entries = await source.readDir(top);
  return entries.flatMap(({ name, kind }) => (kind !== "file" && wanted(name) ? [path.join(top, name)] : []));
}

export const family: Readonly<Record<MemberId, Member>> = { pi, "oh-my-pi": ohMyPi, openclaw: openClaw };

export function memberOf({ harness }: Pick<Store, "harness">): Member {
  return Object.hasOwn(family, harness) ? family[harness as MemberId] : pi;
}

/** Are its opaque things Pi's, so that they may go back to it? */
export function isKin(harness: string): boolean {
  return Object.hasOwn(family, harness);
}
