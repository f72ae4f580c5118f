/** Slash commands, as TOML or Markdown, and subagents: one file each. */
import {
  type Action,
  type Definition,
  type Item,
  type KindContext,
  type KindTarget,
  pathOf,
  safeRelative,
} from "@asp-convert/core";
import {
  belonging,
  change,
  filesBelow,
  heldBack,
  leave,
  noteHash,
  parseToml,
  readDefinitions,
  readText,
  runsOf,
  withFrontMatter,
  writeToml,
} from "@asp-convert/core/kinds";
import { folderOf, type Place, type Program } from "./program.js";

const AXES = { command: "commands", agent: "agents", "output-style": "output-styles" } as const;

/** @param folder the one that holds `commands` and `agents`; @param base what paths are told relative to. */
export async function definitionsIn(
  program: Program,
  folder: string,
  base: string,
  place: Place,
  context: KindContext,
): Promise<Definition[]> {
  const paths = pathOf(context.environment);
  const common = { base, ...place, harness: program.id };
  const agents = await readDefinitions(
    { of: "agent", folder: paths.join(folder, "agents"), ...common },
    context,
  );
  const commands = paths.join(folder, "commands");
  const found = await readDefinitions({ of: "command", folder: commands, ...common }, context);
  const isNative = program.commands === "md";
  return [
    ...(isNative ? found.map(withArguments) : []),
    ...(await tomlCommands(commands, base, place, program, context)),
    ...agents,
  ];
}

/** The programs write `{{args}}` for what others call `$ARGUMENTS`. */
function withArguments(definition: Definition): Definition {
  return { ...definition, body: definition.body.replaceAll("{{args}}", "$ARGUMENTS") };
}

async function tomlCommands(
  folder: string,
  base: string,
  place: Place,
  program: Program,
  context: KindContext,
): Promise<Definition[]> {
  const { source, environment, items } = context;
  const paths = pathOf(environment);
  const found: Definition[] = [];
  const isToml = (name: string) => name.endsWith(".toml");
  for (const name of await filesBelow(folder, isToml, source, environment, { everywhere: true })) {
    const path = paths.join(folder, ...name.split("/"));
    const text = (await readText(source, path))?.text ?? "";
    const called = name.slice(0, -".toml".length).replaceAll("/", ":");
    const left = (reason: "invalid-form" | "not-supported", note: string) =>
      items.push(
        leave(context, belonging(place, `/${called}`), { kind: "skills", axis: "commands", reason, note }),
      );
    const value = await parseToml(text).catch(() => undefined);
    const prompt = value?.prompt;
    const description = value?.description;
    if (typeof prompt !== "string") left("invalid-form", "no prompt");
    else if (/[!@]\{/.test(prompt))
      left("not-supported", "it runs a command, or takes in a file, when it is called");
    else
      found.push(
        withArguments({
          of: "command",
          name: called,
          ...place,
          ...(typeof description === "string" && { description }),
          body: prompt,
          options: {},
          limits: [],
          native: {
            harness: program.id,
            path: paths.relative(base, path).replaceAll("\\", "/"),
            text,
            hash: noteHash(text),
          },
        }),
      );
  }
  return found;
}

export async function writeDefinition(
  program: Program,
  definition: Definition,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const { of: type, name, native, project } = definition;
  const of = belonging(definition, type === "command" ? `/${name}` : name);
  const words = { kind: "skills", axis: AXES[type] } as const;
  if (type === "output-style")
    return leave(target, of, {
      ...words,
      reason: "no-counterpart",
      note: `${program.name} has no output styles`,
    });
  const home = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && home === undefined) return leave(target, of, { ...words, reason: "no-place" });
  const paths = pathOf(target.environment);
  const isToml = type === "command" && program.commands === "toml";
  const file = `${name.replaceAll(":", "/")}.${isToml ? "toml" : "md"}`;
  const safe = safeRelative(file);
  if ("refused" in safe || safe.path !== file)
    return leave(target, of, { ...words, reason: "unsafe", note: `its name is ${JSON.stringify(name)}` });
  const folder = await folderOf(program, target.root, home, target);
  const path = paths.join(folder, type === "command" ? "commands" : "agents", ...file.split("/"));
  const isOwn =
    native.harness === program.id && native.text !== undefined && native.path.endsWith(paths.extname(file));
  const text = isOwn ? (native.text as string) : await asNative(definition, isToml);
  const had = (await readText(target.source, path))?.text;
  if (had !== undefined && (had === text || noteHash(had) === native.hash))
    return { ...of, outcome: "present" };
  if (had !== undefined) return leave(target, of, { ...words, reason: "exists", note: path });
  const runs = await runsOf(definition);
  if (runs.length > 0 && !isOwn)
    return leave(target, of, {
      ...words,
      reason: "not-supported",
      note: `${program.name} would say it and not run it: ${runs.join("; ")}`,
    });
  const held = isOwn ? undefined : heldBack(of, definition.limits, target);
  if (held) return held;
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  if (isOwn) return { ...of, outcome: "written" };
  const lost = Object.keys(definition.options);
  return lost.length > 0
    ? change(target, of, { ...words, reason: "no-equal", note: lost.join(", ") })
    : { ...of, outcome: "written" };
}

async function asNative({ of, name, description, body }: Definition, isToml: boolean): Promise<string> {
  const about = description === undefined ? {} : { description };
  const prompt = of === "command" ? body.replaceAll("$ARGUMENTS", "{{args}}") : body;
  if (isToml) return writeToml({ ...about, prompt });
  const data = { ...(of === "agent" && { name }), ...about };
  return Object.keys(data).length > 0 ? withFrontMatter(data, prompt) : prompt;
}
