/** The kinds beside sessions on the command line: which are meant, of which projects, and what is allowed. */
import { basename, resolve } from "node:path";
import type { Converter, StateRequest, Store } from "@asp-convert/core";
import { expandHome, pathOf, stateKinds } from "@asp-convert/core";
import { UsageError } from "./errors.js";
import type { SessionOptions, StateOptions, TargetOptions } from "./options.js";
import type { Terminal } from "./terminal.js";

export const KINDS = ["sessions", ...stateKinds] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The kinds that are meant. Who asks for one session gets it and nothing else; a whole store, project or bundle is
 * meant with all it holds.
 */
export function kindsOf(options: SessionOptions, store: Store): Kind[] {
  if (options.kinds) {
    return options.kinds.map((kind) => {
      const known = KINDS.find((name) => name === kind);
      if (known === undefined)
        throw new UsageError(`there is no kind "${kind}"`, `Kinds: ${KINDS.join(", ")}`);
      return known;
    });
  }
  const oneSession = options.session !== undefined || options.latest || store.focus !== undefined;
  return oneSession ? ["sessions"] : [...KINDS];
}

interface Project {
  from: string;
  /** Absent: in place. */
  to?: string;
}

/** `--project DIR` or `--project FROM=TO`. */
function projectsOf({ project = [] }: StateOptions, terminal: Terminal): Project[] {
  const absolute = (path: string): string =>
    pathOf(terminal.environment).resolve(terminal.environment.cwd, expandHome(path, terminal.environment));
  return project.map((text) => {
    const at = text.lastIndexOf("=");
    return at === -1
      ? { from: absolute(text) }
      : { from: absolute(text.slice(0, at)), to: absolute(text.slice(at + 1)) };
  });
}

/** undefined: sessions only. `roots`: the folders besides the store that may be written to. */
export function stateRequest(
  from: Converter,
  store: Store,
  to: Converter,
  root: string,
  kinds: readonly Kind[],
  options: StateOptions & TargetOptions,
  terminal: Terminal,
): { state: StateRequest; roots: string[] } | undefined {
  const wanted = stateKinds.filter((kind) => kinds.includes(kind));
  if (wanted.length === 0) return undefined;
  const named = projectsOf(options, terminal);
  const inPlace = options.install === true;
  const taken = new Set<string>();
  const aside = (project: string): string => {
    const name = basename(project) || "project";
    let folder = name;
    for (let i = 2; taken.has(folder); i++) folder = `${name}-${i}`;
    taken.add(folder);
    return resolve(root, "project-files", folder);
  };
  const folders = new Map<string, string>();
  if (store.project !== undefined) {
    // PATH is the project: `--project` says where its things go.
    const given = named[0] && (named[0].to ?? named[0].from);
    folders.set(store.project, given ?? (inPlace ? store.project : aside(store.project)));
  } else if (!from.container) {
    for (const { from: project, to: there } of named)
      folders.set(project, there ?? (inPlace ? project : aside(project)));
  }
  const projectFolder = from.container
    ? fromBundle(named)
    : (project: string) => (to.container ? project : folders.get(project));
  return {
    state: {
      kinds: wanted,
      user: store.project === undefined,
      projects: [...folders.keys()],
      projectFolder,
      followLinks: options.followLinks === true,
      allowTools: options.allowTools === true,
      dropRestrictions: options.dropRestrictions === true,
      // What a person has in clear on this machine stays so on it; what leaves it does not take it along.
      includeSecrets: options.includeSecrets === true || (!to.container && options.share !== true),
    },
    roots: to.container
      ? []
      : from.container
        ? named.map(({ from: project, to: there }) => there ?? project)
        : [...folders.values()],
  };
}

/** A bundle's projects are another machine's: by their path, else by their name, else the only one to the only one. */
function fromBundle(named: readonly Project[]): (project: string) => string | undefined {
  let only: string | undefined;
  return (project) => {
    const exact =
      named.find(({ from, to }) => from === project && to !== undefined) ??
      named.find(({ from, to }) => to === undefined && from === project);
    const byName = exact ?? named.find(({ from }) => basename(from) === project.split(/[/\\]/).at(-1));
    if (byName) return byName.to ?? byName.from;
    const [first] = named;
    if (named.length !== 1 || first === undefined) return undefined;
    only ??= project;
    return only === project ? (first.to ?? first.from) : undefined;
  };
}
