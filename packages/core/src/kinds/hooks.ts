/**
 * Hooks in the shape that Claude Code made and Codex took over:
 * `{ hooks: { Event: [{ matcher?, hooks: [{ type, command, timeout? }] }] } }`.
 */
import type { Hook } from "../state/tools.js";
import type { JsonEditor, JsonValue } from "./edit/json.js";
import { isObject } from "./mcp.js";

export function readHooks(value: unknown, place: Pick<Hook, "scope" | "project">): Hook[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown) =>
      isObject(group) && Array.isArray(group.hooks)
        ? group.hooks.filter(isObject).map((hook) => oneHook(event, group.matcher, hook, place))
        : [],
    ),
  );
}

function oneHook(
  event: string,
  matcher: unknown,
  hook: Record<string, unknown>,
  place: Pick<Hook, "scope" | "project">,
): Hook {
  const { type, command, timeout, ...options } = hook;
  return {
    ...place,
    event,
    ...(typeof matcher === "string" && { matcher }),
    type: typeof type === "string" ? type : "command",
    ...(typeof command === "string" && { command }),
    ...(typeof timeout === "number" && { timeout }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** The file's text with the hook in it, as a group of its own; as it was if the hook is there. */
export function addHook(json: JsonEditor, before: string | undefined, hook: Hook): string {
  const root = json.parse(before);
  const had = readHooks(isObject(root) ? root.hooks : undefined, hook);
  if (had.some((one) => sameHook(one, hook))) return before ?? "";
  return json.add(before, ["hooks", hook.event], [written(hook)]);
}

function written({ matcher, type, command, timeout, options }: Hook): JsonValue {
  const hook = {
    type,
    ...(command !== undefined && { command }),
    ...(timeout !== undefined && { timeout }),
    ...(options as Record<string, JsonValue> | undefined),
  };
  return { ...(matcher !== undefined && { matcher }), hooks: [hook] };
}

/** The same thing happens at the same event, wherever it is written. */
export function sameHook(a: Hook, b: Hook): boolean {
  return (
    a.event === b.event &&
    (a.matcher ?? "") === (b.matcher ?? "") &&
    a.type === b.type &&
    a.command === b.command
  );
}

/** For people, before they allow it. */
export function hookLine({ event, matcher, type, command, options }: Hook): string {
  const what = command ?? `${type} ${JSON.stringify(options ?? {})}`;
  return `at ${event}${matcher ? ` (${matcher})` : ""}: ${what}`;
}
