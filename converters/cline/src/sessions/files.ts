/** The files of a store that sessions lie in: a folder each, with a manifest, the messages, and those of subagents. */
import {
  type DirEntry,
  isInside,
  type ListContext,
  pathOf,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, parsed } from "@asp-convert/core/values";
import { compactionFile, manifestFile, messagesFile, sessionsFolder, stemOf } from "../layout.js";

export interface SessionFiles {
  folder: string;
  /** The name of the folder: the session's id. */
  id: string;
  /** undefined: only subagents' messages are left of it. */
  messages: string | undefined;
  manifest: string | undefined;
  compaction: string | undefined;
  /** Messages of subagents, by what their ids end with. */
  children: readonly { stem: string; path: string }[];
}

export async function sessionFiles(store: Store, context: ListContext): Promise<SessionFiles[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const { focus } = store;
  const sessions = sessionsFolder(store.root, environment);
  const found: SessionFiles[] = [];
  if (
    focus === undefined ||
    isInside(focus, sessions, environment.platform) ||
    isInside(sessions, focus, environment.platform)
  ) {
    for (const { name, kind } of await entriesOf(sessions, context)) {
      const folder = path.join(sessions, name);
      if (kind === "file" || (focus !== undefined && !isNear(focus, folder, environment.platform))) continue;
      const files = await filesIn(folder, name, context);
      if (files) found.push(files);
    }
    return found;
  }
  const info = await source.stat(focus);
  const folder = info?.kind === "file" ? path.dirname(focus) : focus;
  const files = await filesIn(folder, path.basename(folder), context);
  if (files?.messages !== undefined) return [files];
  // Taken out of its folder, it still says in its name whose it is.
  const stem = stemOf(path.basename(focus));
  return stem === undefined || info?.kind !== "file"
    ? files
      ? [files]
      : []
    : [{ folder, id: stem, messages: focus, manifest: undefined, compaction: undefined, children: [] }];
}

function isNear(focus: string, folder: string, platform: NodeJS.Platform): boolean {
  return isInside(focus, folder, platform) || isInside(folder, focus, platform);
}

async function filesIn(folder: string, id: string, context: ListContext): Promise<SessionFiles | undefined> {
  const path = pathOf(context.environment);
  const entries = await entriesOf(folder, context);
  const names = new Set(entries.map(({ name }) => name));
  const at = (name: string) => (names.has(name) ? path.join(folder, name) : undefined);
  const messages = at(messagesFile(id));
  const children = entries.flatMap(({ name }) => {
    const stem = stemOf(name);
    return stem === undefined || stem === id ? [] : [{ stem, path: path.join(folder, name) }];
  });
  if (messages === undefined && children.length === 0) return undefined;
  return {
    folder,
    id,
    messages,
    manifest: at(manifestFile(id)),
    compaction: at(compactionFile(id)),
    children,
  };
}

/** What a folder holds; nothing of one that may not be read. */
async function entriesOf(folder: string, context: ListContext): Promise<DirEntry[]> {
  return (await unlessUnreadable(context, () => context.source.readDir(folder))) ?? [];
}

const SMALL = 16 * 1024 * 1024;

/**
 * A manifest, or the state of a compaction: small beside the messages. Empty for what is no JSON.
 * @throws SourceError if it may not be read
 */
export async function objectIn(
  file: string | undefined,
  { source }: Pick<ListContext, "source">,
): Promise<Fields> {
  if (file === undefined) return {};
  const bytes = await source.readFile(file, SMALL);
  const text =
    bytes &&
    Buffer.from(bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  return fields(parsed(text)) ?? {};
}
