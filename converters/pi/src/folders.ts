/** The folders of a store that hold sessions. */
import { type Environment, pathOf, type Source, type Store } from "@asp-convert/core";
import { fields, name, parsed } from "@asp-convert/core/values";
import { expandHome, isProjectFolder, SESSIONS, SETTINGS } from "./layout.js";

interface Context {
  source: Source;
  environment: Environment;
}

/** One for each project. */
export async function sessionFolders({ root }: Store, { source, environment }: Context): Promise<string[]> {
  const path = pathOf(environment);
  const top = path.join(root, SESSIONS);
  const folders = [];
  for (const { name: folder, kind } of await source.readDir(top)) {
    if (kind !== "file" && isProjectFolder(folder)) folders.push(path.join(top, folder));
  }
  return folders;
}

const SETTINGS_BYTES = 4 * 1024 * 1024;

/** The one folder that the settings send all sessions to, if they do. */
export async function ownFolder(
  { root }: Store,
  { source, environment }: Context,
): Promise<string | undefined> {
  const path = pathOf(environment);
  const bytes = await source.readFile(path.join(root, SETTINGS), SETTINGS_BYTES);
  const folder = bytes && name(fields(parsed(Buffer.from(bytes).toString("utf8")))?.sessionDir);
  return folder === undefined ? undefined : path.resolve(root, expandHome(folder, environment));
}
