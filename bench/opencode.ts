/** A store of OpenCode with many sessions: those that were captured from the real program, each in many folders. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  convert,
  diskSource,
  type Environment,
  type Report,
  type SessionRef,
  type Store,
} from "@asp-convert/core";
import opencode from "@asp-convert/opencode";

const fixtures = join(import.meta.dirname, "../fixtures/opencode");

/** @returns how many a list shows: subagents stand inside their parents. */
export async function manyOpenCodeSessions(root: string, least: number, scratch: string): Promise<number> {
  const environment: Environment = {
    env: { ASP_HOME: join(scratch, "asp") },
    home: join(scratch, "home"),
    platform: process.platform,
    cwd: scratch,
  };
  const put = (store: Store, refs: readonly SessionRef[], to: string, cwd?: string): Promise<Report> =>
    convert({
      ...{
        from: opencode,
        to: opencode,
        store,
        refs,
        root: to,
        environment,
        source: diskSource,
        installed: false,
      },
      ...(cwd !== undefined && { cwd }),
    });
  const all = async (path: string): Promise<[Store, SessionRef[]]> => {
    const store = await opencode.open(path, diskSource, environment);
    const refs = opencode.sessions.list(store, { source: diskSource, environment });
    return [store, await Array.fromAsync(refs)];
  };
  const captured = join(scratch, "captured");
  for (const name of readdirSync(fixtures)) {
    const [store, refs] = await all(join(fixtures, name, "home/.local/share/opencode"));
    await put(store, refs, captured);
  }
  const [store, refs] = await all(captured);
  let made = 0;
  for (let folder = 0; made < least; folder++) {
    const some = refs.slice(0, least - made);
    await put(store, some, root, `/home/dev/project${folder}`);
    made += some.length;
  }
  return made;
}
