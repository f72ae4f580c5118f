/** Why something could not be written: the true cause, the place, the next step. */
export type WriteFault =
  | "no-space"
  | "denied"
  | "read-only"
  | "crosses-devices"
  | "exists"
  | "not-a-file"
  | "unsafe"
  | "changed"
  | "failed";

export class WriteError extends Error {
  override name = "WriteError";
  readonly path: string;
  readonly why: WriteFault;
  constructor(path: string, why: WriteFault, detail: string, options?: ErrorOptions) {
    super(`${path}: ${detail}`, options);
    this.path = path;
    this.why = why;
  }
}

const known: Readonly<Record<string, readonly [WriteFault, string]>> = {
  ENOSPC: ["no-space", "no space is left on this disk. Free some, or write to another one"],
  EDQUOT: ["no-space", "your disk quota is used up. Free some space, or write to another disk"],
  EFBIG: ["no-space", "the file would be larger than this disk allows. Write to another one"],
  EACCES: [
    "denied",
    "may not be written (permission denied). Make it writable for you, or write to another folder",
  ],
  EPERM: [
    "denied",
    "may not be written (not permitted). Make it writable for you, or write to another folder",
  ],
  EROFS: ["read-only", "lies on a read-only file system. Write to another folder"],
  EXDEV: ["crosses-devices", "its folder spans two file systems. Write to a folder that lies on one"],
  EEXIST: ["exists", "appeared while the run was going on; nothing is overwritten. Run it again"],
  EISDIR: ["not-a-file", "is a folder where a file is to be. Move it away, or write to another folder"],
  ENOTDIR: ["not-a-file", "has a file where a folder is to be. Move it away, or write to another folder"],
  ENAMETOOLONG: [
    "failed",
    "the name is too long for this file system. Write to a folder with a shorter path",
  ],
  EMFILE: ["failed", "too many files are open. Close some programs, or raise the limit (ulimit -n)"],
};

/** Any error met while writing `path`, in words. Errors that are explained already stay as they are. */
export function writeError(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  const [why, detail] = known[code] ?? ["failed", `could not be written (${code})`];
  return new WriteError(path, why, detail, { cause: error });
}

/** `ENOENT` and its like; undefined for what is no system error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error
    ? error.code
    : undefined;
}
