/**
 * Which project a working directory belongs to, found without running git. The program's own rule: the `origin`
 * remote, else the id noted in `.git/opencode`, else the first root commit, else `global`.
 *
 * Here the noted id comes first: where the remote says otherwise by now, the program moves all sessions of the noted
 * id to the new one when it starts. The root commit is not looked for: sessions of `global` in a folder that turns
 * out to be a repository's root are taken over by its project when the program starts there.
 */
import { hash } from "node:crypto";
import { type Database, type Environment, pathOf, type Source, samePath } from "@asp-convert/core";

export interface Project {
  id: string;
  worktree: string;
  vcs?: "git";
  /** Of the working directory in the worktree, with `/`; undefined where the program will find out itself. */
  path?: string;
}

interface Repository {
  worktree: string;
  /** Of all its worktrees. */
  common: string;
}

export async function projectOf(
  cwd: string,
  source: Source,
  environment: Environment,
  database: Database | undefined,
): Promise<Project> {
  const path = pathOf(environment);
  const repository = await repositoryOf(cwd, source, environment);
  if (!repository)
    return {
      id: "global",
      worktree: path.parse(cwd).root || "/",
      path: below(path.parse(cwd).root, cwd, environment),
    };
  const { worktree, common } = repository;
  const id =
    (await textOf(source, path.join(common, "opencode"))) ||
    idOfRemote(originOf((await textOf(source, path.join(common, "config"))) ?? "")) ||
    (database && knownProject(database, worktree, environment));
  if (!id) return { id: "global", worktree: path.parse(cwd).root || "/" };
  return { id, worktree, vcs: "git", path: below(worktree, cwd, environment) };
}

/** `git@host:a/b.git`, `https://host/a/b`: the same id for both; none for a local path. */
export function idOfRemote(url: string | undefined): string | undefined {
  const remote = url?.trim();
  if (!remote) return undefined;
  let host: string | undefined;
  let path: string | undefined;
  if (URL.canParse(remote)) {
    const { protocol, hostname, pathname } = new URL(remote);
    if (protocol === "file:") return undefined;
    [host, path] = [hostname, pathname];
  } else {
    const match = /^([^@/:]+@)?([^/:]+):(.+)$/.exec(remote);
    [host, path] = [match?.[2], match?.[3]];
  }
  const name = path
    ?.replace(/^\/+/, "")
    .replace(/\.git\/?$/, "")
    .replace(/\/+$/, "");
  return host && name ? hash("sha1", `git-remote:${host.toLowerCase()}/${name}`) : undefined;
}

/** The url of `[remote "origin"]` in a git config. */
export function originOf(config: string): string | undefined {
  let inOrigin = false;
  let url: string | undefined;
  for (const line of config.split("\n")) {
    const section = /^\s*\[([^\]]*)\]/.exec(line);
    if (section) inOrigin = /^remote\s+"origin"$/.test(section[1]?.trim() ?? "");
    const found = inOrigin ? /^\s*(?:\[[^\]]*\]\s*)?url\s*=\s*(.*?)\s*$/i.exec(line)?.[1] : undefined;
    if (found) url ??= found.replace(/^"(.*)"$/, "$1");
  }
  return url;
}

async function repositoryOf(
  cwd: string,
  source: Source,
  environment: Environment,
): Promise<Repository | undefined> {
  const path = pathOf(environment);
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const git = path.join(folder, ".git");
    const info = await source.stat(git).catch(() => undefined);
    if (info?.kind === "directory") return { worktree: folder, common: git };
    if (info?.kind === "file") {
      const named = /^gitdir:\s*(.+)$/m.exec((await textOf(source, git)) ?? "")?.[1];
      if (named === undefined) return undefined;
      const own = path.resolve(folder, named.trim());
      const common = await textOf(source, path.join(own, "commondir"));
      return { worktree: folder, common: common ? path.resolve(own, common) : own };
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

function knownProject(database: Database, worktree: string, environment: Environment): string | undefined {
  for (const { id, worktree: known } of database.all(
    "SELECT id, worktree FROM project WHERE id <> 'global'",
  )) {
    if (samePath(String(known), worktree, environment.platform)) return String(id);
  }
  return undefined;
}

async function textOf(source: Source, path: string): Promise<string | undefined> {
  try {
    const bytes = await source.readFile(path, 1024 * 1024);
    return bytes && Buffer.from(bytes).toString("utf8").trim();
  } catch {
    // What cannot be read does not help to find the project; the session is written all the same.
    return undefined;
  }
}

function below(worktree: string, cwd: string, environment: Environment): string {
  return pathOf(environment).relative(worktree, cwd).replaceAll("\\", "/");
}
