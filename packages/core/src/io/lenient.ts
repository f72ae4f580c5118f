/** For a look at things, where one that cannot be read is no reason to stop looking. */
import { openBytes } from "./memory.js";
import { type Source, SourceError } from "./source.js";

/** The same source, in which what cannot be read is as if it were not there, or empty; `told` of each. */
export function lenient(source: Source, told: (error: SourceError) => void): Source {
  const or = async <T>(nothing: T, look: Promise<T>): Promise<T> => {
    try {
      return await look;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      told(error);
      return nothing;
    }
  };
  return {
    stat: (path) => or(undefined, source.stat(path)),
    readDir: (path) => or([], source.readDir(path)),
    realPath: (path) => or(undefined, source.realPath(path)),
    readFile: (path, maxBytes) => or(undefined, source.readFile(path, maxBytes)),
    open: (path) => or(openBytes(path, new Uint8Array(0)), source.open(path)),
    openDatabase: (path) => source.openDatabase(path),
  };
}
