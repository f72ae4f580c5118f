/** Loads plugins, each by itself: what one does wrong is said with its name, and the others are there all the same. */
import { registerHooks } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Converter, converterProblems } from "@asp-convert/core";
import { jsonIn, kindOf } from "./files.js";
import { type Broken, type Found, type Named, sayWhy } from "./find.js";

export interface Plugin {
  converter: Converter;
  /** As the person knows it. */
  name: string;
  /** What names it. */
  from: string;
  version?: string;
}

/** Milliseconds after which a plugin that is still loading is left behind. */
const PATIENCE = 10_000;

/** @param taken ids that are given already, and to whom */
export async function loadPlugins(
  { named, held, broken: before }: Found,
  taken: ReadonlyMap<string, string>,
): Promise<{ plugins: Plugin[]; broken: Broken[] }> {
  const plugins: Plugin[] = [];
  const broken = [...before];
  const ids = new Map(taken);
  const take = (value: unknown, about: Omit<Plugin, "converter">) => {
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (given.length === 0) broken.push({ ...about, problem: "gives no converter" });
    for (const converter of given) {
      const problems = converterProblems(converter);
      if (problems.length > 0) {
        broken.push({ ...about, problem: problems.join("; ") });
        continue;
      }
      const checked = converter as Converter;
      const owner = ids.get(checked.id);
      if (owner !== undefined) {
        broken.push({ ...about, problem: `its id "${checked.id}" is taken (${owner})` });
        continue;
      }
      ids.set(checked.id, about.name);
      plugins.push({ converter: checked, ...about });
    }
  };
  for (const each of named) {
    const { name, from } = each;
    try {
      const module = await inTime(importFrom(each));
      if (module.default === undefined) throw new Error("has no default export");
      const version = await versionOf(each);
      take(module.default, { name, from, ...(version !== undefined && { version }) });
    } catch (error) {
      broken.push({ name, from, problem: whyNot(each, error) });
    }
  }
  for (const { value, name, from } of held) take(value, { name, from });
  return { plugins, broken };
}

/** Imports a package as a file in `folder` would, or a path. */
async function importFrom({ specifier, folder }: Named): Promise<{ default?: unknown }> {
  // Node imports files, not folders: a folder is a package, which says itself what its entry is.
  if (isAbsolute(specifier)) {
    const isFolder = (await kindOf(specifier)) === "directory";
    return import(isFolder ? await entryOf(specifier) : pathToFileURL(specifier).href);
  }
  const parentURL = pathToFileURL(join(folder, "package.json")).href;
  const hooks = registerHooks({
    resolve: (wanted, context, next) =>
      next(
        wanted,
        wanted === specifier && context.parentURL === import.meta.url ? { ...context, parentURL } : context,
      ),
  });
  try {
    return await import(specifier);
  } finally {
    hooks.deregister();
  }
}

async function entryOf(folder: string): Promise<string> {
  const manifest = await manifestIn(folder);
  const exported = manifest.exports;
  const entry = target(exported) ?? target(manifest.main) ?? "index.js";
  return pathToFileURL(join(folder, entry)).href;
}

/** What `exports` gives for ".", by the conditions that an import has. */
function target(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    if (![".", "node", "import", "module-sync", "default"].includes(condition)) continue;
    const found = target(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function manifestIn(folder: string): Promise<Record<string, unknown>> {
  return Object(await jsonIn(join(folder, "package.json")));
}

async function versionOf({ specifier, folder }: Named): Promise<string | undefined> {
  for (const at of [specifier, join(folder, "node_modules", specifier)]) {
    const { version } = await manifestIn(at);
    if (typeof version === "string") return version;
  }
  return undefined;
}

async function inTime<T>(loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took more than ${PATIENCE / 1000} s to load`)), PATIENCE);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function whyNot({ specifier, folder, from }: Named, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const why = sayWhy(error);
  // Its own absence, not that of something which it imports.
  if (code === "ERR_MODULE_NOT_FOUND" && why.includes(`'${specifier}'`)) {
    const step = from === "--plugin" ? "check the name, or install it here" : "run npm install there";
    return `is not to be found from ${folder}: ${step}`;
  }
  if (code === "ERR_MODULE_NOT_FOUND" && why.includes("@asp-convert/core"))
    return "cannot find @asp-convert/core: install it beside the plugin (npm install @asp-convert/core)";
  return why;
}
