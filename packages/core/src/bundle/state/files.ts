/** Small JSON files of a bundle: read with their shape checked, written so that a person can read and compare them. */
import type { z } from "zod";
import type { KindTarget } from "../../converter/kinds.js";
import type { Source } from "../../io/source.js";
import { readText } from "../../kinds/text.js";
import type { Action } from "../../pipeline/plan.js";
import { BundleError, bundlePaths, manifestText } from "../layout.js";

/** undefined where there is no such file. @throws BundleError if it is not what it should be. */
export async function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  source: Source,
): Promise<T | undefined> {
  const text = (await readText(source, path))?.text;
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new BundleError(path, "is no JSON", { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BundleError(path, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not as it must be"}`);
}

/** Our own file, written anew: what it lists is this export's. */
export function writeJson(path: string, value: unknown): Action {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  return { do: "edit", path, edit: () => text, what: "the list", mode: 0o644 };
}

/** A bundle without sessions is one too. */
export function manifestThere({ root }: KindTarget): Action {
  return {
    do: "edit",
    path: bundlePaths(root).manifest,
    edit: (before) => before ?? manifestText([]),
    what: "the manifest",
    mode: 0o600,
  };
}

/** A folder name for a project, for people; which one it is stands in the list. */
export function projectFolder(project: string): string {
  const base =
    project
      .split(/[/\\]/)
      .filter((part) => part !== "")
      .at(-1) ?? "project";
  let hash = 0;
  for (let i = 0; i < project.length; i++) hash = (Math.imul(hash, 31) + project.charCodeAt(i)) | 0;
  return `${base.replace(/[^A-Za-z0-9_-]+/g, "-") || "project"}-${(hash >>> 0).toString(36)}`;
}
