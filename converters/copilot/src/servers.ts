/** One entry of `mcpServers` in Copilot CLI's form ⇄ a portable server. */
import type { McpServer, Pair, ToolOptions } from "@asp-convert/core";
import { isObject, isStdio, type JsonValue } from "@asp-convert/core/kinds";
import { HARNESS, NAME, type Place } from "./layout-state.js";

const KNOWN = new Set([
  ...["type", "command", "args", "env", "cwd", "url", "headers", "tools", "excludeTools", "timeout"],
]);

/** A server, or why it is none. */
export type ReadServer = { server: McpServer } | { invalid: string };

/** @param isOff the settings name it among those that are switched off. */
export function readServer(name: string, value: unknown, place: Place, isOff = false): ReadServer {
  if (!isObject(value)) return { invalid: "no object" };
  const _meta = { asp: { ...place, ...optionsOf(value), ...(isOff && { enabled: false }) } };
  const { type, command, url } = value;
  const isLocal = type === undefined || type === "local" || type === "stdio";
  if (typeof command === "string" && isLocal)
    return { server: { name, command, args: strings(value.args), env: pairs(value.env), _meta } };
  if (typeof url !== "string" || !(type === undefined || type === "http" || type === "sse"))
    return { invalid: "neither a command nor an address" };
  const headers = pairs(value.headers);
  return { server: { type: type === "sse" ? "sse" : "http", name, url, headers, _meta } };
}

function optionsOf(value: Record<string, unknown>): Partial<ToolOptions> {
  const { cwd, timeout, tools, excludeTools } = value;
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key)));
  const enabled = strings(tools);
  return {
    ...(typeof cwd === "string" && { cwd }),
    ...(typeof timeout === "number" && { callTimeoutMs: timeout }),
    // `*` is all of them.
    ...(Array.isArray(tools) && !enabled.includes("*") && { enabledTools: enabled }),
    ...(Array.isArray(excludeTools) && { disabledTools: strings(excludeTools) }),
    ...(Object.keys(rest).length > 0 && { native: { harness: HARNESS, value: rest } }),
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function pairs(value: unknown): Pair[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, inner]) =>
    typeof inner === "string" ? [{ name, value: inner }] : [],
  );
}

/** `lost`: options there is no word for. */
export type WrittenServer =
  | { entry: Record<string, JsonValue>; isOff: boolean; lost: string[] }
  | { impossible: string };

export function writeServer(server: McpServer): WrittenServer {
  const { asp } = server._meta;
  if (!isStdio(server) && server.type === "ws") return { impossible: `${NAME} speaks no ws` };
  const { startupTimeoutMs, approval, toolApproval, oauth, callTimeoutMs, native } = asp;
  const lost = Object.entries({ startupTimeoutMs, approval, toolApproval, oauth }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  if (native && native.harness !== HARNESS) lost.push(...Object.keys(native.value));
  const table = (at: "env" | "headers", list: readonly Pair[]): Record<string, JsonValue> =>
    list.length === 0 ? {} : { [at]: Object.fromEntries(list.map(({ name, value }) => [name, value])) };
  const common: Record<string, JsonValue> = {
    tools: asp.enabledTools ?? ["*"],
    ...(asp.disabledTools && { excludeTools: asp.disabledTools }),
    ...(callTimeoutMs !== undefined && callTimeoutMs > 0 && { timeout: callTimeoutMs }),
    ...(native?.harness === HARNESS && (native.value as Record<string, JsonValue>)),
  };
  const isOff = asp.enabled === false;
  if (isStdio(server)) {
    const { command, args, env } = server;
    const cwd = asp.cwd === undefined ? {} : { cwd: asp.cwd };
    return { entry: { type: "local", command, args, ...table("env", env), ...cwd, ...common }, isOff, lost };
  }
  if (asp.cwd !== undefined) lost.push("cwd");
  const { type, url, headers } = server;
  return { entry: { type, url, ...table("headers", headers), ...common }, isOff, lost };
}
