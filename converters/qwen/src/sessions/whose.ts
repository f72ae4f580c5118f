/** Which folder on the machine a project's folder in the store was made for: its name does not say it. */
import { type Environment, pathOf, type Source } from "@asp-convert/core";
import { CHATS, isSessionFile, slugFor } from "../layout.js";

const HEAD = 64 * 1024;

/** As the first records of its sessions say; undefined where there is none that tells. */
export async function projectOf(
  folder: string,
  { source, environment }: { source: Source; environment: Environment },
): Promise<string | undefined> {
  const paths = pathOf(environment);
  const chats = paths.join(folder, CHATS);
  for (const { name } of await source.readDir(chats)) {
    if (!isSessionFile(name)) continue;
    // What cannot be read is told of where sessions are listed.
    const file = await source.open(paths.join(chats, name)).catch(() => undefined);
    if (!file) continue;
    try {
      const head = Buffer.from(file.read(0, HEAD)).toString("utf8");
      const match = /"cwd":("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
      const cwd: unknown = match === undefined ? undefined : JSON.parse(match);
      if (typeof cwd === "string" && slugFor(cwd, environment) === paths.basename(folder)) return cwd;
    } finally {
      file.close();
    }
  }
  return undefined;
}
