/** The conversations of an export: what a list shows of them. */
import type { ListContext, SessionRef, Source, Store } from "@asp-convert/core";
import { type Fields, fields, isoTime, list, name, parsed, string } from "@asp-convert/core/values";
import { type Export, listExport, objectsIn, slicesIn } from "../exports.js";
import { type About, titleOf } from "../refs.js";

const exported: Export = {
  harness: "claude-ai",
  extension: ".json",
  isExport: (file) => file === "conversations.json",
  places: objectsIn,
  about: (text) => {
    const value = fields(parsed(text));
    return value?.chat_messages === undefined ? undefined : aboutOf(value);
  },
};

export function listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  return listExport(exported, store, context);
}

export function view(store: Store, source: Source): Source {
  return slicesIn(store, exported).view(source);
}

function aboutOf(value: Fields): About {
  const said = list(value.chat_messages)
    .map((message) => fields(message) ?? {})
    .filter((message) => textOf(message) !== "");
  const prompt = said.find(({ sender }) => sender === "human");
  const created = isoTime(value.created_at);
  const updated = isoTime(value.updated_at);
  return {
    id: name(value.uuid),
    ...titleOf(name(value.name), prompt && textOf(prompt)),
    ...(created !== undefined && { createdAt: created }),
    ...(updated !== undefined && { updatedAt: updated }),
    messages: said.length,
  };
}

function textOf({ text, content }: Fields): string {
  const texts = list(content).flatMap((block) => string(fields(block)?.text) ?? []);
  return (texts.length > 0 ? texts.join("\n") : (string(text) ?? "")).trim();
}
