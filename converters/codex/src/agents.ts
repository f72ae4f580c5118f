/** Subagent roles: `agents/NAME.toml`. */
import {
  type Action,
  type Definition,
  type Item,
  type KindContext,
  type KindTarget,
  pathOf,
} from "@asp-convert/core";
import {
  belonging,
  change,
  EditError,
  isThoughtLevel,
  leave,
  lose,
  noteHash,
  parseToml,
  readText,
  type TomlValue,
  toolNames,
  writeToml,
} from "@asp-convert/core/kinds";
import { AGENTS, PROJECT_FOLDER } from "./layout-state.js";

const HARNESS = "codex";
const KIND = { kind: "skills", axis: "agents" } as const;
/** Ours: a comment that says what a role was made of. */
const MARK = /^# asp:agent from=("[^"\n]*") path=("[^"\n]*") hash=([0-9a-f]{16})$/m;
/** Tools that look and change nothing: an agent limited to these gets a sandbox that may not write. */
const LOOKING = new Set(["Read", "Grep", "Glob", "LS", "NotebookRead", "TodoRead", "TodoWrite"]);

type Place = { scope: "user" | "project"; project?: string };

export async function readAgents(
  folder: string,
  base: string,
  place: Place,
  context: KindContext,
): Promise<Definition[]> {
  const { source, environment, losses } = context;
  const paths = pathOf(environment);
  const found: Definition[] = [];
  for (const { name: file, kind } of await source.readDir(paths.join(folder, AGENTS))) {
    if (kind === "directory" || !file.endsWith(".toml")) continue;
    const path = paths.join(folder, AGENTS, file);
    const text = (await readText(source, path))?.text;
    if (text === undefined) continue;
    const relative = paths.relative(base, path).replaceAll("\\", "/");
    try {
      const { name, description, developer_instructions, model_reasoning_effort, sandbox_mode, ...rest } =
        await parseToml(text);
      const from = MARK.exec(text);
      const tools = sandbox_mode === "read-only" ? "Read, Grep, Glob" : undefined;
      found.push({
        of: "agent",
        name: typeof name === "string" ? name : file.slice(0, -".toml".length),
        ...place,
        ...(typeof description === "string" && { description }),
        body: typeof developer_instructions === "string" ? developer_instructions : "",
        options: {
          ...rest,
          ...(typeof model_reasoning_effort === "string" && { effort: model_reasoning_effort }),
          ...(tools !== undefined && { tools }),
        },
        limits: tools === undefined ? [] : [{ key: "tools", value: tools, in: relative }],
        native: from
          ? {
              harness: JSON.parse(from[1] as string) as string,
              path: JSON.parse(from[2] as string) as string,
              hash: from[3] as string,
            }
          : { harness: HARNESS, path: relative, text, hash: noteHash(text) },
      });
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      lose(losses, {
        ...KIND,
        level: "dropped",
        reason: "invalid-form",
        item: relative,
        note: error.message,
      });
    }
  }
  return found;
}

export async function writeAgent(agent: Definition, actions: Action[], target: KindTarget): Promise<Item> {
  const paths = pathOf(target.environment);
  const of = belonging(agent, agent.name);
  const project = agent.project === undefined ? undefined : target.projectFolder(agent.project);
  if (agent.project !== undefined && project === undefined)
    return leave(target, of, { ...KIND, reason: "no-place" });
  const folder = project === undefined ? target.root : paths.join(project, PROJECT_FOLDER);
  const file = agent.name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (file === "")
    return leave(target, of, {
      ...KIND,
      reason: "unsafe",
      note: "its name has nothing a file name could be made of",
    });
  const path = paths.join(folder, AGENTS, `${file}.toml`);
  const had = (await readText(target.source, path))?.text;
  const own = agent.native.harness === HARNESS && agent.native.text !== undefined;
  const { text, lost, limited } = own
    ? { text: agent.native.text as string, lost: [], limited: true }
    : await asRole(agent);
  if (had !== undefined) {
    const same = had === text || noteHash(had) === agent.native.hash;
    return same
      ? { ...of, outcome: "present" }
      : leave(target, of, { ...KIND, reason: "exists", note: path });
  }
  if (!limited && !target.dropRestrictions) {
    return leave(target, of, {
      kind: "skills",
      axis: "skill-restrictions",
      reason: "restriction-lost",
      note: agent.limits.map(({ key, value }) => `${key}: ${String(value)}`).join("; "),
    });
  }
  const config = own ? await configKeys(text) : [];
  if (config.length > 0 && !target.allowTools)
    return leave(target, of, { ...KIND, reason: "consent-needed", note: `it sets ${config.join(", ")}` });
  if ((agent.description ?? "") === "")
    return leave(target, of, { ...KIND, reason: "invalid-form", note: "it has no description" });
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  if (own) return { ...of, outcome: "written" };
  if (!limited)
    lose(target.losses, {
      kind: "skills",
      axis: "skill-restrictions",
      level: "dropped",
      reason: "restriction-lost",
      item: agent.name,
    });
  return lost.length > 0
    ? change(target, of, { ...KIND, reason: "no-equal", note: lost.join(", ") })
    : { ...of, outcome: "written" };
}

/** Keys of a role that are settings, some of which make Codex run things. */
async function configKeys(text: string): Promise<string[]> {
  const harmless = new Set([
    "name",
    "description",
    "developer_instructions",
    "model",
    "model_reasoning_effort",
    "nickname_candidates",
  ]);
  let table: Record<string, unknown>;
  try {
    table = await parseToml(text);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return ["what cannot be read"];
  }
  return Object.entries(table).flatMap(([key, value]) =>
    harmless.has(key) || (key === "sandbox_mode" && value === "read-only") ? [] : [key],
  );
}

/** A subagent of another harness as a role. `limited`: what it may use is not more than it was. */
async function asRole(agent: Definition): Promise<{ text: string; lost: string[]; limited: boolean }> {
  const { tools, effort, model, ...rest } = agent.options;
  const limits = agent.limits.flatMap(({ key, value }) => (key === "tools" ? toolNames(value) : [key]));
  const looking = limits.length > 0 && limits.every((tool) => LOOKING.has(tool));
  const values: Record<string, TomlValue> = {
    name: agent.name,
    description: agent.description ?? "",
    developer_instructions: agent.body.replace(/^\n+/, ""),
    ...(typeof effort === "string" && isThoughtLevel(effort) && { model_reasoning_effort: effort }),
    ...(looking && { sandbox_mode: "read-only" }),
  };
  const lost = [...(model === undefined || model === "inherit" ? [] : ["model"]), ...Object.keys(rest)];
  const { harness, path, hash } = agent.native;
  const mark = `# asp:agent from=${JSON.stringify(harness.replaceAll('"', ""))} path=${JSON.stringify(path.replaceAll('"', ""))} hash=${hash}\n`;
  return { text: mark + (await writeToml(values)), lost, limited: agent.limits.length === 0 || looking };
}
