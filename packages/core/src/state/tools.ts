/** Tools: MCP servers as ACP's `session/new` takes them; what ACP has no field for is under `_meta.asp`. */
import { z } from "zod";

const Pair = z.object({ name: z.string(), value: z.string() });

/** What the ACP shape cannot say. Values in `${NAME}` form are references to the environment. */
export const ToolMeta = z.object({
  asp: z.object({
    scope: z.enum(["user", "project", "local"]).optional(),
    cwd: z.string().optional(),
    enabled: z.boolean().optional(),
    /** Milliseconds. */
    startupTimeoutMs: z.number().optional(),
    callTimeoutMs: z.number().optional(),
    enabledTools: z.array(z.string()).optional(),
    disabledTools: z.array(z.string()).optional(),
    /** Keys of the source harness that have no portable meaning, kept for the way back. */
    native: z.object({ harness: z.string(), value: z.record(z.string(), z.unknown()) }).optional(),
  }),
});

export const StdioServer = z.object({
  type: z.literal("stdio").optional(),
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.array(Pair),
  _meta: ToolMeta.optional(),
});

export const RemoteServer = z.object({
  type: z.enum(["http", "sse"]),
  name: z.string(),
  url: z.string(),
  headers: z.array(Pair),
  _meta: ToolMeta.optional(),
});

export const McpServer = z.union([StdioServer, RemoteServer]);
export const Tools = z.object({ servers: z.array(McpServer) });

export type StdioServer = z.infer<typeof StdioServer>;
export type RemoteServer = z.infer<typeof RemoteServer>;
export type McpServer = z.infer<typeof McpServer>;
export type Tools = z.infer<typeof Tools>;
