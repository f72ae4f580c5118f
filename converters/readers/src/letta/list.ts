/** Agents, a file each. A file of several is read as its first. */
import { type ListContext, pathOf, type SessionRef, type Store } from "@asp-convert/core";
import { fields, list, parsed } from "@asp-convert/core/values";
import { type About, listFiles, titleOf } from "../refs.js";
import { agentOf, spoken, textOf, timeOf } from "./agents.js";

export function listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  return listFiles("letta", files, about, store, context);
}

async function files({ root }: Store, { source, environment }: ListContext): Promise<string[]> {
  const { join } = pathOf(environment);
  return (await source.readDir(root)).flatMap(({ name }) => (name.endsWith(".af") ? [join(root, name)] : []));
}

function about(text: string): About | undefined {
  const value = fields(parsed(text));
  const agent = agentOf(value) ?? agentOf(list(value?.agents)[0]);
  if (!agent) return undefined;
  const said = agent.messages.filter(
    (message) =>
      (message.role === "user" && spoken(textOf(message)).isPerson) ||
      (message.role === "assistant" && textOf(message) !== ""),
  );
  const prompt = said.find(({ role }) => role === "user");
  const times = agent.messages.flatMap((message) => timeOf(message) ?? []);
  const [first] = times;
  const last = times.at(-1);
  return {
    id: agent.id,
    ...titleOf(agent.name, prompt && spoken(textOf(prompt)).words),
    ...(first !== undefined && { createdAt: first }),
    ...(last !== undefined && { updatedAt: last }),
    ...(agent.model !== undefined && { model: agent.model }),
    messages: said.length,
  };
}
