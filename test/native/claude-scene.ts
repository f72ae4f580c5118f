/**
 * What a person of Claude Code has beside sessions: instructions, rules, skills, a hidden one, a command, a server, and
 * a project's own. Moved into another program's store; what the model is then sent there shows what arrived.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Move, makeWorld, move, type World } from "../state/world.js";
import { DEMO_SERVER } from "./demo-server.js";

export interface Scene {
  world: World;
  /** The project. */
  app: string;
  /** What stayed behind. */
  left: string[];
}

/** What every program's request must hold then. */
export const ARRIVES = [
  "USER-INSTRUCTION-TEXT",
  "USER-RULE-TEXT",
  "PROJECT-INSTRUCTION-TEXT",
  "Use user-skill when asked.",
  "Use project-skill when asked.",
] as const;
export const HIDDEN = "Use hidden-skill when asked.";
/** The server's variable that is a reference. */
export const ENV = { DEMO_TOKEN: "of-the-environment" };
/** What `echo` says to "hi". */
export const ECHOED = "ECHOED hi $!5 of-the-environment";

/** @param root of the target's store, in the world's home folder. */
export async function claudeScene(to: Move["to"], root: string): Promise<Scene> {
  const world = makeWorld();
  for (const [name, content] of Object.entries(files(world))) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
  mkdirSync(world.path("app/.git"));
  const app = realpathSync(world.path("app"));
  const { items } = await move(world, {
    from: "claude",
    store: world.path("claude"),
    to,
    root: world.path(root),
    projects: [app],
  });
  return { world, app, left: items.flatMap(({ outcome, item }) => (outcome === "left" ? item : [])) };
}

function files(world: World): Readonly<Record<string, string | object>> {
  const skill = (name: string, more = "") =>
    `---\nname: ${name}\ndescription: Use ${name} when asked.\n${more}---\nBODY OF ${name}\n`;
  return {
    "server.mjs": DEMO_SERVER,
    "claude/CLAUDE.md": "USER-INSTRUCTION-TEXT\n",
    "claude/rules/style.md": "USER-RULE-TEXT\n",
    "claude/settings.json": { effortLevel: "high", permissions: { deny: ["mcp__my_demo__secret"] } },
    "claude/skills/user-skill/SKILL.md": skill("user-skill"),
    "claude/skills/hidden-skill/SKILL.md": skill("hidden-skill", "disable-model-invocation: true\n"),
    "claude/commands/say.md": "---\ndescription: Say\n---\nPlease say $1 to $ARGUMENTS\n",
    "claude/.claude.json": {
      mcpServers: {
        "my demo": {
          command: process.execPath,
          args: [world.path("server.mjs")],
          env: { PRICE: "$!5", TOKEN: "${DEMO_TOKEN}" },
        },
      },
    },
    "app/CLAUDE.md": "PROJECT-INSTRUCTION-TEXT\n",
    "app/.claude/skills/project-skill/SKILL.md": skill("project-skill"),
  };
}
