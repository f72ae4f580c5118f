/** Path rules as pure functions of their input, so that Windows' are tested on Linux. */
import { posix, win32 } from "node:path";

/** What the machine says: where things are, and how paths are written. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  platform: NodeJS.Platform;
  cwd: string;
}

/** `node:path` of the platform the environment tells of. */
export function pathOf(environment: Pick<Environment, "platform">): typeof posix {
  return environment.platform === "win32" ? win32 : posix;
}

/** `relative` (with `/`) below `root`, in the platform's own spelling. */
export function below(root: string, relative: string, environment: Pick<Environment, "platform">): string {
  return pathOf(environment).join(root, ...relative.split("/"));
}

/** `~` and `~/…` replaced by the home folder; anything else as it is. */
export function expandHome(path: string, environment: Pick<Environment, "home" | "platform">): string {
  if (path === "~") return environment.home;
  return /^~[/\\]/.test(path) ? pathOf(environment).join(environment.home, path.slice(2)) : path;
}

/** One folder for two spellings? Letter case is folded on Windows only; separators are equal there. */
export function samePath(a: string, b: string, platform: NodeJS.Platform): boolean {
  return comparable(a, platform) === comparable(b, platform);
}

/** Places that may be one and the same, absolute, each once; what is unset or empty is none. */
export function distinctRoots(paths: readonly (string | undefined)[], environment: Environment): string[] {
  const roots: string[] = [];
  for (const path of paths) {
    if (!path) continue;
    const root = pathOf(environment).resolve(environment.cwd, path);
    if (!roots.some((known) => samePath(known, root, environment.platform))) roots.push(root);
  }
  return roots;
}

/** `path` is `folder` or lies in it; `/x/foo-bar` does not lie in `/x/foo`. */
export function isInside(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const inner = comparable(path, platform);
  const outer = comparable(folder, platform);
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

function comparable(path: string, platform: NodeJS.Platform): string {
  if (platform !== "win32") return posix.normalize(path).replace(/(.)\/+$/, "$1");
  return win32
    .normalize(path)
    .replaceAll("\\", "/")
    .replace(/(.)\/+$/, "$1")
    .toLowerCase();
}

const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/**
 * A relative path from outside (a bundle, a skill) made safe to join to a root, or why it is not.
 * Separators become `/`; `..`, absolute paths, drive letters, control characters and names that Windows
 * reserves are refused.
 */
export function safeRelative(path: string): { path: string } | { refused: string } {
  const slashed = path.replaceAll("\\", "/");
  if (slashed === "" || slashed.startsWith("/") || /^[A-Za-z]:/.test(slashed))
    return { refused: "is not a relative path" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\u0000-\u001f\u007f]/.test(slashed)) return { refused: "has control characters" };
  const parts = slashed.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) return { refused: "names no file" };
  if (parts.includes("..")) return { refused: "leaves its folder" };
  if (parts.some((part) => RESERVED.test(part) || /[. ]$/.test(part)))
    return { refused: "has a name that Windows reserves" };
  return { path: parts.join("/") };
}
