/** Each program: is it here, which version, which stores. */
import type { Converter } from "@asp-convert/core";
import { installedAt } from "../programs.js";
import type { Terminal } from "../terminal.js";
import { findStores, harnesses, sessionsOf } from "../toolkit.js";
import type { Problem, ProgramFinding, StoreFinding } from "./findings.js";
import { isNewer, versionAt } from "./version.js";

export async function lookAtPrograms(
  terminal: Terminal,
  tell: (problem: Problem) => void,
): Promise<ProgramFinding[]> {
  const stores = new Map<string, StoreFinding[]>();
  const failed = (about: string, text: string) =>
    tell({
      level: "problem",
      about,
      text,
      next: "See whether it is there and may be read; if so, tell us (ASP_DEBUG=1 shows where).",
    });
  for (const { converter, store } of await findStores(terminal)) {
    try {
      const { refs, unreadable } = await sessionsOf(converter, store, terminal);
      stores.set(converter.id, [
        ...(stores.get(converter.id) ?? []),
        { root: store.root, sessions: refs.length, unreadable },
      ]);
      for (const { path, reason } of unreadable)
        tell({
          level: "problem",
          about: converter.name,
          text: `${path}: ${reason}`,
          next: "Its sessions are left out. Check its permissions, or run as the user it belongs to.",
        });
    } catch (error) {
      terminal.signal.throwIfAborted();
      failed(converter.name, `${store.root}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return Promise.all(
    harnesses.map((converter) => one(converter, stores.get(converter.id) ?? [], terminal, tell)),
  );
}

async function one(
  converter: Converter,
  stores: readonly StoreFinding[],
  { environment }: Terminal,
  tell: (problem: Problem) => void,
): Promise<ProgramFinding> {
  const { id, name, verified, readOnly, experimental } = converter;
  const at = readOnly === undefined ? await installedAt(converter, environment) : undefined;
  const version = at === undefined ? undefined : await versionAt(at, environment.platform);
  const [newest] = verified;
  if (version !== undefined && newest !== undefined && isNewer(version, newest))
    tell({
      level: "note",
      about: name,
      text: `${version} is newer than what was tried (${newest})`,
      next: "Try one session first: `asp-convert compare`, then `asp-convert verify --native`.",
    });
  if (at !== undefined && version === undefined)
    tell({
      level: "note",
      about: name,
      text: `${at} did not say which version it is`,
      next: `Run \`${at} --version\`.`,
    });
  if (experimental !== undefined && (at !== undefined || stores.length > 0))
    tell({
      level: "note",
      about: name,
      text: experimental,
      next: "Look at what was converted before you rely on it.",
    });
  return {
    ...{ id, name },
    ...(at !== undefined && { at }),
    ...(version !== undefined && { version }),
    verified,
    ...(readOnly !== undefined && { readOnly }),
    ...(experimental !== undefined && { experimental }),
    stores,
  };
}
