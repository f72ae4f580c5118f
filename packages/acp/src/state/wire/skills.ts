/** Skills: each file by its path. What a skill is allowed is read from its bytes again, whoever sent them. */
import type { Environment, KindContext, Skill, SkillFile } from "@asp-convert/core";
import { bytesOf, memorySource, type Source, safeRelative } from "@asp-convert/core";
import { readSkillFolder } from "@asp-convert/core/kinds";
import type { WireSkill } from "../../forms/state.js";

type WireFile = WireSkill["files"][number];

/** @param folder where the files lie that stream from a disk: only for the words of an error. */
export async function skillToWire(skill: Skill): Promise<WireSkill> {
  const { name, scope, project, path, restrictions } = skill;
  const files: WireFile[] = [];
  for (const file of skill.files) files.push(await fileToWire(file));
  const outside = restrictions.filter((one) => one.in !== "SKILL.md");
  return {
    name,
    files,
    _meta: {
      asp: {
        scope,
        ...(project !== undefined && { project }),
        ...(path !== undefined && { path }),
        ...(outside.length > 0 && { restrictions: outside }),
      },
    },
  };
}

async function fileToWire(file: SkillFile): Promise<WireFile> {
  const { path, mode, link } = file;
  if (link !== undefined) return { path, _meta: { asp: { link } } };
  const bytes = await contentOf(file);
  const text = asText(bytes);
  return {
    path,
    ...(text !== undefined ? { text } : { blob: bytes.toString("base64") }),
    _meta: { asp: { mode } },
  };
}

async function contentOf({ read, data }: SkillFile): Promise<Buffer> {
  if (data !== undefined) return Buffer.from(data, "base64");
  const parts: Uint8Array[] = [];
  if (read) for await (const part of read()) parts.push(part);
  return Buffer.concat(parts);
}

/** undefined where the bytes would not come back the same. */
function asText(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return !text.includes("\0") && Buffer.from(text).equals(bytes) ? text : undefined;
}

/** Skills whose files are values. One with a path that leads out of its folder is none: it says why. */
export async function skillFromWire(
  wire: WireSkill,
  context: KindContext,
): Promise<{ skill: Skill } | { refused: string }> {
  const asp = wire._meta?.asp;
  const folder = `/${encodeURIComponent(wire.name)}`;
  const contents: Record<string, Buffer> = {};
  const links: SkillFile[] = [];
  const modes = new Map<string, number>();
  for (const { path, text, blob, _meta } of wire.files) {
    const safe = safeRelative(path);
    if ("refused" in safe) return { refused: `the file "${path}" ${safe.refused}` };
    const { link, mode } = _meta?.asp ?? {};
    if (mode !== undefined) modes.set(safe.path, mode & 0o777);
    if (text !== undefined || blob !== undefined)
      contents[`${folder}/${safe.path}`] =
        text !== undefined ? Buffer.from(text) : Buffer.from(blob ?? "", "base64");
    else if (link !== undefined) links.push({ path: safe.path, mode: 0o777, size: 0, sha256: "", link });
  }
  const place = {
    name: wire.name,
    scope: asp?.scope ?? "user",
    ...(asp?.project !== undefined && { project: asp.project }),
    ...(asp?.path !== undefined && { path: asp.path }),
  } as const;
  const source = memorySource(contents);
  const skill = await readSkillFolder(folder, place, {
    ...context,
    source,
    environment: onPosix(context.environment),
  });
  if (!skill) return { refused: "has no SKILL.md" };
  const files = skill.files.map((file) => withBytes(file, folder, source, modes));
  return {
    skill: {
      ...skill,
      files: [...files, ...links],
      restrictions: [...skill.restrictions, ...(asp?.restrictions ?? [])],
    },
  };
}

function withBytes(
  file: SkillFile,
  folder: string,
  source: Source,
  modes: ReadonlyMap<string, number>,
): SkillFile {
  const mode = modes.get(file.path) ?? 0o644;
  return { ...file, mode, read: () => bytesOf(`${folder}/${file.path}`, source) };
}

/** Paths of values in memory have slashes, whatever the machine. */
function onPosix(environment: Environment): Environment {
  return { ...environment, platform: "linux" };
}
