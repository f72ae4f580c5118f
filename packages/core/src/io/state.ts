/** Where asp-convert keeps what it must remember between runs: receipts, locks, and which notes went where. */
import { type Environment, pathOf } from "./paths.js";

/**
 * `$ASP_HOME`; else the platform's own place for state: `$XDG_STATE_HOME/asp-convert` or
 * `~/.local/state/asp-convert` (Linux and other Unix), `~/Library/Application Support/asp-convert` (macOS, unless
 * XDG_STATE_HOME is set), `%LOCALAPPDATA%\asp-convert` (Windows).
 */
export function stateFolder(environment: Environment): string {
  const { env, home, platform } = environment;
  const path = pathOf(environment);
  if (env.ASP_HOME) return path.resolve(environment.cwd, env.ASP_HOME);
  if (platform === "win32")
    return path.join(env.LOCALAPPDATA || path.join(home, "AppData", "Local"), "asp-convert");
  // The XDG rules: a relative value is to be ignored.
  const xdg = env.XDG_STATE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, "asp-convert");
  if (platform === "darwin") return path.join(home, "Library", "Application Support", "asp-convert");
  return path.join(home, ".local", "state", "asp-convert");
}
