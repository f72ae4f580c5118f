/** One entry of `mcp` in a config ⇄ a portable server. */
import type { McpServer, Pair, ToolOptions } from "@asp-convert/core";
import { isObject, isStdio, type JsonValue } from "@asp-convert/core/kinds";
import type { Place } from "./places.js";
import { fromNative, toNative } from "./values.js";

const KNOWN = new Set([
  "type",
  "command",
  "cwd",
  "environment",
  "url",
  "headers",
  "oauth",
  "enabled",
  "timeout",
]);

/** A server, or why it is none. `left`: parts of it that go nowhere else. */
export type ReadServer = { server: McpServer; left: string[] } | { invalid: string };

/** @param tools the config's `tools`: which tools there are at all, by `<server>_<tool>`. */
export function readServer(
  name: string,
  value: unknown,
  place: Place,
  harness: string,
  tools: Readonly<Record<string, unknown>> = {},
): ReadServer {
  if (!isObject(value)) return { invalid: "no object" };
  const left: string[] = [];
  const literal: string[] = [];
  const text = (at: string, given: string): string => {
    const read = fromNative(given);
    if ("file" in read) {
      left.push(`${at} is the content of a file`);
      return "";
    }
    if (read.literal) literal.push(at);
    return read.value;
  };
  const pairs = (native: unknown, at: "env" | "headers"): Pair[] =>
    Object.entries(isObject(native) ? native : {}).flatMap(([key, inner]) => {
      if (typeof inner !== "string") return [];
      const before = left.length;
      const read = text(`${at}.${key}`, inner);
      return left.length > before ? [] : [{ name: key, value: read }];
    });
  const meta = (): McpServer["_meta"] => {
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key)));
    return {
      asp: {
        ...place,
        ...optionsOf(value, left),
        ...toolsOf(name, tools),
        ...(literal.length > 0 && { literal }),
        ...(Object.keys(rest).length > 0 && { native: { harness, value: rest } }),
      },
    };
  };
  if (typeof value.url === "string") {
    const url = text("url", value.url);
    const headers = pairs(value.headers, "headers");
    return { server: { type: "http", name, url, headers, _meta: meta() }, left };
  }
  const words = Array.isArray(value.command) ? value.command.filter((word) => typeof word === "string") : [];
  const [command, ...args] = words;
  if (command === undefined) return { invalid: "neither a command nor an address" };
  const server = {
    name,
    command: text("command", command),
    args: args.map((arg, i) => text(`args.${i}`, arg)),
    env: pairs(value.environment, "env"),
    _meta: { asp: { ...place } } as McpServer["_meta"],
  };
  server._meta = meta();
  return { server, left };
}

function optionsOf(
  { cwd, enabled, timeout, oauth }: Record<string, unknown>,
  left: string[],
): Partial<ToolOptions> {
  if (isObject(oauth) && oauth.clientSecret !== undefined) left.push("oauth.clientSecret");
  const { clientId, callbackPort, scope } = isObject(oauth) ? oauth : {};
  return {
    ...(typeof cwd === "string" && { cwd }),
    ...(typeof enabled === "boolean" && { enabled }),
    ...(typeof timeout === "number" && { callTimeoutMs: timeout }),
    ...(isObject(oauth) && {
      oauth: {
        ...(typeof clientId === "string" && { clientId }),
        ...(typeof callbackPort === "number" && { callbackPort }),
        ...(typeof scope === "string" && { scopes: scope.split(/\s+/).filter((word) => word !== "") }),
      },
    }),
  };
}

/** `{"lab_*": false, "lab_echo": true}`: only the named ones; `{"lab_echo": false}`: all but it. */
function toolsOf(server: string, tools: Readonly<Record<string, unknown>>): Partial<ToolOptions> {
  const prefix = `${server}_`;
  const own = Object.entries(tools).filter(([key]) => key.startsWith(prefix) && key !== `${prefix}*`);
  const named = (on: boolean) => own.filter(([, is]) => is === on).map(([key]) => key.slice(prefix.length));
  if (tools[`${prefix}*`] === false) return { enabledTools: named(true) };
  const disabledTools = named(false);
  return disabledTools.length > 0 ? { disabledTools } : {};
}

/** `tools`: what of the config's `tools` goes with it. `lost`: options there is no word for. */
export type WrittenServer =
  | { entry: Record<string, JsonValue>; tools: Record<string, boolean>; lost: string[] }
  | { impossible: string };

export function writeServer(server: McpServer, name: string, harness: string): WrittenServer {
  const asp = server._meta.asp;
  if (!isStdio(server) && server.type === "ws") return { impossible: "it speaks no ws" };
  const lost = Object.entries({
    startupTimeoutMs: asp.startupTimeoutMs,
    approval: asp.approval,
    toolApproval: asp.toolApproval,
  })
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key);
  if (asp.native && asp.native.harness !== harness) lost.push(...Object.keys(asp.native.value));
  if (asp.oauth?.authServerMetadataUrl !== undefined) lost.push("oauth.authServerMetadataUrl");
  const text = (at: string, value: string): string => {
    const { text: made, defaults } = toNative(value, asp.literal?.includes(at) ?? false);
    if (defaults.length > 0) lost.push(`the default of ${defaults.join(", ")} (there is none here: set it)`);
    return made;
  };
  const pairs = (list: readonly Pair[], at: string) =>
    Object.fromEntries(list.map(({ name: key, value }) => [key, text(`${at}.${key}`, value)]));
  const own = asp.native?.harness === harness ? (asp.native.value as Record<string, JsonValue>) : {};
  const common: Record<string, JsonValue> = {
    ...(asp.enabled !== undefined && { enabled: asp.enabled }),
    ...(asp.callTimeoutMs !== undefined && asp.callTimeoutMs > 0 && { timeout: asp.callTimeoutMs }),
    ...own,
  };
  const tools = toolSwitches(asp, name);
  if (isStdio(server)) {
    const entry: Record<string, JsonValue> = {
      type: "local",
      command: [text("command", server.command), ...server.args.map((arg, i) => text(`args.${i}`, arg))],
      ...(asp.cwd !== undefined && { cwd: asp.cwd }),
      ...(server.env.length > 0 && { environment: pairs(server.env, "env") }),
      ...common,
    };
    return { entry, tools, lost };
  }
  const { clientId, callbackPort, scopes } = asp.oauth ?? {};
  const entry: Record<string, JsonValue> = {
    type: "remote",
    url: text("url", server.url),
    ...(server.headers.length > 0 && { headers: pairs(server.headers, "headers") }),
    ...(asp.oauth && {
      oauth: {
        ...(clientId !== undefined && { clientId }),
        ...(callbackPort !== undefined && { callbackPort }),
        ...(scopes && { scope: scopes.join(" ") }),
      },
    }),
    ...common,
  };
  return { entry, tools, lost };
}

function toolSwitches({ enabledTools, disabledTools }: ToolOptions, name: string): Record<string, boolean> {
  const all = (tools: readonly string[] | undefined, on: boolean) =>
    (tools ?? []).map((tool) => [`${name}_${tool}`, on] as const);
  return Object.fromEntries([
    ...(enabledTools ? [[`${name}_*`, false] as const] : []),
    ...all(enabledTools, true),
    ...all(disabledTools, false),
  ]);
}
