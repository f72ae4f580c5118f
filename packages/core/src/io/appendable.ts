/** A file that only grows at its end, and whose end may be cut: what a log is kept in. */
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writevSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { syncFolder } from "./place.js";
import { writeError } from "./write-error.js";

const syncData = promisify(fdatasync);

export interface Appendable {
  readonly path: string;
  /** Bytes, those handed to the system but not yet durable included. */
  readonly size: number;
  /** Hands bytes to the system, in one call where it takes them so. @throws WriteError; part of them may be there. */
  append(parts: readonly Uint8Array[]): void;
  /** Durable when it resolves: bytes and length, and the file's name if it is new. @throws WriteError */
  sync(): Promise<void>;
  /** Cuts the file to its first `size` bytes. */
  cut(size: number): void;
  close(): void;
}

/** Opens a file for appending; it and its folders are made where they are not there, for this person alone. */
export function openAppendable(path: string): Appendable {
  let fd: number;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    fd = openSync(path, flags, 0o600);
  } catch (error) {
    throw writeError(path, error);
  }
  let size = fstatSync(fd).size;
  let named = size > 0;
  return {
    path,
    get size() {
      return size;
    },
    append(parts) {
      try {
        let rest = parts;
        while (rest.length > 0) {
          let written = writevSync(fd, rest as NodeJS.ArrayBufferView[]);
          size += written;
          // Whatever the system did not take at once is handed over again.
          let whole = 0;
          while (whole < rest.length && written >= (rest[whole] as Uint8Array).length)
            written -= (rest[whole++] as Uint8Array).length;
          rest = rest.slice(whole);
          if (written > 0) rest = [(rest[0] as Uint8Array).subarray(written), ...rest.slice(1)];
        }
      } catch (error) {
        throw writeError(path, error);
      }
    },
    async sync() {
      try {
        await syncData(fd);
        if (!named) syncFolder(dirname(path));
        named = true;
      } catch (error) {
        throw writeError(path, error);
      }
    },
    cut(to) {
      try {
        ftruncateSync(fd, to);
        size = to;
      } catch (error) {
        throw writeError(path, error);
      }
    },
    close() {
      closeSync(fd);
    },
  };
}
