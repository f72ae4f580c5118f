/** What a request says, whatever its dialect: enough to tell requests apart. */
import { asObject, type JsonObject } from "./json.js";

/** The texts of the system prompt, and those of the last message in which the user said something. */
export function spoken(body: JsonObject): { system: string; lastUser: string } {
  const { messages, input, contents } = body;
  const list: unknown = [messages, input, contents].find((value) => Array.isArray(value));
  const said = Array.isArray(list) ? list.map(asObject).filter((entry) => entry !== undefined) : [];
  const ofSystem = said.filter(({ role }) => role === "system" || role === "developer");
  const heads = [body.system, body.instructions, body.systemInstruction, body.system_instruction];
  const last = said.findLast((entry) => entry.role === "user" && textOf(entry) !== "");
  return {
    system: [...heads, ...ofSystem].map(textOf).join("\n"),
    lastUser: typeof input === "string" ? input : textOf(last),
  };
}

/** A text, a list of parts with texts, or what holds either as `content` or `parts`. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((text) => text !== "")
      .join("\n");
  const object = asObject(value);
  if (!object) return "";
  return typeof object.text === "string" ? object.text : textOf(object.content ?? object.parts);
}
