/** The one folder for all sessions that a person may have set. */
import { type Environment, expandHome, pathOf, type Source, type Store } from "@asp-convert/core";
import { fields, name, parsed } from "@asp-convert/core/values";
import { SETTINGS } from "./layout.js";

const SETTINGS_BYTES = 4 * 1024 * 1024;

/** undefined: none is set. */
export async function ownFolder(
  { root }: Store,
  { source, environment }: { source: Source; environment: Environment },
): Promise<string | undefined> {
  const path = pathOf(environment);
  const bytes = await source.readFile(path.join(root, SETTINGS), SETTINGS_BYTES);
  const folder = bytes && name(fields(parsed(Buffer.from(bytes).toString("utf8")))?.sessionDir);
  return folder === undefined ? undefined : path.resolve(root, expandHome(folder, environment));
}
