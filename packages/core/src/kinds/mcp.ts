/** MCP servers: the shape that most harnesses write (`mcpServers`), and what every one needs to do with them. */
import { isDeepStrictEqual } from "node:util";
import type { McpServer, Pair, StdioServer, ToolOptions } from "../state/tools.js";
import type { JsonValue } from "./edit/json.js";
import { looksSecret, variableName } from "./secrets.js";

export function isStdio(server: McpServer): server is StdioServer {
  return "command" in server;
}

type Belonging = Pick<ToolOptions, "scope" | "project">;

const KNOWN = new Set(["type", "command", "args", "env", "url", "headers", "timeout", "oauth"]);

/**
 * One entry of an `mcpServers` map as Claude Code, Cursor, Gemini and others write it; undefined if it is no
 * such thing. Keys without a portable meaning go to `native`.
 */
export function readMcpServer(
  name: string,
  value: unknown,
  belonging: Belonging,
  harness: string,
): McpServer | undefined {
  if (!isObject(value)) return undefined;
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key)));
  const options: ToolOptions = {
    ...belonging,
    ...(typeof value.timeout === "number" && { callTimeoutMs: value.timeout }),
    ...(isObject(value.oauth) && { oauth: readOauth(value.oauth) }),
    ...(Object.keys(rest).length > 0 && { native: { harness, value: rest } }),
  };
  const _meta = { asp: options };
  if (typeof value.command === "string") {
    return { name, command: value.command, args: strings(value.args), env: pairs(value.env), _meta };
  }
  if (typeof value.url !== "string") return undefined;
  const type = value.type === "sse" || value.type === "ws" ? value.type : "http";
  return { type, name, url: value.url, headers: pairs(value.headers), _meta };
}

function readOauth(value: Readonly<Record<string, unknown>>): NonNullable<ToolOptions["oauth"]> {
  const { clientId, callbackPort, scopes, authServerMetadataUrl } = value;
  return {
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof callbackPort === "number" && { callbackPort }),
    ...(typeof scopes === "string" && { scopes: scopes.split(/\s+/).filter((scope) => scope !== "") }),
    ...(typeof authServerMetadataUrl === "string" && { authServerMetadataUrl }),
  };
}

/** The entry for an `mcpServers` map. `native` keys only for the harness they came from. */
export function writeMcpServer(server: McpServer, harness: string): Record<string, JsonValue> {
  const { callTimeoutMs, oauth, native } = server._meta.asp;
  const own = native?.harness === harness ? (native.value as Record<string, JsonValue>) : {};
  const common = {
    ...(callTimeoutMs !== undefined && { timeout: callTimeoutMs }),
    ...(oauth !== undefined && { oauth: writeOauth(oauth) }),
    ...own,
  };
  if (isStdio(server)) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    return {
      type: "stdio",
      command: server.command,
      args: server.args,
      ...(server.env.length > 0 && { env }),
      ...common,
    };
  }
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return { type: server.type, url: server.url, ...(server.headers.length > 0 && { headers }), ...common };
}

function writeOauth({ scopes, ...rest }: NonNullable<ToolOptions["oauth"]>): Record<string, JsonValue> {
  return { ...rest, ...(scopes !== undefined && { scopes: scopes.join(" ") }) } as Record<string, JsonValue>;
}

/** Both reach the same server in the same way; options around it do not count. */
export function sameServer(a: McpServer, b: McpServer): boolean {
  if (isStdio(a))
    return (
      isStdio(b) && a.command === b.command && isDeepStrictEqual(a.args, b.args) && samePairs(a.env, b.env)
    );
  return !isStdio(b) && a.type === b.type && a.url === b.url && samePairs(a.headers, b.headers, true);
}

function samePairs(a: readonly Pair[], b: readonly Pair[], fold = false): boolean {
  const key = ({ name, value }: Pair): string => `${fold ? name.toLowerCase() : name}\u0000${value}`;
  return isDeepStrictEqual(a.map(key).sort(), b.map(key).sort());
}

/** For people, before they allow it: what would be run or reached. Values of variables and headers are not shown. */
export function commandLine(server: McpServer): string {
  // A harness's own key may name a program too: `headersHelper`.
  const more = Object.entries(server._meta.asp.native?.value ?? {})
    .flatMap(([key, value]) => (/helper|command/i.test(key) ? [` (${key}: ${JSON.stringify(value)})`] : []))
    .join("");
  if (!isStdio(server)) return `${server.type} ${server.url.replace(/\/\/[^/@]*@/, "//…@")}${more}`;
  const words = [server.command, ...server.args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word),
  );
  const env = server.env.map(({ name }) => name);
  return `${words.join(" ")}${env.length > 0 ? ` (with ${env.join(", ")})` : ""}${more}`;
}

/** The server with every literal secret replaced by a reference, and which variables must be set instead. */
export function withoutSecrets(server: McpServer): McpServer {
  const secrets: NonNullable<ToolOptions["secrets"]> = [...(server._meta.asp.secrets ?? [])];
  const hide = (at: string, variable: string): string => {
    secrets.push({ at, variable });
    return `\${${variable}}`;
  };
  const literal = new Set(server._meta.asp.literal ?? []);
  const meta = (): McpServer["_meta"] => ({
    asp: {
      ...server._meta.asp,
      ...(secrets.length > 0 && { secrets }),
      ...withoutNativeSecrets(server._meta.asp),
    },
  });
  const pair = (kind: "env" | "headers", { name, value }: Pair): Pair => {
    const seen = literal.has(`${kind}.${name}`) ? value.replaceAll("$", "") : value;
    if (!looksSecret(name, seen)) return { name, value };
    if (kind === "env") return { name, value: hide(`env.${name}`, variableName(name)) };
    const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
    return {
      name,
      value:
        scheme + hide(`headers.${name}`, variableName(server.name, scheme.trim() === "" ? name : "token")),
    };
  };
  if (!isStdio(server)) {
    const url = hideInUrl(server.url, (part) => hide("url", variableName(server.name, part)));
    const headers = server.headers.map((header) => pair("headers", header));
    return { ...server, url, headers, _meta: meta() };
  }
  const args = server.args.map((arg, i) => {
    const [, flag, value] = /^(--?[\w-]+[= ])(.+)$/s.exec(arg) ?? [];
    if (flag !== undefined && value !== undefined && looksSecret(flag, value)) {
      return flag + hide(`args.${i}`, variableName(server.name, flag));
    }
    const before = server.args[i - 1] ?? "";
    const name = /^--?[\w-]+$/.test(before) ? before : "";
    if (arg.startsWith("-") || !looksSecret(name, arg))
      return hideInUrl(arg, (part) => hide(`args.${i}`, variableName(server.name, part)));
    return hide(`args.${i}`, variableName(server.name, name === "" ? `arg_${i}` : name));
  });
  const env = server.env.map((one) => pair("env", one));
  return { ...server, args, env, _meta: meta() };
}

/** `https://user:password@host/?token=x`: the password and parameters that look secret. */
function hideInUrl(text: string, hide: (part: string) => string): string {
  if (!/^[a-z][\w+.-]*:\/\//i.test(text)) return text;
  return text
    .replace(
      /(\/\/[^/\s:@]+:)([^/\s@$]+)(@)/,
      (_, before: string, __, after: string) => before + hide("password") + after,
    )
    .replace(/([?&]([\w.-]+)=)([^&#\s]+)/g, (whole, before: string, name: string, value: string) =>
      looksSecret(name, value) ? before + hide(name) : whole,
    );
}

/** A harness's own keys are kept for the way back, but no secret among them. */
function withoutNativeSecrets({ native }: ToolOptions): Partial<ToolOptions> {
  if (!native) return {};
  const value = Object.fromEntries(
    Object.entries(native.value).filter(
      ([key, inner]) => typeof inner !== "string" || !looksSecret(key, inner),
    ),
  );
  return { native: { ...native, value } };
}

/** A name the target takes, and no other server of it has; the same name where it is legal. */
export function legalServerName(name: string, legal: RegExp, taken: ReadonlySet<string>): string {
  if (legal.test(name) && !taken.has(name)) return name;
  const base =
    name
      .toWellFormed()
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "server";
  let candidate = base;
  for (let i = 2; taken.has(candidate); i++) candidate = `${base}-${i}`;
  return candidate;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function pairs(value: unknown): Pair[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" || typeof inner === "number" || typeof inner === "boolean"
      ? [{ name, value: String(inner) }]
      : [],
  );
}
