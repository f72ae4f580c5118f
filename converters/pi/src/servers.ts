/** One entry of `mcpServers` in Pi's form ⇄ a portable server. */
import type { McpServer, Pair, StdioServer, ToolOptions } from "@asp-convert/core";
import { hasReference, isObject, isStdio, type JsonValue, reference } from "@asp-convert/core/kinds";
import { fromPi, toPi } from "./values.js";

const HARNESS = "pi";
const KNOWN = new Set([
  ...["type", "command", "args", "env", "cwd", "url", "headers", "oauth"],
  ...["timeout", "enabled", "exposure", "toolExposure"],
]);
/** Keys of `oauth` that all harnesses mean the same by; the secret is none of them. */
const OAUTH = new Set(["clientId", "callbackPort", "scope", "authServerMetadataUrl", "clientSecret"]);

type Place = Pick<ToolOptions, "scope" | "project">;

/** A server, or why it is none. `left`: parts of it that go nowhere else. */
export type ReadServer = { server: McpServer; left: string[] } | { invalid: string };

export function readServer(name: string, value: unknown, place: Place): ReadServer {
  if (!isObject(value)) return { invalid: "no object" };
  const { type, command, url } = value;
  if (type === "sse") return { invalid: "Pi itself refuses the type sse" };
  const left: string[] = [];
  const literal: string[] = [];
  const pairs = (key: "env" | "headers"): Pair[] =>
    Object.entries(isObject(value[key]) ? value[key] : {}).flatMap(([pair, inner]) => {
      if (typeof inner !== "string") return [];
      const read = fromPi(inner);
      if ("command" in read) {
        left.push(`${key}.${pair} is what a command prints`);
        return [];
      }
      if (read.literal) literal.push(`${key}.${pair}`);
      return [{ name: pair, value: read.value }];
    });
  const options = (): ToolOptions => ({
    ...place,
    ...optionsOf(value, left),
    ...(literal.length > 0 && { literal }),
    ...nativeOf(value, left),
  });
  if (typeof url === "string" && (type === undefined || type === "http" || type === "streamable-http")) {
    const headers = pairs("headers");
    return { server: { type: "http", name, url, headers, _meta: { asp: options() } }, left };
  }
  if (typeof command !== "string" || (type !== undefined && type !== "stdio"))
    return { invalid: "neither a command nor an address" };
  const args = (Array.isArray(value.args) ? value.args : []).filter((arg) => typeof arg === "string");
  const env = pairs("env");
  const server: StdioServer = {
    name,
    command: fromHome(command),
    args: args.map(fromHome),
    env,
    _meta: { asp: options() },
  };
  return { server, left };
}

function optionsOf(value: Record<string, unknown>, left: string[]): Partial<ToolOptions> {
  const { cwd, timeout, enabled, oauth } = value;
  return {
    ...(typeof cwd === "string" && { cwd: fromHome(cwd) }),
    ...(typeof timeout === "number" && { callTimeoutMs: timeout * 1000 }),
    ...(typeof enabled === "boolean" && { enabled }),
    ...toolsOf(value),
    ...(isObject(oauth) && { oauth: oauthOf(oauth, left) }),
  };
}

/** Which tools there are at all: what is hidden cannot be reached. */
function toolsOf({ exposure, toolExposure }: Record<string, unknown>): Partial<ToolOptions> {
  const byTool = isObject(toolExposure) ? Object.entries(toolExposure) : [];
  if (byTool.some(([tool]) => tool.includes("*"))) return {};
  const named = (hidden: boolean) =>
    byTool.filter(([, how]) => (how === "hidden") === hidden).map(([tool]) => tool);
  if (exposure === "hidden") return { enabledTools: named(false) };
  const disabledTools = named(true);
  return disabledTools.length > 0 ? { disabledTools } : {};
}

function oauthOf(oauth: Record<string, unknown>, left: string[]): NonNullable<ToolOptions["oauth"]> {
  const { clientId, callbackPort, scope, authServerMetadataUrl } = oauth;
  if (oauth.clientSecret !== undefined) left.push("oauth.clientSecret");
  return {
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof callbackPort === "number" && { callbackPort }),
    ...(typeof scope === "string" && { scopes: scope.split(/\s+/).filter((word) => word !== "") }),
    ...(typeof authServerMetadataUrl === "string" && { authServerMetadataUrl }),
  };
}

/** What only Pi means something by, for the way back. A provider's own key is sent nowhere but where it was. */
function nativeOf(value: Record<string, unknown>, left: string[]): Pick<ToolOptions, "native"> {
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key) && key !== "auth"));
  if (value.auth !== undefined) left.push("auth");
  const { exposure, toolExposure, oauth } = value;
  const ofOauth = Object.entries(isObject(oauth) ? oauth : {}).filter(([key]) => !OAUTH.has(key));
  const native = {
    ...rest,
    ...(exposure !== undefined && { exposure }),
    ...(toolExposure !== undefined && { toolExposure }),
    ...(ofOauth.length > 0 && { oauth: Object.fromEntries(ofOauth) }),
  };
  // Empty too: that it is Pi's own server says that its tools are reached as Pi has it.
  return { native: { harness: HARNESS, value: native } };
}

/** `lost`: options Pi has nothing like. */
export type WrittenServer = { entry: Record<string, JsonValue>; lost: string[] } | { impossible: string };

export function writeServer(server: McpServer): WrittenServer {
  const { enabled, callTimeoutMs, cwd, startupTimeoutMs, approval, toolApproval, literal, native } =
    server._meta.asp;
  if (!isStdio(server) && server.type !== "http") return { impossible: `Pi speaks no ${server.type}` };
  const lost = Object.entries({ startupTimeoutMs, approval, toolApproval }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  if (native && native.harness !== HARNESS) lost.push(...Object.keys(native.value));
  const pairs = (key: "env" | "headers", list: readonly Pair[]): Record<string, JsonValue> => {
    const values = list.map(({ name, value }) => {
      const { text, defaults } = toPi(value, literal?.includes(`${key}.${name}`) ?? false);
      if (defaults.length > 0) lost.push(`the default of ${defaults.join(", ")} (Pi has none: set it)`);
      return [name, text] as const;
    });
    return values.length > 0 ? { [key]: Object.fromEntries(values) } : {};
  };
  const plain = (at: string, value: string): string => {
    const home = toHome(value);
    if (hasReference(home) && !literal?.includes(at)) lost.push(`\${…} in ${at}, which Pi takes as it is`);
    return home;
  };
  const own = native?.harness === HARNESS ? (native.value as Record<string, JsonValue>) : undefined;
  const common: Record<string, JsonValue> = {
    ...(enabled === false && { enabled }),
    ...(callTimeoutMs !== undefined && callTimeoutMs > 0 && { timeout: callTimeoutMs / 1000 }),
    ...exposureOf(server, own),
    ...withOauth(server, own),
  };
  if (isStdio(server)) {
    const entry = {
      command: plain("command", server.command),
      args: server.args.map((arg, i) => plain(`args.${i}`, arg)),
      ...pairs("env", server.env),
      ...(cwd !== undefined && { cwd: plain("cwd", cwd) }),
      ...common,
    };
    return { entry, lost };
  }
  if (cwd !== undefined) lost.push("cwd");
  return { entry: { url: plain("url", server.url), ...pairs("headers", server.headers), ...common }, lost };
}

/**
 * Elsewhere a server's tools are the model's to call; Pi's own default would have it write scripts that call them,
 * and a talk that goes on holds calls by name.
 */
function exposureOf(
  { _meta }: McpServer,
  own: Record<string, JsonValue> | undefined,
): Record<string, JsonValue> {
  if (own) {
    const { oauth: _, ...rest } = own;
    return rest;
  }
  const { enabledTools, disabledTools } = _meta.asp;
  const all = (tools: readonly string[], how: string) => Object.fromEntries(tools.map((tool) => [tool, how]));
  const hidden = all(disabledTools ?? [], "hidden");
  if (enabledTools)
    return { exposure: "hidden", toolExposure: { ...all(enabledTools, "direct"), ...hidden } };
  return { exposure: "direct", ...(disabledTools && disabledTools.length > 0 && { toolExposure: hidden }) };
}

function withOauth(
  { _meta }: McpServer,
  own: Record<string, JsonValue> | undefined,
): Record<string, JsonValue> {
  const { scopes, ...oauth } = _meta.asp.oauth ?? {};
  const native = isObject(own?.oauth) ? (own.oauth as Record<string, JsonValue>) : {};
  const whole = { ...oauth, ...(scopes && { scope: scopes.join(" ") }), ...native };
  return Object.keys(whole).length > 0 ? { oauth: whole as JsonValue } : {};
}

/** A leading `~/` is the home folder to Pi alone; to the others it is one by its variable. */
function fromHome(text: string): string {
  return text.startsWith("~/") ? HOME + text.slice(1) : text;
}

function toHome(text: string): string {
  return text.startsWith(`${HOME}/`) ? `~${text.slice(HOME.length)}` : text;
}

const HOME = reference({ variable: "HOME" });
