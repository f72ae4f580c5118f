/** Paths as people like to read them: from here or from home, whichever is shorter. */
import { isAbsolute, relative, sep } from "node:path";

export interface Standpoint {
  cwd: string;
  home: string | undefined;
}

/** The shortest of the path itself, `./…` from here and `~/…`. For the eye; a line to paste goes through `quotePath`. */
export function shortPath(path: string, { cwd, home }: Standpoint): string {
  const forms = [path];
  if (isAbsolute(path)) {
    const from = relative(cwd, path);
    if (from === "") forms.push(".");
    else if (!isAbsolute(from)) forms.push(from.startsWith("..") ? from : `.${sep}${from}`);
    if (home !== undefined && home !== sep && path === home) forms.push("~");
    if (home !== undefined && home !== sep && path.startsWith(home + sep))
      forms.push(`~${path.slice(home.length)}`);
  }
  return forms.reduce((best, form) => (form.length < best.length ? form : best));
}
