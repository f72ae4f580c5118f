/**
 * Shows a subagent's events, which stand among those of the session that started it, as a file of their own: it is on
 * no disk, and its bytes are those lines, copied when it is opened.
 */
import { type FileInfo, type OpenFile, openMade, type Source, SourceError } from "@asp-convert/core";
import { eventsAround, subagentFile } from "../layout.js";
import { scan } from "./scan.js";

export function agentView(source: Source): Source {
  /** The file with the events, if the path would be one of an agent in it. */
  async function eventsOf(file: string): Promise<(FileInfo & { path: string }) | undefined> {
    const path = eventsAround(file);
    const info = path === undefined ? undefined : await source.stat(path);
    return path !== undefined && info?.kind === "file" ? { ...info, path } : undefined;
  }

  async function opened(file: string, events: string): Promise<OpenFile> {
    const whole = await source.open(events);
    const lines = [...scan(whole, undefined).agents].find(([id]) => subagentFile(events, id) === file)?.[1]
      .lines;
    if (!lines) {
      whole.close();
      throw new SourceError(file, "missing", "no events of such an agent");
    }
    const { mtimeMs } = whole;
    return openMade(
      { path: file, mtimeMs, check: () => whole.check(), close: () => whole.close() },
      linesOf(whole, lines),
    );
  }

  return {
    ...source,
    async stat(file) {
      const events = await eventsOf(file);
      if (!events) return source.stat(file);
      try {
        const open = await opened(file, events.path);
        open.close();
        return { ...events, size: open.size };
      } catch (error) {
        if (error instanceof SourceError && error.why === "missing") return undefined;
        throw error;
      }
    },
    async realPath(file) {
      return (await eventsOf(file)) ? file : source.realPath(file);
    },
    async readFile(file, maxBytes) {
      const events = await eventsOf(file);
      if (!events) return source.readFile(file, maxBytes);
      const open = await opened(file, events.path);
      try {
        if (maxBytes !== undefined && open.size > maxBytes)
          throw new SourceError(
            file,
            "too-large",
            `${open.size} bytes; at most ${maxBytes} are read at once`,
          );
        return open.read(0, open.size);
      } finally {
        open.close();
      }
    },
    async open(file) {
      const events = await eventsOf(file);
      return events ? opened(file, events.path) : source.open(file);
    },
  };
}

function* linesOf(file: OpenFile, places: readonly number[]): Generator<Uint8Array> {
  const newline = Buffer.from("\n");
  for (let i = 0; i < places.length; i += 2) {
    yield file.read(places[i] as number, places[i + 1] as number);
    yield newline;
  }
}
