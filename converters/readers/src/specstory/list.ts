/** The files of a history. */
import { type ListContext, pathOf, type SessionRef, type Store } from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { type About, listFiles, titleOf } from "../refs.js";
import { GENERATED } from "./layout.js";
import { blocksOf, partsOf } from "./parts.js";

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  for await (const ref of listFiles("specstory", files, about, store, context))
    yield { ...ref, cwd: store.root };
}

async function files({ root }: Store, { source, environment }: ListContext): Promise<string[]> {
  const { join } = pathOf(environment);
  const history = join(root, ".specstory", "history");
  return (await source.readDir(history)).flatMap(({ name }) =>
    name.endsWith(".md") ? [join(history, name)] : [],
  );
}

function about(text: string): About | undefined {
  if (!GENERATED.test(text)) return undefined;
  const [head, ...parts] = [...partsOf(Buffer.from(text))];
  const said = (head?.by ? [head, ...parts] : parts).filter((part) => blocksOf(part.text).length > 0);
  const [, title, day, clock] =
    /^##? (.*?)(?:\s*\(?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)Z?\)?)?$/m.exec(head?.text ?? "") ?? [];
  const began = said[0]?.time ?? (day === undefined ? undefined : isoTime(`${day}T${clock}`));
  const ended = said.findLast((part) => part.time)?.time ?? began;
  const model = said.findLast((part) => part.model)?.model;
  return {
    ...titleOf(title, said.find(({ by }) => by === "user")?.text),
    ...(began !== undefined && { createdAt: began }),
    ...(ended !== undefined && { updatedAt: ended }),
    ...(model !== undefined && { model }),
    messages: said.length,
  };
}
