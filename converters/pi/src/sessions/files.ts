/** The session files of a store, and what stands beside them that says more of them. */
import {
  isInside,
  type ListContext,
  pathOf,
  type Source,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { fields, name, parsed } from "@asp-convert/core/values";
import { memberOf } from "../family.js";
import { ownFolder } from "../folders.js";
import { isSessionFile } from "../layout.js";
import { isSubagents } from "./provenance.js";

export interface SessionFile {
  path: string;
  /** The file of the session that started it, where the place says so. */
  above?: string;
  /** As the program calls it in a list of its own. */
  title?: string;
}

export async function sessionFiles(store: Store, context: ListContext): Promise<SessionFile[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const { focus } = store;
  if (focus !== undefined && (await source.stat(focus))?.kind === "file") {
    const beside = await filesIn(path.dirname(focus), store, context);
    return oneOf(focus, beside, source);
  }
  const folders = (await unlessUnreadable(context, () => memberOf(store).folders(store.root, context))) ?? [];
  const own =
    store.harness === "pi" ? await unlessUnreadable(context, () => ownFolder(store, context)) : undefined;
  if (own !== undefined && !folders.includes(own)) folders.push(own);
  if (focus !== undefined && !folders.some((folder) => isInside(folder, focus, environment.platform)))
    folders.push(focus);
  const files: SessionFile[] = [];
  for (const folder of folders) {
    if (focus !== undefined && !isInside(folder, focus, environment.platform)) continue;
    files.push(...(await filesIn(folder, store, context)));
  }
  return files;
}

async function filesIn(folder: string, store: Store, context: ListContext): Promise<SessionFile[]> {
  const path = pathOf(context.environment);
  const entries = async (of: string) =>
    (await unlessUnreadable(context, () => context.source.readDir(of))) ?? [];
  const titles =
    store.harness === "openclaw"
      ? await unlessUnreadable(context, () => titlesIn(folder, context))
      : undefined;
  const files: SessionFile[] = [];
  for (const { name: file } of await entries(folder)) {
    if (!isSessionFile(file)) continue;
    const at = path.join(folder, file);
    const bare = file.slice(0, -".jsonl".length);
    const title = titles?.get(bare.replace(/-topic-.*$/, ""));
    files.push({ path: at, ...(title !== undefined && { title }) });
    // Oh My Pi keeps what subagents said in a folder called like the session.
    if (store.harness !== "oh-my-pi") continue;
    for (const { name: below } of await entries(path.join(folder, bare)))
      if (isSessionFile(below)) files.push({ path: path.join(folder, bare, below), above: at });
  }
  return files;
}

const MAP_BYTES = 64 * 1024 * 1024;

/** OpenClaw's map of its sessions, by session id. */
async function titlesIn(folder: string, { source, environment }: ListContext): Promise<Map<string, string>> {
  const bytes = await source.readFile(pathOf(environment).join(folder, "sessions.json"), MAP_BYTES);
  const map = fields(parsed(Buffer.from(bytes ?? []).toString("utf8"))) ?? {};
  return new Map(
    Object.values(map).flatMap((value): [string, string][] => {
      const entry = fields(value);
      const id = name(entry?.sessionId);
      const title = name(entry?.label) ?? name(entry?.displayName) ?? name(entry?.subject);
      return id === undefined || title === undefined ? [] : [[id, title]];
    }),
  );
}

const HEAD = 8192;

/** A file that was pointed at, and those beside it that are subagents' of whomever. */
async function oneOf(focus: string, beside: readonly SessionFile[], source: Source): Promise<SessionFile[]> {
  const own = beside.find(({ path }) => path === focus) ?? { path: focus };
  const others: SessionFile[] = [];
  for (const file of beside) {
    if (file.path === focus) continue;
    if (file.above === focus || (await isSubagentFile(file.path, source))) others.push(file);
  }
  return [own, ...others];
}

async function isSubagentFile(path: string, source: Source): Promise<boolean> {
  try {
    const file = await source.open(path);
    try {
      return isSubagents(Buffer.from(file.read(0, HEAD)).toString("latin1"));
    } finally {
      file.close();
    }
  } catch {
    return false; // whoever lists it will say what is wrong with it
  }
}
