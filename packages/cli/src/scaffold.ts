/** The package that `new converter` makes: the files of template/converter, with another name in them. */
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { diskSource } from "@asp-convert/core";
import { version } from "./version.js";

/** As seen from dist/, and from dist/start/ when it was put together with others. */
const up = import.meta.url.includes("/dist/start/") ? "../.." : "..";
const template = join(dirname(fileURLToPath(import.meta.url)), up, "template/converter");

/** What npm would leave out of a package, or take for one of its own. */
const NAMES = new Map([
  ["gitignore", ".gitignore"],
  ["package.template.json", "package.json"],
]);

export interface MadeFile {
  /** Relative, with `/`. */
  path: string;
  text: string;
}

/** @param name small letters, digits, hyphens */
export async function filesOf(name: string): Promise<MadeFile[]> {
  const words = name.split("-");
  const spelled = (text: string) =>
    text
      .replaceAll("acme", name)
      .replaceAll("Acme", words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "))
      .replaceAll("ACME", words.join("_").toUpperCase())
      .replaceAll("^0.0.0", `^${version}`);
  const files: MadeFile[] = [];
  for (const path of await filesIn(template)) {
    const bytes = await diskSource.readFile(path);
    if (!bytes) continue;
    const own = relative(template, path).replaceAll("\\", "/");
    files.push({ path: spelled(NAMES.get(own) ?? own), text: spelled(Buffer.from(bytes).toString("utf8")) });
  }
  return files;
}

/** Without what working on the template itself may leave behind. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await diskSource.readDir(folder)) {
    if (name === "node_modules" || name === "dist") continue;
    const path = join(folder, name);
    found.push(...(kind === "directory" ? await filesIn(path) : [path]));
  }
  return found;
}
