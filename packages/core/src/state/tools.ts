/**
 * Tools: MCP servers as ACP's `session/new` takes them; what ACP has no field for is under `_meta.asp`.
 * `${NAME}` and `${NAME:-default}` in command, args, env, url and headers are references to the environment.
 */
import { z } from "zod";

const Pair = z.object({ name: z.string(), value: z.string() });
const Belonging = {
  scope: z.enum(["user", "project", "local"]),
  /** The project's folder, absolute in its source, for scopes `project` and `local`. */
  project: z.string().optional(),
};

/** What the ACP shape cannot say. Absent: the harness's own default. */
export const ToolOptions = z.object({
  ...Belonging,
  cwd: z.string().optional(),
  enabled: z.boolean().optional(),
  /** Milliseconds. */
  startupTimeoutMs: z.number().optional(),
  callTimeoutMs: z.number().optional(),
  /** Only these tools are offered. */
  enabledTools: z.array(z.string()).optional(),
  disabledTools: z.array(z.string()).optional(),
  /** Whether its tools run unasked, all or by name. */
  approval: z.enum(["auto", "prompt", "writes", "approve"]).optional(),
  toolApproval: z.record(z.string(), z.enum(["auto", "prompt", "writes", "approve"])).optional(),
  /** OAuth without any secret: the client's id, the local port, what is asked for. */
  oauth: z
    .object({
      clientId: z.string().optional(),
      callbackPort: z.number().optional(),
      scopes: z.array(z.string()).optional(),
      authServerMetadataUrl: z.string().optional(),
    })
    .optional(),
  /** Values (`env.KEY`, `headers.NAME`, `args.0`, `url`, `command`) whose `${…}` is meant literally. */
  literal: z.array(z.string()).optional(),
  /** Values of these places were secrets and are now references to variables that must be set. */
  secrets: z.array(z.object({ at: z.string(), variable: z.string() })).optional(),
  /** Keys of the source harness that have no portable meaning, for the way back. */
  native: z.object({ harness: z.string(), value: z.record(z.string(), z.unknown()) }).optional(),
});

export const ToolMeta = z.object({ asp: ToolOptions });

export const StdioServer = z.object({
  type: z.literal("stdio").optional(),
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.array(Pair),
  _meta: ToolMeta,
});

/** `ws` is not in ACP: it travels between harnesses that have it and is declared everywhere else. */
export const RemoteServer = z.object({
  type: z.enum(["http", "sse", "ws"]),
  name: z.string(),
  url: z.string(),
  headers: z.array(Pair),
  _meta: ToolMeta,
});

export const McpServer = z.union([StdioServer, RemoteServer]);

/** Commands that the harness runs by itself at an event. Claude Code's and Codex's shape is the same. */
export const Hook = z.object({
  ...Belonging,
  event: z.string(),
  matcher: z.string().optional(),
  /** `command` for a command line; other types are a harness's own. */
  type: z.string(),
  command: z.string().optional(),
  /** Seconds. */
  timeout: z.number().optional(),
  /** Other keys. */
  options: z.record(z.string(), z.unknown()).optional(),
});

export const Tools = z.object({ servers: z.array(McpServer), hooks: z.array(Hook) });

export type Pair = z.infer<typeof Pair>;
export type ToolOptions = z.infer<typeof ToolOptions>;
export type StdioServer = z.infer<typeof StdioServer>;
export type RemoteServer = z.infer<typeof RemoteServer>;
export type McpServer = z.infer<typeof McpServer>;
export type Hook = z.infer<typeof Hook>;
export type Tools = z.infer<typeof Tools>;
