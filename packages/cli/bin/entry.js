// Which form of the program to start.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const own = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * The one in few files, which starts in half the time; in a checkout in which something was compiled since it was
 * made, the compiled files themselves.
 */
export function entry() {
  const [start, plain] = [join(own, "dist/start/bin.js"), join(own, "dist/bin.js")];
  const made = changed(start);
  const isFresh = made > 0 && (!existsSync(join(own, "src")) || compiled().every((time) => time <= made));
  return pathToFileURL(isFresh ? start : plain).href;
}

/** When each package of this checkout was compiled last. */
function compiled() {
  const root = join(own, "../..");
  return ["packages", "converters"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => changed(join(root, folder, name, "dist/.tsbuildinfo"))),
  );
}

/** ms since 1970; 0 for what is not there. */
function changed(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
