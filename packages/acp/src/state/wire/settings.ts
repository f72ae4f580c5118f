/** Settings: the value of each session config option by its id. Whose words they are in stands beside. */
import type { Setting, Settings } from "@asp-convert/core";
import { isMode, isThoughtLevel, looksSecret } from "@asp-convert/core/kinds";
import type { Left } from "../../forms/methods.js";
import type { StateRest } from "../../forms/state.js";

type Values = Record<string, string | boolean | number>;

export function settingsToWire(
  settings: Settings,
  includeSecrets: boolean,
): { values: Values; rest: StateRest; left: Left[] } {
  const left: Left[] = [];
  const options = settings.options.filter(({ id, value }) => {
    const secret = typeof value === "string" && looksSecret(id.replace(/^env\./, ""), value);
    if (!secret || includeSecrets) return true;
    left.push({ kind: "settings", item: id, reason: "a secret value; it stays where it is" });
    return false;
  });
  const values: Values = {};
  for (const { id, value, scope } of options) if (scope === "user") put(values, id, value);
  const { harness, permissions } = settings;
  return { values, left, rest: { settings: { harness, options, ...(permissions && { permissions }) } } };
}

/** An id comes from a file: one named `__proto__` is a key like any other. */
function put(values: Values, id: string, value: Values[string]): void {
  Object.defineProperty(values, id, { value, enumerable: true, configurable: true, writable: true });
}

/** What a client changed in the plain values is what it means. */
export function settingsFromWire(
  values: Values,
  rest: StateRest | undefined | null,
  harness: string,
): Settings {
  const said = rest?.settings;
  const known = new Set<string>();
  const options: Setting[] = [];
  for (const option of said?.options ?? []) {
    if (option.scope !== "user") options.push(option);
    else if (Object.hasOwn(values, option.id) && values[option.id] === option.value) {
      known.add(option.id);
      options.push(option);
    }
  }
  for (const [id, value] of Object.entries(values)) if (!known.has(id)) options.push(plain(id, value));
  const permissions = said?.permissions;
  return { harness: said?.harness ?? harness, options, ...(permissions && { permissions }) };
}

/** Ids differ from agent to agent; these are the ones that real agents use. */
const levels = new Set(["effort", "reasoning_effort", "thought_level"]);

function plain(id: string, value: Values[string]): Setting {
  const word = typeof value === "string" ? value : undefined;
  if (id === "model") return { id, value, category: "model", scope: "user" };
  if (id === "mode")
    return { id, value, category: "mode", scope: "user", ...(isMode(word) && { means: word }) };
  if (levels.has(id))
    return {
      id,
      value,
      category: "thought_level",
      scope: "user",
      ...(isThoughtLevel(word) && { means: word }),
    };
  return { id, value, scope: "user" };
}
