/** Settings: the value of each session config option by its id, as ACP names them. */
import { z } from "zod";

export const Setting = z.object({
  /** `model`, `mode`, `effort`, `env.NAME`, or the harness's own option id. */
  id: z.string(),
  /** In the words of the harness it came from. */
  value: z.union([z.string(), z.boolean(), z.number()]),
  category: z.enum(["mode", "model", "thought_level", "environment"]).optional(),
  /** For the categories `mode` and `thought_level`: the same in everybody's words (`modes`, `thoughtLevels`). */
  means: z.string().optional(),
  scope: z.enum(["user", "project", "local"]),
  project: z.string().optional(),
});

/** Permission rules that take something away: they must not get lost unsaid. */
export const Permission = z.object({
  effect: z.enum(["deny", "ask", "allow"]),
  /** A command's first words, where the rule is about a command. */
  command: z.array(z.string()).optional(),
  /** As the harness writes it: `Read(./secret.txt)`. */
  rule: z.string(),
  scope: z.enum(["user", "project", "local"]),
  project: z.string().optional(),
});

export const Settings = z.object({
  /** Whose words ids and values are in. */
  harness: z.string(),
  options: z.array(Setting),
  permissions: z.array(Permission).optional(),
});

export type Setting = z.infer<typeof Setting>;
export type Permission = z.infer<typeof Permission>;
export type Settings = z.infer<typeof Settings>;
