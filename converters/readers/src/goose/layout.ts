/** Where Goose keeps its sessions: `sessions` below its data folder. */
import { type Environment, pathOf } from "@asp-convert/core";

export const SESSIONS = "sessions";
export const DATABASE = "sessions.db";

export function roots(environment: Environment): string[] {
  const { env, home, platform } = environment;
  const { join } = pathOf(environment);
  const moved = env.GOOSE_PATH_ROOT ? [join(env.GOOSE_PATH_ROOT, "data")] : [];
  if (platform === "win32")
    return [...moved, join(env.APPDATA ?? join(home, "AppData", "Roaming"), "Block", "goose", "data")];
  const data = env.XDG_DATA_HOME || join(home, ".local", "share");
  return [...moved, join(data, "goose")];
}
