/** Read-only access to files: all a reader ever gets. Paths are absolute. Nothing here can change a source. */

import type { Database } from "./sql.js";

export interface FileInfo {
  kind: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  /** ms since 1970. */
  mtimeMs: number;
  mode: number;
  /** The entry itself is a symbolic link (the other fields tell of what it points to). */
  link: boolean;
}

export interface DirEntry {
  name: string;
  kind: FileInfo["kind"] | "link";
}

export interface Source {
  /** undefined where nothing is (or a link points nowhere). @throws SourceError if it may not be looked at. */
  stat(path: string): Promise<FileInfo | undefined>;
  /** Sorted by name; empty where there is no such folder. @throws SourceError if it may not be read. */
  readDir(path: string): Promise<DirEntry[]>;
  /** The real path behind links; undefined where nothing is. */
  realPath(path: string): Promise<string | undefined>;
  /** A whole file; for small ones. undefined where nothing is. @throws SourceError over `maxBytes` (default 16 MiB). */
  readFile(path: string, maxBytes?: number): Promise<Uint8Array | undefined>;
  /** Opens a file for reading in pieces. @throws SourceError if it is not there or may not be read. */
  open(path: string): Promise<OpenFile>;
  /**
   * An SQLite database as it is now, its write-ahead log included; nothing is changed, also not beside it.
   * @throws SourceError if it is not there, is no database, or may not be read.
   */
  openDatabase(path: string): Promise<Database>;
}

/** An open file, its size fixed at the moment it was opened: what is appended later is not seen. */
export interface OpenFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Up to `length` bytes from `offset`; fewer only at the end. The array is the caller's own. */
  read(offset: number, length: number): Uint8Array;
  /**
   * The same into an array of the caller's, filled from its start; the number of bytes read. Where it is there, a
   * reader that goes through a file need not leave a new array behind for each piece.
   */
  readInto?(offset: number, into: Uint8Array): number;
  /** As `readInto`, on another thread: for who reads a file beside the one that converts it. */
  readBeside?(offset: number, into: Uint8Array): Promise<number>;
  /** True if the file is as it was when opened; `grew`: only appended to; `changed`: anything else. */
  check(): "same" | "grew" | "changed";
  close(): void;
}

export class SourceError extends Error {
  override name = "SourceError";
  /** By name: a plugin may have a copy of this library to itself, and be thrown ours or throw its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Error[Symbol.hasInstance](value) && (value as Error).name === "SourceError";
  }
  readonly path: string;
  readonly why: "missing" | "unreadable" | "not-a-file" | "too-large" | "changed";
  /** The message without the path. */
  readonly detail: string;
  constructor(path: string, why: SourceError["why"], detail: string) {
    super(`${path}: ${detail}`);
    this.path = path;
    this.why = why;
    this.detail = detail;
  }
}
