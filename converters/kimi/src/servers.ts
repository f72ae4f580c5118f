/** One entry of `mcpServers` in Kimi Code's form ⇄ a portable server. Nothing inside a value is a reference to it. */
import type { McpServer, Pair, ToolOptions } from "@asp-convert/core";
import {
  bearerReference,
  hasReference,
  isObject,
  isStdio,
  type JsonValue,
  onlyReference,
} from "@asp-convert/core/kinds";
import { HARNESS, NAME, type Place } from "./layout-state.js";

const KNOWN = new Set([
  ...["transport", "type", "command", "args", "env", "cwd", "url", "headers", "bearerTokenEnvVar"],
  ...["enabled", "startupTimeoutMs", "toolTimeoutMs", "enabledTools", "disabledTools"],
]);

/** A server, or why it is none. */
export type ReadServer = { server: McpServer } | { invalid: string };

export function readServer(name: string, value: unknown, place: Place): ReadServer {
  if (!isObject(value)) return { invalid: "no object" };
  const literal: string[] = [];
  const plain = (at: string, text: string): string => {
    if (hasReference(text)) literal.push(at);
    return text;
  };
  const pairs = (of: unknown, at: string): Pair[] =>
    Object.entries(isObject(of) ? of : {}).flatMap(([key, inner]) =>
      typeof inner === "string" ? [{ name: key, value: plain(`${at}.${key}`, inner) }] : [],
    );
  const options = (): { asp: ToolOptions } => ({ asp: { ...place, ...optionsOf(value, literal) } });
  const { transport, command, url, bearerTokenEnvVar: token } = value;
  if (typeof command === "string" && (transport === undefined || transport === "stdio")) {
    const args = strings(value.args).map((arg, i) => plain(`args.${i}`, arg));
    const env = pairs(value.env, "env");
    return { server: { name, command: plain("command", command), args, env, _meta: options() } };
  }
  if (typeof url !== "string" || (transport !== undefined && transport !== "http" && transport !== "sse"))
    return { invalid: "neither a command nor an address" };
  const headers = pairs(value.headers, "headers");
  if (typeof token === "string") headers.push({ name: "Authorization", value: `Bearer \${${token}}` });
  const type = transport === "sse" ? "sse" : "http";
  return { server: { type, name, url: plain("url", url), headers, _meta: options() } };
}

function optionsOf(value: Record<string, unknown>, literal: readonly string[]): Partial<ToolOptions> {
  const { cwd, enabled, startupTimeoutMs, toolTimeoutMs, enabledTools, disabledTools } = value;
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key)));
  return {
    ...(typeof cwd === "string" && { cwd }),
    ...(typeof enabled === "boolean" && { enabled }),
    ...(typeof startupTimeoutMs === "number" && { startupTimeoutMs }),
    ...(typeof toolTimeoutMs === "number" && { callTimeoutMs: toolTimeoutMs }),
    ...(Array.isArray(enabledTools) && { enabledTools: strings(enabledTools) }),
    ...(Array.isArray(disabledTools) && { disabledTools: strings(disabledTools) }),
    ...(literal.length > 0 && { literal: [...literal] }),
    ...(Object.keys(rest).length > 0 && { native: { harness: HARNESS, value: rest } }),
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** `lost`: options there is no word for. */
export type WrittenServer = { entry: Record<string, JsonValue>; lost: string[] } | { impossible: string };

export function writeServer(server: McpServer): WrittenServer {
  const { asp } = server._meta;
  if (!isStdio(server) && server.type === "ws") return { impossible: `${NAME} speaks no ws` };
  const { startupTimeoutMs, callTimeoutMs, approval, toolApproval, oauth, literal, native } = asp;
  const lost = Object.entries({ approval, toolApproval, oauth }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  if (native && native.harness !== HARNESS) lost.push(...Object.keys(native.value));
  const plain = (at: string, text: string): string => {
    if (hasReference(text) && !literal?.includes(at))
      lost.push(`\${…} in ${at}, which ${NAME} takes as it is`);
    return text;
  };
  const table = (at: "env" | "headers", list: readonly Pair[]): Record<string, JsonValue> =>
    list.length === 0
      ? {}
      : { [at]: Object.fromEntries(list.map(({ name, value }) => [name, plain(`${at}.${name}`, value)])) };
  const common: Record<string, JsonValue> = {
    ...(asp.enabled === false && { enabled: false }),
    ...(startupTimeoutMs !== undefined && startupTimeoutMs > 0 && { startupTimeoutMs }),
    ...(callTimeoutMs !== undefined && callTimeoutMs > 0 && { toolTimeoutMs: callTimeoutMs }),
    ...(asp.enabledTools && { enabledTools: asp.enabledTools }),
    ...(asp.disabledTools && { disabledTools: asp.disabledTools }),
    ...(native?.harness === HARNESS && (native.value as Record<string, JsonValue>)),
  };
  if (isStdio(server)) {
    // A server has all variables of the program's own: one that is passed on by its name need not be named.
    const env = server.env.filter(({ name, value }) => {
      const passed = literal?.includes(`env.${name}`) ? undefined : onlyReference(value);
      return passed?.variable !== name || passed.default !== undefined;
    });
    const entry = {
      command: plain("command", server.command),
      args: server.args.map((arg, i) => plain(`args.${i}`, arg)),
      ...table("env", env),
      ...(asp.cwd !== undefined && { cwd: plain("cwd", asp.cwd) }),
      ...common,
    };
    return { entry, lost };
  }
  if (asp.cwd !== undefined) lost.push("cwd");
  const bearer = server.headers.find(
    ({ name, value }) =>
      /^authorization$/i.test(name) &&
      bearerReference(value)?.default === undefined &&
      bearerReference(value),
  );
  const token = bearer && bearerReference(bearer.value)?.variable;
  const entry = {
    ...(server.type === "sse" && { transport: "sse" }),
    url: plain("url", server.url),
    ...table(
      "headers",
      server.headers.filter((header) => header !== bearer),
    ),
    ...(token !== undefined && { bearerTokenEnvVar: token }),
    ...common,
  };
  return { entry, lost };
}
