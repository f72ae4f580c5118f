/** Tells what changes below a folder: as the system tells it, or, where it does not, by looking again and again. */
import type { FSWatcher } from "chokidar";

export interface Changes {
  close(): Promise<void>;
}

export interface WatchOptions {
  /** A path that came, changed or went. */
  onChange: (path: string) => void;
  /** The system tells nothing any more: from now on it is looked. */
  onPolling?: (why: string) => void;
  /** Look every so many ms, and never ask the system: for network file systems. */
  poll?: number | undefined;
}

/** How often is looked where the system does not tell, in ms. */
const POLL_EVERY = 2000;

/** Resolves when nothing that comes from now on is missed. */
export async function watchChanges(folder: string, options: WatchOptions): Promise<Changes> {
  const { watch } = await import("chokidar");
  const { onChange, onPolling, poll } = options;
  let watcher: FSWatcher;
  const begin = (interval: number | undefined): Promise<void> => {
    watcher = watch(folder, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => /[/\\](?:node_modules|[.]git)$/.test(path),
      ...(interval !== undefined && { usePolling: true, interval, binaryInterval: interval }),
    });
    watcher.on("all", (_event, path) => onChange(path));
    return new Promise((resolve, reject) => {
      watcher.once("ready", resolve);
      watcher.on("error", (error) => {
        // Too many watches, or a file system without them.
        if (interval !== undefined) return reject(error);
        void watcher.close();
        onPolling?.(error instanceof Error ? error.message : String(error));
        begin(POLL_EVERY).then(resolve, reject);
      });
    });
  };
  await begin(poll);
  return { close: () => watcher.close() };
}
