/** A converter of a file format rather than a program: one session a file, no store, no state beside sessions. */
import { type Converter, defineConverter, type SessionsKind, type Target } from "../converter/contract.js";
import type { Environment } from "../io/paths.js";
import { pathOf } from "../io/paths.js";

interface Format
  extends Pick<Converter, "id" | "name" | "probe">,
    Pick<SessionsKind, "list" | "read" | "write" | "fidelity" | "carrier"> {
  /** How a file's name ends: `.md`. */
  extension: string;
}

export function defineFormat({ id, name, probe, extension, ...sessions }: Format): Converter {
  const absent = { absent: `${name} holds sessions only` };
  return defineConverter({
    ...{ id, name, probe },
    container: true,
    verified: [],
    locate: () => [],
    open: async (path) => ({ harness: id, root: path }),
    sessions: {
      ...sessions,
      async replay() {
        throw new Error(`a session of ${name} is of the program it came from`);
      },
      resume: { needs: [], command: () => [], variable: "" },
      file: { extension, command: () => [] },
    },
    ...{ instructions: absent, skills: absent, tools: absent, memory: absent, settings: absent },
  });
}

/** Where a writer of a format puts a session. @param child a subagent's: beside its parent's file. */
export function fileIn(
  { root, file, environment }: Target,
  id: string,
  extension: string,
  child: boolean,
): string {
  const name = id.replace(/[^\w-]+/g, "_");
  if (file === undefined) return pathIn(environment, root, `${name}${extension}`);
  return child ? `${file.slice(0, -extension.length)}.${name}${extension}` : file;
}

function pathIn(environment: Environment, root: string, name: string): string {
  return pathOf(environment).join(root, name);
}
