/** `state.json` of a session: what it is called, whose it is, and which agents it has. */
import { type ListContext, pathOf, type SessionRef, unlessUnreadable } from "@asp-convert/core";
import { type Fields, fields, isMoment, name, oneLine, parsed, string } from "@asp-convert/core/values";
import { STATE_FILE } from "../layout.js";

/** @param folder of the session. Empty where there is none, or none that can be read. */
export async function stateOf(folder: string, context: ListContext): Promise<Fields> {
  const { source, environment } = context;
  const path = pathOf(environment).join(folder, STATE_FILE);
  const bytes = await unlessUnreadable(context, () => source.readFile(path));
  return (
    fields(
      parsed(
        bytes &&
          Buffer.from(bytes)
            .toString("utf8")
            .replace(/^\uFEFF/, ""),
      ),
    ) ?? {}
  );
}

/** Set by a person, made by the program, or the words of a prompt, which another one may take the place of. */
export function titleOf(state: Fields): Pick<SessionRef, "title" | "titleFrom"> {
  const title = oneLine(string(state.title));
  if (title === "") return {};
  const isCustom =
    state.titleKind === "custom" || (state.titleKind === undefined && state.isCustomTitle === true);
  return { title, titleFrom: isCustom ? "user" : state.titleKind === "generated" ? "agent" : "prompt" };
}

/** The agents besides the main one: which agent started each, and what it is. */
export function agentOf(
  state: Fields,
  agent: string,
): { parent: string | undefined; profile: string | undefined } {
  const known = fields(fields(state.agents)?.[agent]) ?? {};
  const labels = fields(known.labels) ?? {};
  return {
    parent: name(known.parentAgentId) ?? name(labels.parentAgentId),
    profile: name(labels.profileName),
  };
}

export function momentOf(value: unknown): number | undefined {
  return isMoment(value) ? value : undefined;
}
