/** Private temporary folders that never outlive their use. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Runs a task with a new private folder (its real path), empty but for a `home` and a `tmp` in it, and removes
 * it whatever happens.
 */
export async function withScratch<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "asp-native-")));
  try {
    for (const name of ["home", "tmp"]) await emptyFolder(folder, name);
    return await task(folder);
  } finally {
    // A program that was killed may still be letting go of its files.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Makes a folder in another and gives its path. */
export async function emptyFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Writes files by their absolute paths, and the folders that they are in. */
export async function writeFiles(files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
