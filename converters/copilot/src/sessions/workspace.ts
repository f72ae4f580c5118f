/** `workspace.yaml`: what the program knows of a session beside its events. */
import { readFrontMatter } from "@asp-convert/core/kinds";
import { name } from "@asp-convert/core/values";

export interface Workspace {
  cwd?: string;
  branch?: string;
  name?: string;
  /** Someone chose the name; else the program did. */
  isNamed?: boolean;
}

export async function readWorkspace(bytes: Uint8Array | undefined): Promise<Workspace> {
  if (!bytes) return {};
  const text = Buffer.from(bytes).toString("utf8");
  const { data } = await readFrontMatter(
    `---\n${text.replace(/^\uFEFF/, "").replace(/^---.*\n/, "")}\n---\n`,
  );
  const [cwd, branch, title] = [name(data.cwd), name(data.branch), name(data.name)];
  return {
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(title !== undefined && { name: title }),
    ...(data.user_named === true && { isNamed: true }),
  };
}

export interface WorkspaceFields extends Workspace {
  id: string;
  /** ISO 8601. */
  created: string;
  updated: string;
}

/** Texts are written as JSON, which YAML takes as they are. */
export function workspaceText({ id, cwd, branch, created, updated, ...named }: WorkspaceFields): string {
  const lines = [
    `id: ${id}`,
    ...(cwd === undefined ? [] : [`cwd: ${quoted(cwd)}`]),
    ...(branch === undefined ? [] : [`branch: ${quoted(branch)}`]),
    "client_name: github/cli",
    ...(named.name === undefined ? [] : [`name: ${quoted(named.name)}`]),
    `user_named: ${named.isNamed === true}`,
    "summary_count: 0",
    "fork_count: 0",
    `created_at: ${created}`,
    `updated_at: ${updated}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** The same file for another id, and another folder; everything else in it stays. */
export function movedWorkspace(text: string, id: string, cwd: string | undefined): string {
  const moved = replaced(text, "id", id);
  return cwd === undefined ? moved : replaced(replaced(moved, "cwd", quoted(cwd)), "git_root", undefined);
}

/** undefined: the line goes. */
function replaced(text: string, key: string, value: string | undefined): string {
  const line = new RegExp(`^${key}:.*(?:\\r?\\n|$)`, "m");
  if (value === undefined) return text.replace(line, "");
  const own = `${key}: ${value}\n`;
  return line.test(text) ? text.replace(line, () => own) : own + text;
}

function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}
