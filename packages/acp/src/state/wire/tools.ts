/** Tools: MCP servers as `session/new` takes them. Hooks, and servers of a kind that ACP does not have, stand beside. */
import type { McpServer, Tools } from "@asp-convert/core";
import { withoutSecrets } from "@asp-convert/core/kinds";
import type { StateRest, WireServer } from "../../forms/state.js";

export function toolsToWire(
  { servers, hooks }: Tools,
  includeSecrets: boolean,
): { tools: WireServer[]; rest: StateRest } {
  const all = includeSecrets ? servers : servers.map(withoutSecrets);
  const others = all.filter(({ type }) => type === "ws");
  return {
    tools: all.filter(({ type }) => type !== "ws").map(asAcp),
    rest: {
      ...(hooks.length > 0 && { hooks }),
      ...(others.length > 0 && { servers: others }),
    },
  };
}

/** ACP's stdio entry has no type: the next version's "stdio" is what it is by default. */
function asAcp(server: McpServer): WireServer {
  if ("url" in server) return server;
  const { type: _, ...rest } = server;
  return rest;
}

export function toolsFromWire(tools: readonly WireServer[], rest: StateRest | undefined | null): Tools {
  const servers = [...tools, ...(rest?.servers ?? [])].map(fromAcp);
  return { servers, hooks: rest?.hooks ?? [] };
}

function fromAcp(server: WireServer): McpServer {
  const meta = { asp: { ...server._meta?.asp, scope: server._meta?.asp?.scope ?? "user" } } as const;
  const pairs = (list: readonly { name: string; value: string }[]) =>
    list.map(({ name, value }) => ({ name, value }));
  // An entry with a url is one of a remote server, whatever else stands in it.
  if (isRemote(server)) {
    const { type, name, url, headers } = server;
    return { type, name, url, headers: pairs(headers), _meta: meta } as McpServer;
  }
  const { name, command, args, env } = server;
  return { name, command, args, env: pairs(env), _meta: meta } as McpServer;
}

type Remote = Extract<WireServer, { headers: unknown }>;

function isRemote(server: WireServer): server is Remote {
  return server.type !== undefined && server.type !== "stdio";
}
