/** One MCP server between `[mcp_servers.NAME]` and the portable shape. */
import type { Environment, McpServer, Pair, RemoteServer, StdioServer, ToolOptions } from "@asp-convert/core";
import {
  bearerReference,
  hasReference,
  isObject,
  isStdio,
  looksSecret,
  onlyReference,
  partsOf,
  type TomlValue,
} from "@asp-convert/core/kinds";

export const HARNESS = "codex";

/** Keys with a portable meaning; the others are Codex's own and travel back to it only. */
const PORTABLE = new Set([
  "command",
  "args",
  "cwd",
  "env",
  "env_vars",
  "url",
  "bearer_token_env_var",
  "http_headers",
  "env_http_headers",
  "oauth",
  "scopes",
  "enabled",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "tool_timeout_sec",
  "enabled_tools",
  "disabled_tools",
  "default_tools_approval_mode",
  "tools",
]);

const APPROVALS = ["auto", "prompt", "writes", "approve"] as const;
type Approval = (typeof APPROVALS)[number];

export function readServer(
  name: string,
  value: unknown,
  place: Pick<ToolOptions, "scope" | "project">,
): McpServer | undefined {
  if (!isObject(value)) return undefined;
  const literal: string[] = [];
  const pairs = (of: unknown, at: string): Pair[] =>
    Object.entries(isObject(of) ? of : {}).flatMap(([key, inner]) => {
      if (typeof inner !== "string") return [];
      // Codex expands nothing inside values: what looks like a reference is text.
      if (hasReference(inner)) literal.push(`${at}.${key}`);
      return [{ name: key, value: inner }];
    });
  const args = strings(value.args);
  if (typeof value.command === "string") {
    for (const [i, arg] of args.entries()) if (hasReference(arg)) literal.push(`args.${i}`);
    if (hasReference(value.command)) literal.push("command");
    const env = [
      ...pairs(value.env, "env"),
      ...variables(value.env_vars).map((key) => ({ name: key, value: `\${${key}}` })),
    ];
    return { name, command: value.command, args, env, _meta: { asp: optionsOf(value, place, literal) } };
  }
  if (typeof value.url !== "string") return undefined;
  const headers = pairs(value.http_headers, "headers");
  if (typeof value.bearer_token_env_var === "string") {
    headers.push({ name: "Authorization", value: `Bearer \${${value.bearer_token_env_var}}` });
  }
  for (const [key, variable] of Object.entries(
    isObject(value.env_http_headers) ? value.env_http_headers : {},
  )) {
    if (typeof variable === "string") headers.push({ name: key, value: `\${${variable}}` });
  }
  return { type: "http", name, url: value.url, headers, _meta: { asp: optionsOf(value, place, literal) } };
}

function optionsOf(
  value: Record<string, unknown>,
  place: Pick<ToolOptions, "scope" | "project">,
  literal: string[],
): ToolOptions {
  const { cwd, enabled, startup_timeout_sec, startup_timeout_ms, tool_timeout_sec } = value;
  const native = Object.fromEntries(Object.entries(value).filter(([key]) => !PORTABLE.has(key)));
  const startup = typeof startup_timeout_sec === "number" ? startup_timeout_sec * 1000 : startup_timeout_ms;
  const approval = approvalOf(value.default_tools_approval_mode);
  const perTool = Object.entries(isObject(value.tools) ? value.tools : {}).flatMap(
    ([tool, of]): [string, Approval][] => {
      const mode = isObject(of) ? approvalOf(of.approval_mode) : undefined;
      return mode === undefined ? [] : [[tool, mode]];
    },
  );
  const oauth = oauthOf(value);
  return {
    ...place,
    ...(typeof cwd === "string" && { cwd }),
    ...(typeof enabled === "boolean" && { enabled }),
    ...(typeof startup === "number" && { startupTimeoutMs: startup }),
    ...(typeof tool_timeout_sec === "number" && { callTimeoutMs: tool_timeout_sec * 1000 }),
    ...(Array.isArray(value.enabled_tools) && { enabledTools: strings(value.enabled_tools) }),
    ...(Array.isArray(value.disabled_tools) && { disabledTools: strings(value.disabled_tools) }),
    ...(approval !== undefined && { approval }),
    ...(perTool.length > 0 && { toolApproval: Object.fromEntries(perTool) }),
    ...(oauth && { oauth }),
    ...(literal.length > 0 && { literal }),
    ...(Object.keys(native).length > 0 && { native: { harness: HARNESS, value: native } }),
  };
}

/** Without the client's secret: that one never travels. */
function oauthOf({ oauth, scopes }: Record<string, unknown>): ToolOptions["oauth"] {
  const { client_id, callback_port } = isObject(oauth) ? oauth : {};
  const found = {
    ...(typeof client_id === "string" && { clientId: client_id }),
    ...(typeof callback_port === "number" && { callbackPort: callback_port }),
    ...(Array.isArray(scopes) && { scopes: strings(scopes) }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function approvalOf(value: unknown): Approval | undefined {
  return APPROVALS.find((mode) => mode === value);
}

/** `env_vars`: names, or tables with one. */
function variables(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    const name = isObject(one) ? one.name : one;
    return typeof name === "string" ? [name] : [];
  });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

type Table = { [key: string]: TomlValue };

export interface Written {
  entry: Table;
  /** References that Codex cannot follow and that were filled in now, by their places. */
  resolved: string[];
  /** Options that Codex has no word for. */
  lost: string[];
}

/** The table for config.toml, or why Codex could not have this server. */
export function writeServer(server: McpServer, environment: Environment): Written | { impossible: string } {
  const resolved: string[] = [];
  const { native } = server._meta.asp;
  const own = native?.harness === HARNESS ? (native.value as Table) : {};
  const lost = native && native.harness !== HARNESS ? Object.keys(native.value) : [];
  try {
    const now = resolver(server, environment, resolved);
    const way = isStdio(server) ? stdio(server, now) : remote(server, now);
    const { options, lost: more } = optionTable(server._meta.asp);
    return { entry: { ...way, ...options, ...own }, resolved, lost: [...lost, ...more] };
  } catch (error) {
    if (error instanceof Impossible) return { impossible: error.message };
    throw error;
  }
}

class Impossible extends Error {}

type Resolve = (at: string, name: string, value: string) => string;

/** Fills references in from the environment where no secret comes to stand in a file by it. */
function resolver(server: McpServer, { env }: Environment, resolved: string[]): Resolve {
  const literal = new Set(server._meta.asp.literal ?? []);
  return (at, name, value) => {
    if (literal.has(at) || !hasReference(value)) return value;
    const filled = partsOf(value)
      .map((part) => {
        if (typeof part === "string") return part;
        const found = env[part.variable] ?? part.default;
        if (found === undefined)
          throw new Impossible(
            `${at} refers to ${part.variable}, which Codex does not expand there and which is not set now`,
          );
        return found;
      })
      .join("");
    if (looksSecret(name, filled))
      throw new Impossible(`${at} refers to a secret, which Codex cannot take from the environment there`);
    resolved.push(at);
    return filled;
  };
}

function stdio(server: StdioServer, now: Resolve): Table {
  const literal = new Set(server._meta.asp.literal ?? []);
  const env: Table = {};
  const passed: string[] = [];
  for (const { name, value } of server.env) {
    const only = literal.has(`env.${name}`) ? undefined : onlyReference(value);
    // A variable can be handed on under its own name, and only so.
    if (only?.variable === name && only.default === undefined) passed.push(name);
    else env[name] = now(`env.${name}`, name, value);
  }
  return {
    command: now("command", "", server.command),
    ...(server.args.length > 0 && { args: server.args.map((arg, i) => now(`args.${i}`, "", arg)) }),
    ...(passed.length > 0 && { env_vars: passed }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function remote(server: RemoteServer, now: Resolve): Table {
  if (server.type !== "http") throw new Impossible(`Codex has no ${server.type} transport`);
  const literal = new Set(server._meta.asp.literal ?? []);
  const headers: Table = {};
  const fromVariables: Table = {};
  let bearer: string | undefined;
  for (const { name, value } of server.headers) {
    const isLiteral = literal.has(`headers.${name}`);
    const token = isLiteral || name.toLowerCase() !== "authorization" ? undefined : bearerReference(value);
    const only = isLiteral ? undefined : onlyReference(value);
    if (token && token.default === undefined) bearer = token.variable;
    else if (only && only.default === undefined) fromVariables[name] = only.variable;
    else headers[name] = now(`headers.${name}`, name, value);
  }
  return {
    url: now("url", "", server.url),
    ...(bearer !== undefined && { bearer_token_env_var: bearer }),
    ...(Object.keys(headers).length > 0 && { http_headers: headers }),
    ...(Object.keys(fromVariables).length > 0 && { env_http_headers: fromVariables }),
  };
}

function optionTable(of: ToolOptions): { options: Table; lost: string[] } {
  const {
    cwd,
    enabled,
    startupTimeoutMs,
    callTimeoutMs,
    enabledTools,
    disabledTools,
    approval,
    toolApproval,
    oauth,
  } = of;
  const lost = oauth?.authServerMetadataUrl === undefined ? [] : ["oauth.authServerMetadataUrl"];
  const client: Table = {
    ...(oauth?.clientId !== undefined && { client_id: oauth.clientId }),
    ...(oauth?.callbackPort !== undefined && { callback_port: oauth.callbackPort }),
  };
  const tools = Object.fromEntries(
    Object.entries(toolApproval ?? {}).map(([tool, mode]) => [tool, { approval_mode: mode }]),
  );
  const options: Table = {
    ...(cwd !== undefined && { cwd }),
    ...(enabled === false && { enabled }),
    ...(startupTimeoutMs !== undefined && { startup_timeout_sec: startupTimeoutMs / 1000 }),
    ...(callTimeoutMs !== undefined && { tool_timeout_sec: callTimeoutMs / 1000 }),
    ...(enabledTools !== undefined && { enabled_tools: enabledTools }),
    ...(disabledTools !== undefined && { disabled_tools: disabledTools }),
    ...(approval !== undefined && { default_tools_approval_mode: approval }),
    ...(oauth?.scopes !== undefined && { scopes: oauth.scopes }),
    ...(Object.keys(client).length > 0 && { oauth: client }),
    ...(Object.keys(tools).length > 0 && { tools }),
  };
  return { options, lost };
}
