/** Which version of a program is here, and whether it is one that was tried. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { source } from "../toolkit.js";

const VERSION = /\d+\.\d+(?:\.\d+)?(?:[-+][\w.-]+)?/;
/** ms that a program may take to say it. */
const PATIENCE = 10_000;
/** Folders above a program's file in which its package may be described. */
const LEVELS = 6;

/** From the package it lies in, so that nothing is started; else it is asked with `--version`. undefined: it did not say. */
export async function versionAt(path: string, platform: NodeJS.Platform): Promise<string | undefined> {
  return (await fromPackage(path)) ?? asked(path, platform);
}

async function fromPackage(path: string): Promise<string | undefined> {
  let at = dirname((await source.realPath(path).catch(() => undefined)) ?? path);
  for (let level = 0; level < LEVELS; level++, at = dirname(at)) {
    const bytes = await source.readFile(join(at, "package.json")).catch(() => undefined);
    if (!bytes) continue;
    try {
      const { version, bin } = JSON.parse(Buffer.from(bytes).toString()) as {
        version?: unknown;
        bin?: unknown;
      };
      // The one that brings the program, not that of a folder it happens to lie in.
      return typeof version === "string" && bin !== undefined ? version : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

async function asked(path: string, platform: NodeJS.Platform): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      timeout: PATIENCE,
      shell: platform === "win32",
      // It is only asked: no program is to look for a newer one of itself.
      env: {
        ...process.env,
        CI: "true",
        DO_NOT_TRACK: "1",
        DISABLE_AUTOUPDATER: "1",
        NO_UPDATE_NOTIFIER: "1",
      },
    });
    return VERSION.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** By their numbers; what stands behind a hyphen does not count. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [numbers(version), numbers(than)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [a, b] = [left[at] ?? 0, right[at] ?? 0];
    if (a !== b) return a > b;
  }
  return false;
}

function numbers(version: string): number[] {
  return (version.split(/[-+]/)[0] ?? "").split(".").map(Number);
}
