/** A copy of a Gemini CLI state folder that a session can be resumed in, in a folder of this machine. */
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { asObject, asString, parseLines, parseObject } from "./json.js";

/** What is private to a machine or a person, and so never copied. */
const NOT_COPIED = new Set([
  "oauth_creds.json",
  "google_accounts.json",
  "mcp-oauth-tokens.json",
  "bin",
  ".env",
]);

/** `root`: the state folder, or the home that it is in. */
export async function copyGeminiState(root: string, to: string): Promise<void> {
  const inside = join(root, ".gemini");
  const from = (await isThere(inside)) ? inside : root;
  await cp(from, to, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
}

export interface FoundSession {
  /** The folder of its project below `tmp`. */
  slug: string;
  path: string;
  /** As the project's mark says. */
  cwd: string | undefined;
}

/** Where the program would look for it, were it started in the right folder. */
export async function findGeminiSession(state: string, id: string): Promise<FoundSession | undefined> {
  for (const slug of await namesIn(join(state, "tmp"))) {
    const chats = join(state, "tmp", slug, "chats");
    for (const name of await namesIn(chats)) {
      if (!/^session-.*\.jsonl?$/.test(name)) continue;
      const path = join(chats, name);
      const text = await readFile(path, "utf8");
      const head = name.endsWith(".json") ? parseObject(text) : parseLines(text)[0];
      if (asString(asObject(head)?.sessionId) !== id) continue;
      const owner = await readFile(join(state, "tmp", slug, ".project_root"), "utf8").catch(() => undefined);
      return { slug, path, cwd: owner?.trim() };
    }
  }
  return undefined;
}

/** Makes the folder of a project that of another place: the marks and the registry say so. */
export async function moveGeminiProject(state: string, slug: string, cwd: string): Promise<void> {
  for (const top of ["tmp", "history"]) {
    await mkdir(join(state, top, slug), { recursive: true });
    await writeFile(join(state, top, slug, ".project_root"), cwd);
  }
  await writeFile(join(state, "projects.json"), JSON.stringify({ projects: { [cwd]: slug } }));
}

/** Nothing but what the run needs: no servers, no hooks, nothing sent to anybody, nothing cleaned up. */
export async function writeGeminiSettings(state: string, more: object = {}): Promise<void> {
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false, sessionRetention: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    ...more,
  };
  await mkdir(state, { recursive: true });
  await writeFile(join(state, "settings.json"), JSON.stringify(settings));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
