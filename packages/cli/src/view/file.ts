/** A page goes to a file of its own: streamed, in one step, and never over a file that is no page of ours. */
import { apply, type Content, pathOf, removeFiles } from "@asp-convert/core";
import { MARK } from "@asp-convert/page";
import { CommandError } from "../errors.js";
import type { Terminal } from "../terminal.js";
import { source } from "../toolkit.js";

export async function writePage(
  path: string,
  content: Content,
  { environment, signal }: Terminal,
): Promise<number> {
  const there = await source.stat(path);
  if (there) {
    if (there.kind !== "file" || !(await isPage(path)))
      throw new CommandError(`${path} is there, and it is no page of asp-convert`, {
        code: "exists",
        next: "Name another file with -o.",
      });
    removeFiles([path]);
  }
  const roots = [pathOf(environment).dirname(path)];
  await apply([{ do: "create", path, content }], { environment, roots, what: "view", signal });
  return (await source.stat(path))?.size ?? 0;
}

async function isPage(path: string): Promise<boolean> {
  const file = await source.open(path);
  try {
    return Buffer.from(file.read(0, MARK.length)).toString("latin1") === MARK;
  } finally {
    file.close();
  }
}
