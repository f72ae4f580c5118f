/**
 * Which plugins are meant: what the person names, and what their project names. A plugin is code, and a project that
 * is being converted is input: nothing is taken from it.
 */
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expandHome, isInside } from "@asp-convert/core";
import type { StateOptions } from "../options.js";
import type { Terminal } from "../terminal.js";
import { jsonIn, kindOf } from "./files.js";

/** A plugin by name. */
export interface Named {
  /** A package, or a path (absolute). */
  specifier: string;
  /** Packages are looked for from here upwards. */
  folder: string;
  /** As the person knows it. */
  name: string;
  /** `--plugin`, or the file that names it. */
  from: string;
}

/** A plugin that a configuration holds itself. */
export interface Held {
  value: unknown;
  name: string;
  from: string;
}

export interface Broken {
  name: string;
  from: string;
  problem: string;
}

export interface Found {
  named: Named[];
  held: Held[];
  broken: Broken[];
  /** The project whose plugins were left alone, because it is what is converted. */
  leftAlone?: string;
}

export interface PluginOptions extends Pick<StateOptions, "project"> {
  plugin?: string[];
  plugins?: boolean;
}

const CONFIGS = ["asp.config.ts", "asp.config.js", "asp.config.json"];
/** `asp-convert-acme`, `@acme/asp-convert-acme`. Our own are built in. */
const PACKAGE = /^(@[^/]+\/)?asp-convert-[^/]+$/;

/** @param paths what the command was pointed at */
export async function findPlugins(
  options: PluginOptions,
  paths: readonly string[],
  terminal: Terminal,
): Promise<Found> {
  const { environment } = terminal;
  const found: Found = { named: [], held: [], broken: [] };
  const absolute = (path: string) => resolve(environment.cwd, expandHome(path, environment));
  for (const name of options.plugin ?? [])
    found.named.push({
      specifier: isPath(name) || (await kindOf(absolute(name))) ? absolute(name) : name,
      folder: environment.cwd,
      name,
      from: "--plugin",
    });
  if (options.plugins === false) return found;

  const project = await projectAround(environment.cwd);
  if (project === undefined) return found;
  const converted = [...paths, ...(options.project ?? []).flatMap((text) => text.split("="))].map(absolute);
  if (converted.some((path) => covers(path, project, environment.platform))) {
    if (await namesAny(project)) found.leftAlone = project;
    return found;
  }
  await fromConfig(project, found);
  await fromManifest(project, found);
  return found;
}

/** The nearest folder that has a configuration or a manifest. */
async function projectAround(cwd: string): Promise<string | undefined> {
  for (let at = cwd; ; at = dirname(at)) {
    if ((await configOf(at)) ?? (await kindOf(join(at, "package.json")))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** A project is also converted where its own store (`.claude` in it) is pointed at, or a folder that it is in. */
function covers(path: string, project: string, platform: NodeJS.Platform): boolean {
  const store = basename(path).startsWith(".") && dirname(path) === project;
  return store || isInside(project, path, platform);
}

async function namesAny(project: string): Promise<boolean> {
  return (await configOf(project)) !== undefined || (await packagesOf(project)).length > 0;
}

async function configOf(folder: string): Promise<string | undefined> {
  for (const name of CONFIGS) if ((await kindOf(join(folder, name))) === "file") return name;
  return undefined;
}

async function fromConfig(project: string, found: Found): Promise<void> {
  const name = await configOf(project);
  if (name === undefined) return;
  const path = join(project, name);
  try {
    const { plugins = [] } = await configIn(path);
    if (!Array.isArray(plugins)) throw new Error("`plugins` is no list");
    plugins.forEach((value: unknown, at) => {
      if (typeof value !== "string") found.held.push({ value, name: `plugins[${at}]`, from: path });
      else
        found.named.push({
          specifier: isPath(value) ? resolve(project, value) : value,
          folder: project,
          name: value,
          from: path,
        });
    });
  } catch (error) {
    found.broken.push({ name, from: path, problem: sayWhy(error) });
  }
}

async function configIn(path: string): Promise<{ plugins?: unknown }> {
  if (path.endsWith(".json")) return object(await jsonIn(path));
  try {
    const module: { default?: unknown } = await import(pathToFileURL(path).href);
    return object(module.default);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_UNKNOWN_FILE_EXTENSION")
      throw new Error(
        `Node.js ${process.versions.node} reads no TypeScript: take 22.18 or newer, or asp.config.js`,
      );
    throw error;
  }
}

function object(value: unknown): { plugins?: unknown } {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error("is no object with `plugins` (export it as default)");
}

async function fromManifest(project: string, found: Found): Promise<void> {
  const from = join(project, "package.json");
  for (const name of await packagesOf(project)) {
    // Named by the configuration too: once.
    if (found.named.some(({ specifier }) => specifier === name)) continue;
    found.named.push({ specifier: name, folder: project, name, from });
  }
}

async function packagesOf(project: string): Promise<string[]> {
  try {
    const manifest: Record<string, unknown> = Object(await jsonIn(join(project, "package.json")));
    const fields = ["dependencies", "devDependencies", "optionalDependencies"];
    const names = fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
    return [...new Set(names)].filter((name) => PACKAGE.test(name));
  } catch {
    return []; // not ours to complain about
  }
}

function isPath(name: string): boolean {
  return /^(\.{1,2}([/\\]|$)|[/~]|[A-Za-z]:[/\\])/.test(name);
}

export function sayWhy(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
