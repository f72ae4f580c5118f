/** The few files that say which plugins there are. */
import { diskSource } from "@asp-convert/core";

export async function kindOf(path: string): Promise<"file" | "directory" | undefined> {
  const info = await diskSource.stat(path).catch(() => undefined);
  return info?.kind === "file" || info?.kind === "directory" ? info.kind : undefined;
}

/** undefined where there is none. @throws SyntaxError, with the path in front */
export async function jsonIn(path: string): Promise<unknown> {
  const bytes = await diskSource.readFile(path);
  if (!bytes) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    throw new SyntaxError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
