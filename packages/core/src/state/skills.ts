/** Skills: Agent Skills folders, every file by path, byte for byte, with its mode. */
import { z } from "zod";

export const SkillFile = z.object({
  /** Relative to the skill's folder, with `/`. */
  path: z.string(),
  /** Permission bits. */
  mode: z.number().int(),
  size: z.number().int(),
  sha256: z.string(),
  /** A symbolic link's text, where it is one. */
  link: z.string().optional(),
  /** base64; absent where the content is read from a source when it is needed. */
  data: z.string().optional(),
});

export const Skill = z.object({
  /** The folder's name: the skill's id. */
  name: z.string(),
  scope: z.enum(["user", "project"]),
  description: z.string().optional(),
  files: z.array(SkillFile),
});

export const Skills = z.object({ skills: z.array(Skill) });

export type SkillFile = z.infer<typeof SkillFile>;
export type Skill = z.infer<typeof Skill>;
export type Skills = z.infer<typeof Skills>;
