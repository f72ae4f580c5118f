/** The conversations of an export: what a list shows of them. */
import type { ListContext, SessionRef, Source, Store } from "@asp-convert/core";
import { type Fields, fields, isoOf, name, number, parsed } from "@asp-convert/core/values";
import { type Export, listExport, objectsIn, slicesIn } from "../exports.js";
import { type About, titleOf } from "../refs.js";
import { isExport } from "./layout.js";
import { activePath, nodesOf, textOf } from "./nodes.js";

const exported: Export = {
  harness: "chatgpt",
  extension: ".json",
  isExport,
  places: objectsIn,
  about: (text) => {
    const value = fields(parsed(text));
    return value?.mapping === undefined ? undefined : aboutOf(value);
  },
};

export function listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  return listExport(exported, store, context);
}

export function view(store: Store, source: Source): Source {
  return slicesIn(store, exported).view(source);
}

function aboutOf(value: Fields): About {
  const nodes = nodesOf(Object.entries(fields(value.mapping) ?? {}));
  const talk = activePath(nodes, name(value.current_node)).flatMap(({ message }) => message ?? []);
  const said = talk.filter(
    ({ role, hidden, content, recipient }) =>
      (role === "user" || (role === "assistant" && recipient === undefined)) &&
      !hidden &&
      textOf(content) !== "",
  );
  const prompt = said.find(({ role }) => role === "user");
  const created = seconds(value.create_time) ?? said[0]?.time;
  const updated = seconds(value.update_time) ?? said.at(-1)?.time;
  const model = name(value.default_model_slug) ?? talk.findLast((message) => message.model)?.model;
  return {
    id: name(value.conversation_id) ?? name(value.id),
    ...titleOf(name(value.title), prompt && textOf(prompt.content)),
    ...(created !== undefined && { createdAt: created }),
    ...(updated !== undefined && { updatedAt: updated }),
    ...(model !== undefined && model !== "auto" && { model }),
    ...(value.is_archived === true && { archived: true }),
    messages: said.length,
  };
}

function seconds(value: unknown): string | undefined {
  const at = number(value);
  return at === undefined ? undefined : isoOf(Math.round(at * 1000));
}
