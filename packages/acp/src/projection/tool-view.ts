/** How a client shows a call: title, kind and places, made from its name and arguments. Read back, they are passed over. */
import type { ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { fields, name as filled, list } from "@asp-convert/core/values";

/** By a word in the tool's name, the first that fits. */
const kinds: readonly (readonly [RegExp, ToolKind])[] = [
  [/todo|plan/i, "think"],
  [/webfetch|websearch|fetch|browse|url/i, "fetch"],
  [/bash|shell|exec|command|terminal|powershell/i, "execute"],
  [/grep|glob|search|find|^ls$|list/i, "search"],
  [/delete|remove/i, "delete"],
  [/rename|move/i, "move"],
  [/edit|write|patch|replace|create/i, "edit"],
  [/read|view|open|cat/i, "read"],
  [/think|task|agent/i, "think"],
];

export function kindOf(tool: string): ToolKind {
  return kinds.find(([word]) => word.test(tool))?.[1] ?? "other";
}

const TITLE = 200;

/** The tool's name and the one argument that says most. */
export function titleOf(tool: string, args: unknown): string {
  const given = fields(args);
  const command = given?.command ?? given?.cmd;
  const words = Array.isArray(command)
    ? command.filter((word) => typeof word === "string").join(" ")
    : command;
  const main =
    filled(words) ?? pathOf(given) ?? filled(given?.pattern) ?? filled(given?.query) ?? filled(given?.url);
  const text = main === undefined ? tool : `${tool}: ${main}`;
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? "tool" : line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line;
}

export function locationsOf(args: unknown): ToolCallLocation[] {
  const given = fields(args);
  const paths = [pathOf(given), ...list(given?.paths).map(filled)];
  return paths.flatMap((path) => (path === undefined ? [] : [{ path }]));
}

function pathOf(given: ReturnType<typeof fields>): string | undefined {
  return filled(given?.file_path) ?? filled(given?.filePath) ?? filled(given?.path);
}
