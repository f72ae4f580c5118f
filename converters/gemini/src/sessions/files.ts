/** The files of a store that sessions lie in, and which project's they are. */
import {
  type DirEntry,
  isInside,
  type ListContext,
  pathOf,
  type Source,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { fields, name, parsed } from "@asp-convert/core/values";
import { CHATS, isCheckpoint, isSessionFile, OWNER, REGISTRY, sha256, stateFolder, TMP } from "../layout.js";

export interface SessionFile {
  path: string;
  /** The folder of its project, `tmp/<slug>`; undefined for a file that lies elsewhere. */
  folder: string | undefined;
  /** Who works in that folder, as the program wrote it down. */
  owner: string | undefined;
  /** The id of the session whose folder it lies in: a subagent's. */
  above?: string;
}

const SMALL = 4 * 1024 * 1024;

async function textOf(path: string, source: Source): Promise<string | undefined> {
  const bytes = await source.readFile(path, SMALL).catch(() => undefined);
  return bytes && Buffer.from(bytes).toString("utf8");
}

/** Folder names by the project that they are of. */
export async function registry(
  state: string,
  { source, environment }: ListContext,
): Promise<Map<string, string>> {
  const text = await textOf(pathOf(environment).join(state, REGISTRY), source);
  const projects = fields(fields(parsed(text))?.projects) ?? {};
  return new Map(
    Object.entries(projects).flatMap(([cwd, slug]) => (name(slug) ? [[cwd, slug as string]] : [])),
  );
}

/** Whose a folder is: what its mark says, else what the registry does; an old folder is named by the hash of it. */
export async function ownerOf(
  folder: string,
  known: ReadonlyMap<string, string>,
  { source, environment }: ListContext,
): Promise<string | undefined> {
  const path = pathOf(environment);
  const marked = name((await textOf(path.join(folder, OWNER), source))?.trim());
  if (marked !== undefined) return marked;
  const slug = path.basename(folder);
  for (const [cwd, own] of known) if (own === slug || sha256(cwd) === slug) return cwd;
  return undefined;
}

export async function sessionFiles(store: Store, context: ListContext): Promise<SessionFile[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const { focus } = store;
  const state = await stateFolder(store.root, source, environment);
  const known = await registry(state, context);
  const files: SessionFile[] = [];
  for (const { name: slug, kind } of await entriesOf(path.join(state, TMP), context)) {
    if (kind === "file") continue;
    const folder = path.join(state, TMP, slug);
    if (focus !== undefined && !isInside(focus, folder, environment.platform)) continue;
    files.push(...(await filesOf(folder, await ownerOf(folder, known, context), context)));
  }
  if (focus === undefined) return files;
  const isFile = (await source.stat(focus))?.kind === "file";
  const within = files.filter((file) => isInside(file.path, focus, environment.platform));
  // A session's subagents lie beside it, in a folder called like it.
  if (isFile && within.length > 0) return [...within, ...files.filter(({ above }) => above !== undefined)];
  if (within.length > 0) return within;
  return isFile
    ? [{ path: focus, folder: undefined, owner: undefined }]
    : chatsIn(focus, undefined, undefined, context);
}

async function filesOf(
  folder: string,
  owner: string | undefined,
  context: ListContext,
): Promise<SessionFile[]> {
  const path = pathOf(context.environment);
  const files = await chatsIn(path.join(folder, CHATS), folder, owner, context);
  for (const { name: file } of await entriesOf(folder, context))
    if (isCheckpoint(file)) files.push({ path: path.join(folder, file), folder, owner });
  return files;
}

async function chatsIn(
  chats: string,
  folder: string | undefined,
  owner: string | undefined,
  context: ListContext,
): Promise<SessionFile[]> {
  const path = pathOf(context.environment);
  const files: SessionFile[] = [];
  for (const { name: entry, kind } of await entriesOf(chats, context)) {
    if (isSessionFile(entry)) files.push({ path: path.join(chats, entry), folder, owner });
    else if (kind !== "file")
      for (const { name: below } of await entriesOf(path.join(chats, entry), context))
        if (/\.jsonl?$/.test(below))
          files.push({ path: path.join(chats, entry, below), folder, owner, above: entry });
  }
  return files;
}

/** What a folder holds; nothing of one that may not be read. */
async function entriesOf(folder: string, context: ListContext): Promise<DirEntry[]> {
  return (await unlessUnreadable(context, () => context.source.readDir(folder))) ?? [];
}
