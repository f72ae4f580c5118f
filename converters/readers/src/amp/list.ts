/** The threads that are on disk. */
import { type ListContext, pathOf, type SessionRef, SourceError, type Store } from "@asp-convert/core";
import { fields, isoOf, list, name, number, parsed } from "@asp-convert/core/values";
import { wordsOf } from "../anthropic.js";
import { type About, listFiles, titleOf } from "../refs.js";
import { DEVICE, isThread, THREADS } from "./layout.js";
import { folderOf } from "./thread.js";

export function listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  return listFiles("amp", files, about, store, context);
}

async function files({ root }: Store, { source, environment, onUnreadable }: ListContext): Promise<string[]> {
  const { join } = pathOf(environment);
  const found: string[] = [];
  for (const folder of [root, join(root, THREADS)])
    for (const { name } of await source.readDir(folder)) if (isThread(name)) found.push(join(folder, name));
  if (found.length === 0 && (await source.stat(join(root, DEVICE)))) {
    const where = "its threads are on Amp's server; `amp threads export` gives one as a file";
    onUnreadable?.(new SourceError(root, "missing", where));
  }
  return found;
}

function about(text: string): About | undefined {
  const thread = fields(parsed(text));
  if (!thread || !Array.isArray(thread.messages)) return undefined;
  const said = list(thread.messages)
    .map((message) => fields(message) ?? {})
    .filter(({ content }) => wordsOf(content) !== "");
  const created = isoOf(number(thread.created));
  const sent = said.flatMap(({ meta }) => isoOf(number(fields(meta)?.sentAt)) ?? []);
  const updated = sent.at(-1) ?? created;
  const model = said.flatMap(({ usage }) => name(fields(usage)?.model) ?? []).at(-1);
  const cwd = folderOf(thread);
  return {
    id: name(thread.id),
    ...titleOf(name(thread.title), wordsOf(said.find(({ role }) => role === "user")?.content)),
    ...(created !== undefined && { createdAt: created }),
    ...(updated !== undefined && { updatedAt: updated }),
    ...(model !== undefined && { model }),
    ...(cwd !== undefined && { cwd }),
    messages: said.length,
  };
}
