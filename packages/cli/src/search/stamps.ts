/** Whether a store is as it was when it was listed: seen by looking at its files and folders, not into them. */
import { dirname, extname } from "node:path";
import type { Environment, SessionRef, Store } from "@asp-convert/core";
import { changedAt, foldersIn, isInside, stampOf } from "@asp-convert/core";

/** What a path was: size and time of a file, the names in a folder that could be sessions', `-` where nothing is. */
export type Stamps = Record<string, string>;

const NONE: ReadonlySet<string> = new Set();

/** As long as this stays, the session's text does: of rows in a database the list knows when they changed. */
export function stampOfSession(ref: SessionRef): string {
  if (isInRows(ref)) return [ref.size, ref.updatedAt, ref.title].join(" ");
  return filesOf(ref)
    .map((path) => stampOf(path, NONE))
    .join(" ");
}

/** It lies in a file that holds other sessions too. */
export function isInRows({ files, children }: SessionRef): boolean {
  return (
    files.some(({ path, relative }) => !path.replaceAll("\\", "/").endsWith(relative)) ||
    children.some(isInRows)
  );
}

export function filesOf(ref: SessionRef): string[] {
  return [...ref.files.map(({ path }) => path), ...ref.children.flatMap(filesOf)];
}

export function extensionsOf(refs: readonly SessionRef[]): Set<string> {
  return new Set(refs.flatMap((ref) => filesOf(ref).map((path) => extname(path))));
}

/**
 * Every file a session lies in, and every folder where another one could turn up.
 * @param since ms: a folder that changed after that may hold what was not listed any more; it counts as changed
 */
export function stampsOf(
  store: Store,
  refs: readonly SessionRef[],
  { platform }: Environment,
  since: number,
): Stamps {
  const extensions = extensionsOf(refs);
  const files = new Set<string>();
  const folders = new Set<string>([store.root]);
  for (const ref of refs) {
    const rows = isInRows(ref);
    for (const path of filesOf(ref)) {
      files.add(path);
      if (rows) files.add(`${path}-wal`);
      for (let at = dirname(path); !folders.has(at) && isInside(at, store.root, platform); at = dirname(at))
        folders.add(at);
    }
  }
  for (const folder of [...folders]) for (const path of foldersIn(folder)) folders.add(path);
  const stamps: Stamps = {};
  for (const path of files) stamps[path] = stampOf(path, extensions);
  for (const path of folders) stamps[path] = isOlder(path, since) ? stampOf(path, extensions) : "?";
  return stamps;
}

function isOlder(folder: string, since: number): boolean {
  const changed = changedAt(folder);
  return changed === undefined || changed < since;
}
