/** Settings: the value of each session config option by its id, as ACP names them. */
import { z } from "zod";

export const Setting = z.object({
  /** `model`, `mode`, `thought_level`, or the harness's own option id. */
  id: z.string(),
  value: z.union([z.string(), z.boolean(), z.number()]),
  /** ACP's category, where it has one. */
  category: z.enum(["mode", "model", "thought_level"]).optional(),
  scope: z.enum(["user", "project", "local"]),
});

export const Settings = z.object({ options: z.array(Setting) });

export type Setting = z.infer<typeof Setting>;
export type Settings = z.infer<typeof Settings>;
