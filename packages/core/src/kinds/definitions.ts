/** Things that are one Markdown file with front matter: slash commands, subagents, output styles. */
import type { KindContext } from "../converter/kinds.js";
import { pathOf } from "../io/paths.js";
import type { Definition, Restriction } from "../state/skills.js";
import { belonging, leave, lose } from "./account.js";
import { asText, readFrontMatter } from "./front-matter.js";
import { noteHash } from "./notes.js";
import { runsByItself } from "./skills.js";
import { readText } from "./text.js";
import { filesBelow } from "./walk.js";

export interface DefinitionPlace {
  of: Definition["of"];
  /** The folder they are in (absolute), and what `native.path` is relative to. */
  folder: string;
  base: string;
  scope: "user" | "project";
  project?: string;
  harness: string;
}

/** Front matter keys that limit what a subagent or a command may use. */
const LIMITS = ["tools", "allowed-tools", "disallowedTools", "disallowed-tools"];

/** Every definition below a folder, in a fixed order. A command in a subfolder is `folder:name`. */
export async function readDefinitions(place: DefinitionPlace, context: KindContext): Promise<Definition[]> {
  const { source, environment, losses, items } = context;
  const { of, folder, base, scope, project, harness } = place;
  const paths = pathOf(environment);
  const axis = of === "command" ? "commands" : of === "agent" ? "agents" : "output-styles";
  const found: Definition[] = [];
  for (const name of await filesBelow(folder, (file) => file.endsWith(".md"), source, environment, {
    everywhere: true,
  })) {
    const path = paths.join(folder, ...name.split("/"));
    const read = await readText(source, path);
    if (!read) {
      items.push(
        leave(context, belonging(place, name), {
          kind: "skills",
          axis,
          reason: "missing-file",
          note: "a link that points nowhere",
        }),
      );
      continue;
    }
    const relative = paths.relative(base, path).replaceAll("\\", "/");
    if (read.invalid)
      lose(losses, { kind: "skills", axis, level: "partial", reason: "invalid-text", item: relative });
    const { data, body, problem } = await readFrontMatter(read.text);
    if (problem) {
      const note = `line ${problem.line}, column ${problem.column}: ${problem.message}`;
      lose(losses, { kind: "skills", axis, level: "partial", reason: "invalid-form", item: relative, note });
    }
    const { name: declared, description, ...options } = data;
    const called = name.slice(0, -3).replaceAll("/", ":");
    const limits = LIMITS.flatMap((key): Restriction[] =>
      options[key] == null ? [] : [{ key, value: options[key], in: relative }],
    );
    const about = asText(description);
    found.push({
      of,
      name: of === "agent" ? (asText(declared) ?? called) : called,
      scope,
      ...(project !== undefined && { project }),
      ...(about !== undefined && { description: about }),
      body,
      options,
      limits,
      native: { harness, path: relative, text: read.text, hash: noteHash(read.text) },
    });
  }
  return found;
}

/**
 * What a definition's own text would have run, or allowed: hooks, servers, a mode without questions. From the text,
 * never from what the state that brought it claims.
 */
export async function runsOf({ of, body, native }: Definition): Promise<string[]> {
  const read: { data: Record<string, unknown>; body: string } =
    native.text === undefined ? { data: {}, body } : await readFrontMatter(native.text);
  const { data, body: own } = read;
  return [
    ...runsByItself(data, of === "command" ? own : ""),
    ...(data.mcpServers == null ? [] : ["MCP servers in its front matter"]),
    ...(data.permissionMode == null || data.permissionMode === "plan" || data.permissionMode === "default"
      ? []
      : [`permissionMode ${asText(data.permissionMode) ?? "?"}`]),
  ];
}

/** Markdown with YAML front matter, every value quoted as YAML needs it. */
export async function withFrontMatter(
  data: Readonly<Record<string, unknown>>,
  body: string,
): Promise<string> {
  const { stringify } = await import("yaml");
  return `---\n${stringify(data, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" })}---\n\n${body.replace(/^\n+/, "")}`;
}

/** Tool names of a limit, however it is written: `Read, Grep`, `Read Grep`, a list. */
export function toolNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(asText).filter((name) => name !== undefined);
  return (asText(value) ?? "").match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}
