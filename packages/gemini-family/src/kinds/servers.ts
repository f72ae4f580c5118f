/** One entry of `mcpServers` in the family's form ⇄ a portable server. */
import type { McpServer, Pair, ToolOptions } from "@asp-convert/core";
import { isObject, isStdio, type JsonValue } from "@asp-convert/core/kinds";
import type { Place } from "./program.js";

const KNOWN = new Set([
  ...["command", "args", "env", "cwd", "url", "httpUrl", "type", "headers"],
  ...["timeout", "includeTools", "excludeTools", "oauth"],
]);

/** A server, or why it is none. `left`: parts of it that go nowhere else. */
export type ReadServer = { server: McpServer; left: string[] } | { invalid: string };

/** @param isOff the settings name it among those that are switched off. */
export function readServer(
  name: string,
  value: unknown,
  place: Place,
  harness: string,
  isOff = false,
): ReadServer {
  if (!isObject(value)) return { invalid: "no object" };
  const left: string[] = [];
  const _meta = { asp: { ...place, ...optionsOf(value, harness, left), ...(isOff && { enabled: false }) } };
  const { command, url, httpUrl, type } = value;
  if (typeof httpUrl === "string")
    return {
      server: { type: "http", name, url: portable(httpUrl), headers: pairs(value.headers), _meta },
      left,
    };
  // An address alone is one for events, unless it says otherwise.
  if (typeof url === "string")
    return {
      server: {
        type: type === "http" ? "http" : "sse",
        name,
        url: portable(url),
        headers: pairs(value.headers),
        _meta,
      },
      left,
    };
  if (typeof command !== "string") return { invalid: "neither a command nor an address" };
  const args = (Array.isArray(value.args) ? value.args : []).filter((arg) => typeof arg === "string");
  return {
    server: { name, command: portable(command), args: args.map(portable), env: pairs(value.env), _meta },
    left,
  };
}

/** `$NAME` is a reference to both programs; `${NAME}` and `${NAME:-default}` are the portable form already. */
function portable(text: string): string {
  return text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`);
}

function pairs(value: unknown): Pair[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, inner]) =>
    typeof inner === "string" ? [{ name, value: portable(inner) }] : [],
  );
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

function optionsOf(value: Record<string, unknown>, harness: string, left: string[]): Partial<ToolOptions> {
  const { cwd, timeout, oauth } = value;
  const enabledTools = texts(value.includeTools);
  const disabledTools = texts(value.excludeTools);
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key)));
  if (isObject(oauth) && oauth.clientSecret !== undefined) left.push("oauth.clientSecret");
  const scopes = isObject(oauth) ? texts(oauth.scopes) : undefined;
  return {
    ...(typeof cwd === "string" && { cwd: portable(cwd) }),
    ...(typeof timeout === "number" && { callTimeoutMs: timeout }),
    ...(enabledTools && { enabledTools }),
    ...(disabledTools && { disabledTools }),
    ...(isObject(oauth) && {
      oauth: {
        ...(typeof oauth.clientId === "string" && { clientId: oauth.clientId }),
        ...(scopes && { scopes }),
      },
    }),
    ...(Object.keys(rest).length > 0 && { native: { harness, value: rest } }),
  };
}

/** `lost`: options there is no word for. */
export type WrittenServer =
  | { entry: Record<string, JsonValue>; isOff: boolean; lost: string[] }
  | { impossible: string };

export function writeServer(server: McpServer, harness: string): WrittenServer {
  const { asp } = server._meta;
  if (!isStdio(server) && server.type === "ws") return { impossible: "it speaks no ws" };
  const { startupTimeoutMs, approval, toolApproval, literal, native } = asp;
  const lost = Object.entries({ startupTimeoutMs, approval, toolApproval }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  for (const at of literal ?? []) lost.push(`\${…} in ${at} (here it is a reference, whatever it says)`);
  if (native && native.harness !== harness) lost.push(...Object.keys(native.value));
  const own = native?.harness === harness ? (native.value as Record<string, JsonValue>) : {};
  const { clientId, scopes, callbackPort, authServerMetadataUrl } = asp.oauth ?? {};
  if (callbackPort !== undefined) lost.push("oauth.callbackPort");
  if (authServerMetadataUrl !== undefined) lost.push("oauth.authServerMetadataUrl");
  const common: Record<string, JsonValue> = {
    ...(asp.cwd !== undefined && { cwd: asp.cwd }),
    ...(asp.callTimeoutMs !== undefined && asp.callTimeoutMs > 0 && { timeout: asp.callTimeoutMs }),
    ...(asp.enabledTools && { includeTools: asp.enabledTools }),
    ...(asp.disabledTools && { excludeTools: asp.disabledTools }),
    ...(asp.oauth && {
      oauth: { enabled: true, ...(clientId !== undefined && { clientId }), ...(scopes && { scopes }) },
    }),
    ...own,
  };
  const all = (list: readonly Pair[]) => Object.fromEntries(list.map(({ name, value }) => [name, value]));
  const isOff = asp.enabled === false;
  if (isStdio(server)) {
    const { command, args, env } = server;
    return { entry: { command, args, ...(env.length > 0 && { env: all(env) }), ...common }, isOff, lost };
  }
  const headers = server.headers.length > 0 ? { headers: all(server.headers) } : {};
  const address = server.type === "http" ? { httpUrl: server.url } : { url: server.url };
  return { entry: { ...address, ...headers, ...common }, isOff, lost };
}
