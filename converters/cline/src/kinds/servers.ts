/** One MCP server between Cline's form and the portable one. Cline follows no variables: a value is what it says. */
import type { McpServer, Pair, ToolOptions } from "@asp-convert/core";
import { hasReference, isObject, isStdio, type JsonValue } from "@asp-convert/core/kinds";
import { HARNESS } from "./places.js";

/** A server, or why it is none. `left`: parts of it that go nowhere else. */
export type ReadServer = { server: McpServer; left: string[] } | { invalid: string };

const KNOWN = new Set([
  ...["type", "transport", "transportType", "command", "args", "env", "cwd", "url", "headers"],
  ...["disabled", "timeout", "oauth", "oauthClient"],
]);

export function readServer(name: string, value: unknown): ReadServer {
  if (!isObject(value)) return { invalid: "no object" };
  const inner = isObject(value.transport) ? value.transport : value;
  const { command, args, env, cwd, url, headers, type = value.transportType } = inner;
  const literal: string[] = [];
  const left: string[] = [];
  const plain = (at: string, text: string) => {
    if (hasReference(text)) literal.push(at);
    return text;
  };
  const pairs = (at: string, given: unknown): Pair[] =>
    Object.entries(isObject(given) ? given : {}).flatMap(([key, one]) =>
      typeof one === "string" ? [{ name: key, value: plain(`${at}.${key}`, one) }] : [],
    );
  const strings = (given: unknown) =>
    Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
  const options = (): ToolOptions => {
    const { oauth, oauthClient, disabled, timeout } = value;
    if (oauth !== undefined) left.push("oauth");
    if (isObject(oauthClient) && oauthClient.clientSecret !== undefined)
      left.push("oauthClient.clientSecret");
    const clientId = isObject(oauthClient) ? oauthClient.clientId : undefined;
    const rest = Object.entries(value).filter(([key]) => !KNOWN.has(key));
    return {
      scope: "user",
      ...(typeof cwd === "string" && { cwd }),
      ...(disabled === true && { enabled: false }),
      ...(typeof timeout === "number" && { callTimeoutMs: timeout * 1000 }),
      ...(typeof clientId === "string" && { oauth: { clientId } }),
      ...(literal.length > 0 && { literal }),
      ...(rest.length > 0 && { native: { harness: HARNESS, value: Object.fromEntries(rest) } }),
    };
  };
  if (typeof command === "string") {
    const server = {
      name,
      command: plain("command", command),
      args: strings(args).map((arg, i) => plain(`args.${i}`, arg)),
      env: pairs("env", env),
    };
    return { server: { ...server, _meta: { asp: options() } }, left };
  }
  if (typeof url !== "string") return { invalid: "neither a command nor an address" };
  // An address alone is one for events, unless it says otherwise.
  const isHttp = type === "streamableHttp" || type === "http";
  const server = { type: isHttp ? ("http" as const) : ("sse" as const), name, url: plain("url", url) };
  return { server: { ...server, headers: pairs("headers", headers), _meta: { asp: options() } }, left };
}

/** `lost`: options there is no word for. */
export type WrittenServer = { entry: Record<string, JsonValue>; lost: string[] } | { impossible: string };

export function writeServer(server: McpServer): WrittenServer {
  const { asp } = server._meta;
  if (!isStdio(server) && server.type === "ws") return { impossible: "it speaks no ws" };
  const variable = referencesIn(server)[0];
  if (variable !== undefined) return { impossible: `it follows no variables, and ${variable} names one` };
  const { startupTimeoutMs, approval, toolApproval, enabledTools, disabledTools, native, oauth } = asp;
  const unknown = { startupTimeoutMs, approval, toolApproval, enabledTools, disabledTools };
  const lost = Object.entries(unknown).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (native && native.harness !== HARNESS) lost.push(...Object.keys(native.value));
  for (const key of ["callbackPort", "scopes", "authServerMetadataUrl"] as const)
    if (oauth?.[key] !== undefined) lost.push(`oauth.${key}`);
  const own = native?.harness === HARNESS ? (native.value as Record<string, JsonValue>) : {};
  const common: Record<string, JsonValue> = {
    ...(asp.enabled === false && { disabled: true }),
    ...(asp.callTimeoutMs !== undefined &&
      asp.callTimeoutMs > 0 && { timeout: Math.ceil(asp.callTimeoutMs / 1000) }),
    ...(oauth?.clientId !== undefined && { oauthClient: { clientId: oauth.clientId } }),
    ...own,
  };
  const all = (list: readonly Pair[]) => Object.fromEntries(list.map(({ name, value }) => [name, value]));
  if (isStdio(server)) {
    const { command, args, env } = server;
    const cwd = asp.cwd === undefined ? {} : { cwd: asp.cwd };
    return { entry: { command, args, ...cwd, ...(env.length > 0 && { env: all(env) }), ...common }, lost };
  }
  if (asp.cwd !== undefined) lost.push("cwd");
  const headers = server.headers.length > 0 ? { headers: all(server.headers) } : {};
  const type = server.type === "http" ? "streamableHttp" : "sse";
  return { entry: { type, url: server.url, ...headers, ...common }, lost };
}

/** Where a variable is meant. */
function referencesIn(server: McpServer): string[] {
  const literal = new Set(server._meta.asp.literal);
  const pairs = (at: string, list: readonly Pair[]) =>
    list.map(({ name, value }) => [`${at}.${name}`, value] as const);
  const values = isStdio(server)
    ? [
        ["command", server.command] as const,
        ...server.args.map((arg, i) => [`args.${i}`, arg] as const),
        ...pairs("env", server.env),
      ]
    : [["url", server.url] as const, ...pairs("headers", server.headers)];
  return values.flatMap(([at, value]) => (hasReference(value) && !literal.has(at) ? [at] : []));
}
