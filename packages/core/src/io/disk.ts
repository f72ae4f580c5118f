/** The `Source` that reads the machine's disk. */

import type { Stats } from "node:fs";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { holdsCredentials } from "./credentials.js";
import { databasesOf } from "./database.js";
import { type DirEntry, type FileInfo, type OpenFile, type Source, SourceError } from "./source.js";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

const readSome = promisify(read);

const files: Omit<Source, "openDatabase"> = {
  async stat(path) {
    try {
      const own = await lstat(path);
      const info = own.isSymbolicLink() ? await stat(path) : own;
      return {
        kind: kindOf(info),
        size: info.size,
        mtimeMs: info.mtimeMs,
        mode: info.mode & 0o7777,
        link: own.isSymbolicLink(),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw sourceError(path, error);
    }
  },

  async readDir(path) {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      return entries
        .map(
          (entry): DirEntry => ({ name: entry.name, kind: entry.isSymbolicLink() ? "link" : kindOf(entry) }),
        )
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (isMissing(error)) return [];
      throw sourceError(path, error);
    }
  },

  async realPath(path) {
    try {
      return await realpath(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw sourceError(path, error);
    }
  },

  async readFile(path, maxBytes = DEFAULT_MAX_BYTES) {
    try {
      refuseCredentials(path);
      const info = await stat(path);
      // A pipe would hold us until somebody writes into it.
      if (!info.isFile()) throw notAFile(path, info);
      const { size } = info;
      if (size > maxBytes)
        throw new SourceError(path, "too-large", `${size} bytes; at most ${maxBytes} are read at once`);
      return await readFile(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw sourceError(path, error);
    }
  },

  async open(path) {
    return openOnDisk(path);
  },
};

export const diskSource: Source = { ...files, openDatabase: databasesOf(files) };

/** By its own name, and by that of what it points to. */
function refuseCredentials(path: string): void {
  if (holdsCredentials(path) || (isLink(path) && holdsCredentials(realpathSync(path)))) {
    throw new SourceError(path, "unreadable", "holds credentials; it is never read");
  }
}

function notAFile(path: string, info: Stats): SourceError {
  const what = info.isDirectory() ? "is a folder" : "is no file but a pipe, a socket or a device";
  return new SourceError(path, "not-a-file", what);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function openOnDisk(path: string): OpenFile {
  let fd: number;
  try {
    refuseCredentials(path);
    // Without waiting: a named pipe would hold us until somebody writes into it.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error) && isLink(path))
      throw new SourceError(path, "missing", "is a link that leads nowhere");
    throw sourceError(path, error);
  }
  const opened = fstatSync(fd);
  if (!opened.isFile()) {
    closeSync(fd);
    throw notAFile(path, opened);
  }
  let closed = false;
  function fill(offset: number, into: Uint8Array): number {
    const wanted = Math.max(0, Math.min(into.length, opened.size - offset));
    let got = 0;
    while (got < wanted) {
      const n = readSync(fd, into, got, wanted - got, offset + got);
      if (n === 0) break;
      got += n;
    }
    return got;
  }
  return {
    path,
    size: opened.size,
    mtimeMs: opened.mtimeMs,
    read(offset, length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, opened.size - offset)));
      const got = fill(offset, bytes);
      return got === bytes.length ? bytes : bytes.subarray(0, got);
    },
    readInto(offset, into) {
      return fill(offset, into);
    },
    async readBeside(offset, into) {
      const wanted = Math.max(0, Math.min(into.length, opened.size - offset));
      let got = 0;
      while (got < wanted) {
        const { bytesRead } = await readSome(fd, into, got, wanted - got, offset + got);
        if (bytesRead === 0) break;
        got += bytesRead;
      }
      return got;
    },
    check() {
      let now: Stats;
      try {
        now = statSync(path);
      } catch {
        return "changed";
      }
      if (now.ino !== opened.ino || now.size < opened.size) return "changed";
      if (now.size > opened.size) return "grew";
      return now.mtimeMs === opened.mtimeMs ? "same" : "changed";
    },
    close() {
      if (!closed) closeSync(fd);
      closed = true;
    },
  };
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): FileInfo["kind"] {
  return entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "other";
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function sourceError(path: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const code = errorCode(error);
  if (isMissing(error)) return new SourceError(path, "missing", "there is no such file");
  if (code === "EISDIR") return new SourceError(path, "not-a-file", "is a folder");
  if (code === "EACCES" || code === "EPERM")
    return new SourceError(path, "unreadable", "may not be read (permission denied)");
  return new SourceError(path, "unreadable", error instanceof Error ? error.message : String(error));
}
