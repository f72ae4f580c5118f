/** Skills: Agent Skills folders, every file by path, byte for byte, with its mode. */
import { z } from "zod";

const Belonging = {
  scope: z.enum(["user", "project"]),
  /** The project's folder, absolute in its source, for scope `project`. */
  project: z.string().optional(),
};

export const SkillFile = z.object({
  /** Relative to the skill's folder, with `/`. */
  path: z.string(),
  /** Permission bits. */
  mode: z.number().int(),
  size: z.number().int(),
  sha256: z.string(),
  /** A symbolic link's text, where it is one; it points to a place inside the skill's folder. */
  link: z.string().optional(),
  /** base64; only in a state that travels without a disk. */
  data: z.string().optional(),
});

/** What the front matter forbids or limits: a target that cannot keep one of these must not take it unsaid. */
export const Restriction = z.object({
  key: z.string(),
  value: z.unknown(),
  /** The file that says so: `SKILL.md`, `agents/openai.yaml`, `config.toml`. */
  in: z.string(),
});

export const Skill = z.object({
  /** The folder's name: the skill's id. */
  name: z.string(),
  ...Belonging,
  /** The folder, relative to the project, that the skill is for (`""`: all of it). */
  path: z.string().optional(),
  /** What the front matter says, for checks; the bytes are in `files`. */
  declaredName: z.string().optional(),
  description: z.string().optional(),
  restrictions: z.array(Restriction),
  /** Front matter or body that the source program would run by itself (hooks, `!` commands). */
  runs: z.array(z.string()).optional(),
  files: z.array(SkillFile),
});

/** What is one Markdown file and not a folder: slash commands, subagents, output styles. */
export const Definition = z.object({
  of: z.enum(["command", "agent", "output-style"]),
  /** As one calls it: `deploy`, `git:commit`. */
  name: z.string(),
  ...Belonging,
  description: z.string().optional(),
  /** The text below the front matter: the prompt. */
  body: z.string(),
  /** Front matter keys other than name and description: model, tools, … */
  options: z.record(z.string(), z.unknown()),
  /** What it may use, where that is limited. Without a limit it may use all. */
  limits: z.array(Restriction),
  /**
   * The native file: path relative to the store's root or the project's folder of that harness, its text, and
   * whose form it is. Without a text it has been elsewhere meanwhile: `hash` tells whether it is still the same.
   */
  native: z.object({ harness: z.string(), path: z.string(), text: z.string().optional(), hash: z.string() }),
});

export const Skills = z.object({ skills: z.array(Skill), definitions: z.array(Definition) });

/** On its way between two disks a file's bytes are not held: `read` streams them when they are written. */
export type SkillFile = z.infer<typeof SkillFile> & { read?: () => AsyncIterable<Uint8Array> };
export type Restriction = z.infer<typeof Restriction>;
export type Skill = Omit<z.infer<typeof Skill>, "files"> & { files: SkillFile[] };
export type Definition = z.infer<typeof Definition>;
export interface Skills {
  skills: Skill[];
  definitions: Definition[];
}
