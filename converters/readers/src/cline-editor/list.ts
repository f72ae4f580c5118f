/** The tasks of a store: what a list shows of them is in the extension's own list, or else in the task. */
import {
  isInside,
  type ListContext,
  pathOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields, isoOf, list, name, number, parsed } from "@asp-convert/core/values";
import { wordsOf } from "../anthropic.js";
import { refOf, titleOf, wholeText } from "../refs.js";
import { HISTORY, TASKS } from "./layout.js";
import { folderIn, isContext, taskIn } from "./task.js";

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const { source, environment, signal } = context;
  const { root, focus } = store;
  const { join } = pathOf(environment);
  const known = await historyOf(store, context);
  const folder = join(root, TASKS);
  for (const { name: id, kind } of (await unlessUnreadable(context, () => source.readDir(folder))) ?? []) {
    signal?.throwIfAborted();
    const path = join(folder, id, HISTORY);
    if (kind === "file" || (focus !== undefined && !isInside(path, focus, environment.platform))) continue;
    const ref = await unlessUnreadable(context, async () => {
      if (!(await source.stat(path))) return undefined;
      return task(id, path, known.get(id), store, context);
    });
    if (ref) yield ref;
  }
}

async function task(
  id: string,
  path: string,
  known: Fields | undefined,
  store: Store,
  context: ListContext,
): Promise<SessionRef> {
  const { source, environment } = context;
  const { text, size } = await wholeText(path, source);
  const messages = list(parsed(text)).map((message) => fields(message) ?? {});
  const said = messages.filter(({ content }) => wordsOf(content, isContext) !== "");
  const began = number(Number(id));
  const info = await source.stat(path);
  const created = isoOf(began) ?? isoOf(info?.mtimeMs);
  const updated = isoOf(number(known?.ts)) ?? isoOf(info?.mtimeMs);
  const cwd = name(known?.cwdOnTaskInitialization) ?? folderIn(messages);
  const metadata = fields(
    parsed(await textIn(pathOf(environment).join(path, "..", "task_metadata.json"), context)),
  );
  const model = list(metadata?.model_usage)
    .flatMap((use) => name(fields(use)?.model_id) ?? [])
    .at(-1);
  return refOf(
    { harness: "cline-editor", cwd },
    {
      ...{ id, path, size, messages: said.length },
      ...titleOf(undefined, name(known?.task) ?? taskIn(messages)),
      ...(created !== undefined && { createdAt: created }),
      ...(updated !== undefined && { updatedAt: updated }),
      ...(began === undefined && { timesInferred: true }),
      ...(model !== undefined && { model }),
    },
    store,
    context,
  );
}

/** `state/taskHistory.json`, by id. Some versions keep it inside of the editor: then there is none. */
async function historyOf({ root }: Store, context: ListContext): Promise<ReadonlyMap<string, Fields>> {
  const path = pathOf(context.environment).join(root, "state", "taskHistory.json");
  const entries = list(parsed(await unlessUnreadable(context, () => textIn(path, context))));
  return new Map(
    entries.flatMap((entry) => {
      const task = fields(entry);
      const id = name(task?.id);
      return task && id !== undefined ? [[id, task] as const] : [];
    }),
  );
}

async function textIn(path: string, { source }: ListContext): Promise<string | undefined> {
  const bytes = await source.readFile(path);
  return bytes && Buffer.from(bytes).toString("utf8");
}
