/**
 * An Agent Skills folder: every file byte for byte with its mode, read through a `Source`, planned as
 * actions. Links are kept where they stay inside, copied where the person said so, else declared.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Item, KindContext, KindTarget } from "../converter/kinds.js";
import { bytesOf } from "../io/blocks.js";
import { holdsCredentials } from "../io/credentials.js";
import { isInside, pathOf, safeRelative } from "../io/paths.js";
import { type Source, SourceError } from "../io/source.js";
import type { Action } from "../pipeline/plan.js";
import type { Restriction, Skill, SkillFile } from "../state/skills.js";
import { belonging, leave, lose } from "./account.js";
import { asText, readFrontMatter } from "./front-matter.js";
import { decode } from "./text.js";

/** More than any real skill has; a folder with more was linked or put there by mistake. */
const MAX_FILES = 5000;
/** Front matter is read from the head only: a SKILL.md may be large. */
const HEAD = 512 * 1024;
const NOT_CARRIED = new Set([".git", ".DS_Store", "Thumbs.db"]);

export interface SkillPlace {
  name: string;
  scope: "user" | "project";
  project?: string;
  path?: string;
}

/** One skill folder. undefined where there is no SKILL.md, or it may not be read (then it is declared). */
export async function readSkillFolder(
  folder: string,
  place: SkillPlace,
  context: KindContext,
): Promise<Skill | undefined> {
  try {
    return await skillIn(folder, place, context);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const words = { kind: "skills", axis: "skills", reason: "unreadable" } as const;
    context.items.push(leave(context, belonging(place, place.name), { ...words, note: error.message }));
    return undefined;
  }
}

async function skillIn(folder: string, place: SkillPlace, context: KindContext): Promise<Skill | undefined> {
  const { source, environment, losses, items } = context;
  const paths = pathOf(environment);
  const main = paths.join(folder, "SKILL.md");
  const of = belonging(place, place.name);
  const entry = await source.stat(folder);
  if (!entry) {
    items.push(
      leave(context, of, {
        kind: "skills",
        axis: "skills",
        reason: "missing-file",
        note: "a link that points nowhere",
      }),
    );
    return undefined;
  }
  if (!(await source.stat(main))) return undefined;
  const root = (await source.realPath(folder)) ?? folder;
  const outside =
    entry.link &&
    !isInside(root, (await source.realPath(paths.dirname(folder))) ?? folder, environment.platform);
  const mainReal = (await source.realPath(main)) ?? main;
  if ((outside || !isInside(mainReal, root, environment.platform)) && !context.followLinks) {
    items.push(
      leave(context, of, {
        kind: "skills",
        axis: "skills",
        reason: "link-outside",
        note: `→ ${outside ? root : mainReal}`,
      }),
    );
    return undefined;
  }
  if (outside)
    lose(losses, {
      kind: "skills",
      axis: "skills",
      level: "partial",
      reason: "link-copied",
      item: place.name,
      note: root,
    });

  const files: SkillFile[] = [];
  await walk(root, "", new Set([root]));
  if (files.length > MAX_FILES) {
    items.push(
      leave(context, of, {
        kind: "skills",
        axis: "skills",
        reason: "target-limit",
        note: `more than ${MAX_FILES} files`,
      }),
    );
    return undefined;
  }
  const head = decode(await headOf(source, main));
  const matter = await readFrontMatter(head.text);
  if (matter.problem) {
    lose(losses, {
      kind: "skills",
      axis: "skills",
      level: "partial",
      reason: "invalid-form",
      item: `${place.name}/SKILL.md`,
      note: `line ${matter.problem.line}, column ${matter.problem.column}: ${matter.problem.message}${matter.recovered ? " (read all the same; quote the value to mend it)" : ""}`,
    });
  }
  const declaredName = asText(matter.data.name);
  const description = asText(matter.data.description);
  const runs = runsByItself(matter.data, matter.body);
  return {
    ...place,
    ...(declaredName !== undefined && { declaredName }),
    ...(description !== undefined && { description }),
    restrictions: restrictionsOf(matter.data),
    ...(runs.length > 0 && { runs }),
    files,
  };

  async function walk(directory: string, relative: string, visited: ReadonlySet<string>): Promise<void> {
    for (const { name, kind } of await source.readDir(directory)) {
      if (NOT_CARRIED.has(name) || files.length > MAX_FILES) continue;
      const full = paths.join(directory, name);
      const path = relative === "" ? name : `${relative}/${name}`;
      if (kind !== "directory" && holdsCredentials(name)) {
        const item = `${place.name}/${path}`;
        lose(losses, {
          kind: "skills",
          axis: "secrets",
          level: "dropped",
          reason: "secret",
          item,
          note: "by its name a file of credentials, which is never copied",
        });
        continue;
      }
      if (kind === "link") await link(full, path, directory, visited);
      else if (kind === "directory") await walk(full, path, visited);
      else if (kind === "file") files.push(await fileOf(source, full, path, environment.platform));
    }
  }

  async function link(
    full: string,
    path: string,
    directory: string,
    visited: ReadonlySet<string>,
  ): Promise<void> {
    const real = await source.realPath(full);
    const info = await source.stat(full);
    const item = `${place.name}/${path}`;
    const tell = (
      reason: "missing-file" | "link-outside" | "link-copied" | "unsafe",
      level: "dropped" | "partial",
      note?: string,
    ) => lose(losses, { kind: "skills", axis: "skills", level, reason, item, note });
    if (!real || !info) return tell("missing-file", "dropped", "a link that points nowhere");
    if (isInside(real, root, environment.platform)) {
      const base = (await source.realPath(directory)) ?? directory;
      const text = paths.relative(base, real).replaceAll("\\", "/") || ".";
      files.push({
        path,
        mode: info.mode & 0o777,
        size: 0,
        sha256: createHash("sha256").update(text).digest("hex"),
        link: text,
      });
      return;
    }
    if (!context.followLinks) return tell("link-outside", "dropped", `→ ${real}`);
    if (visited.has(real)) return tell("unsafe", "dropped", "a circle of links");
    tell("link-copied", "partial", real);
    if (info.kind === "directory") await walk(real, path, new Set([...visited, real]));
    else if (info.kind === "file") files.push(await fileOf(source, real, path, environment.platform));
  }
}

async function fileOf(
  source: Source,
  full: string,
  path: string,
  platform: NodeJS.Platform,
): Promise<SkillFile> {
  const info = await source.stat(full);
  const hash = createHash("sha256");
  let size = 0;
  let shebang = false;
  for await (const piece of bytesOf(full, source)) {
    if (size === 0) shebang = piece[0] === 0x23 && piece[1] === 0x21;
    hash.update(piece);
    size += piece.byteLength;
  }
  // Windows keeps no executable bit: a script says by its first line that it is one.
  const mode = platform === "win32" ? (shebang ? 0o755 : 0o644) : (info?.mode ?? 0o644) & 0o777;
  return { path, mode, size, sha256: hash.digest("hex"), read: () => bytesOf(full, source) };
}

async function headOf(source: Source, path: string): Promise<Uint8Array> {
  const file = await source.open(path);
  try {
    const head = file.read(0, HEAD);
    // A character cut at the end of the head is not bad text.
    let end = head.byteLength;
    if (end < file.size) while (end > 0 && ((head[end - 1] as number) & 0xc0) === 0x80) end--;
    return end < file.size && end > 0 ? head.subarray(0, end - 1) : head;
  } finally {
    file.close();
  }
}

/** Front matter keys that forbid or limit something, with the value that does. */
function restrictionsOf(data: Readonly<Record<string, unknown>>): Restriction[] {
  const found: Restriction[] = [];
  for (const key of ["allowed-tools", "disallowed-tools"])
    if (data[key] != null) found.push({ key, value: data[key], in: "SKILL.md" });
  if (data["disable-model-invocation"] === true)
    found.push({ key: "disable-model-invocation", value: true, in: "SKILL.md" });
  if (data["user-invocable"] === false) found.push({ key: "user-invocable", value: false, in: "SKILL.md" });
  return found;
}

/** What Claude Code runs by itself: hooks of the front matter, `!` commands of the body. */
export function runsByItself(data: Readonly<Record<string, unknown>>, body: string): string[] {
  const runs = data.hooks == null ? [] : ["hooks in its front matter"];
  for (const [, command] of body.matchAll(/(?:^|\s)!`([^`\n]+)`/g)) runs.push(command as string);
  return runs;
}

/**
 * The skill with what its own SKILL.md says of it, whatever the state that brought it claims: what would run and
 * what is forbidden is never taken from hearsay.
 */
export async function inspected(skill: Skill): Promise<Skill> {
  const main = skill.files.find(({ path }) => path === "SKILL.md");
  const { declaredName: _, description: __, runs: ___, ...rest } = skill;
  const matter = await readFrontMatter(decode(main ? await headOfFile(main) : new Uint8Array()).text);
  const declaredName = asText(matter.data.name);
  const description = asText(matter.data.description);
  const runs = runsByItself(matter.data, matter.body);
  return {
    ...rest,
    ...(declaredName !== undefined && { declaredName }),
    ...(description !== undefined && { description }),
    ...(runs.length > 0 && { runs }),
    restrictions: [
      ...restrictionsOf(matter.data),
      ...skill.restrictions.filter((one) => one.in !== "SKILL.md"),
    ],
  };
}

async function headOfFile(file: SkillFile): Promise<Uint8Array> {
  if (file.data !== undefined) return Buffer.from(file.data, "base64").subarray(0, HEAD);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of file.read?.() ?? []) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size >= HEAD) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD);
}

/** Why a skill's folder may not be written, or what to do for it. */
export type SkillFolderPlan =
  | { actions: Action[] }
  | { present: true }
  | { differs: true }
  | { unsafe: string };

/** Plans a skill's files below `folder`. An existing folder is never merged into. `extra`: files of our own. */
export async function planSkillFolder(
  skill: Skill,
  folder: string,
  target: KindTarget,
  extra: readonly SkillFile[] = [],
): Promise<SkillFolderPlan> {
  const paths = pathOf(target.environment);
  const name = safeRelative(skill.name);
  if ("refused" in name || name.path.includes("/"))
    return { unsafe: "refused" in name ? `its name ${name.refused}` : "its name leads into another folder" };
  const files = [...skill.files, ...extra];
  const actions: Action[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const safe = safeRelative(file.path);
    if ("refused" in safe) return { unsafe: `${JSON.stringify(file.path)} ${safe.refused}` };
    if (seen.has(safe.path)) return { unsafe: `${JSON.stringify(file.path)} is there twice` };
    seen.add(safe.path);
    const path = paths.join(folder, safe.path);
    if (file.link !== undefined) {
      const to = posix.normalize(posix.join(posix.dirname(safe.path), file.link.replaceAll("\\", "/")));
      if (posix.isAbsolute(file.link) || to.startsWith(".."))
        return { unsafe: `the link ${JSON.stringify(file.path)} leads out of the skill` };
      actions.push({ do: "link", path, to: file.link });
    } else {
      const content = file.data !== undefined ? Buffer.from(file.data, "base64") : file.read;
      if (!content) return { unsafe: `${JSON.stringify(file.path)} has no content` };
      actions.push({ do: "create", path, content, mode: file.mode & 0o755 });
    }
  }
  if (!(await target.source.stat(folder))) return { actions };
  for (const file of files)
    if (!(await isSame(file, paths.join(folder, file.path), target))) return { differs: true };
  return { present: true };
}

async function isSame(file: SkillFile, path: string, { source, environment }: KindTarget): Promise<boolean> {
  const info = await source.stat(path);
  if (!info || info.kind === "other") return false;
  if (file.link !== undefined) return info.link;
  if (info.kind !== "file" || info.size !== file.size) return false;
  return (await fileOf(source, path, file.path, environment.platform)).sha256 === file.sha256;
}

export interface SkillLimits {
  /** Longest name, in characters. */
  name?: number;
  description?: number;
  descriptionRequired?: boolean;
}

/** The Agent Skills standard's own limits; a target may be laxer or stricter. */
export const standardLimits: SkillLimits = { name: 64, description: 1024, descriptionRequired: true };

/** What a target with these limits would not take, in words; empty if it takes the skill. */
export function overLimits(skill: Skill, limits: SkillLimits): string[] {
  const found: string[] = [];
  const name = skill.declaredName ?? skill.name;
  if (limits.name !== undefined && [...name].length > limits.name)
    found.push(`its name has ${[...name].length} characters, at most ${limits.name} are taken`);
  const length = [...(skill.description ?? "")].length;
  if (limits.description !== undefined && length > limits.description)
    found.push(`its description has ${length} characters, at most ${limits.description} are taken`);
  if (limits.descriptionRequired && length === 0) found.push("it has no description");
  return found;
}

/** A small file of our own making, to go into a skill's folder. */
export function smallFile(path: string, text: string): SkillFile {
  const bytes = Buffer.from(text);
  return {
    path,
    mode: 0o644,
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    data: bytes.toString("base64"),
  };
}

/** Turns the plan of a folder into what a person is told, and adds its actions. */
export function settleSkill(
  plan: SkillFolderPlan,
  skill: Skill,
  actions: Action[],
  target: KindTarget,
): Item {
  const of = belonging(skill, skill.name);
  const words = { kind: "skills", axis: "skills" } as const;
  if ("present" in plan) return { ...of, outcome: "present" };
  if ("differs" in plan)
    return leave(target, of, {
      ...words,
      reason: "exists",
      note: "the target has another skill of this name",
    });
  if ("unsafe" in plan) return leave(target, of, { ...words, reason: "unsafe", note: plan.unsafe });
  actions.push(...plan.actions);
  return { ...of, outcome: "written" };
}
