/** Where an editor keeps what its extension keeps. */
import { type Environment, pathOf } from "@asp-convert/core";

export const HISTORY = "api_conversation_history.json";
export const TASKS = "tasks";

/** Cline, and the extensions that grew from it and kept its store. */
const EXTENSIONS = ["saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code"];
const EDITORS = ["Code", "Code - Insiders", "Cursor", "Windsurf", "VSCodium"];

export function roots(environment: Environment): string[] {
  const { env, home, platform } = environment;
  const { join } = pathOf(environment);
  const above =
    platform === "darwin"
      ? join(home, "Library", "Application Support")
      : platform === "win32"
        ? (env.APPDATA ?? join(home, "AppData", "Roaming"))
        : env.XDG_CONFIG_HOME || join(home, ".config");
  return EDITORS.flatMap((editor) =>
    EXTENSIONS.map((extension) => join(above, editor, "User", "globalStorage", extension)),
  );
}
