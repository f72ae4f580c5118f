/** Hands out the turns of a script. */
import type { JsonObject } from "./json.js";
import { spoken } from "./said.js";
import type { Script, Turn, When } from "./script.js";

/** The turn for each request, asked in the order in which they came. */
export function player({ rules = [], turns = [], fallback = "ok" }: Script): (body: JsonObject) => Turn {
  const waiting = [...turns];
  return (body) => {
    const fits = fitting(body);
    const rule = rules.find(({ when }) => fits(when));
    if (rule) return rule.turn;
    const at = waiting.findIndex((turn) => typeof turn === "string" || fits(turn.match ?? {}));
    return (at < 0 ? undefined : waiting.splice(at, 1)[0]) ?? fallback;
  };
}

function fitting(body: JsonObject): (when: string | When) => boolean {
  const text = JSON.stringify(body);
  const { system, lastUser } = spoken(body);
  const tools = Array.isArray(body.tools) && body.tools.length > 0;
  return (when) => {
    const wanted: When = typeof when === "string" ? { any: when } : when;
    return (
      text.includes(wanted.any ?? "") &&
      system.includes(wanted.system ?? "") &&
      lastUser.includes(wanted.lastUser ?? "") &&
      !(wanted.noTools && tools)
    );
  };
}
