/**
 * Shows a bundle's blobs as the files they were: `<bundle>/native/<session>/<relative>`, a subagent's session
 * with the one it belongs to. A converter then replays a session out of a bundle as out of a store. A blob's size and hash are checked when it is first opened.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { blocksOf } from "../io/blocks.js";
import { databasesOf } from "../io/database.js";
import { type DirEntry, type FileInfo, type Source, SourceError } from "../io/source.js";
import { BundleError, bundlePaths, openPart } from "./layout.js";
import { topsOf } from "./load.js";
import type { BundleFile, BundleManifest } from "./manifest.js";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

export function bundleView(root: string, manifest: BundleManifest, source: Source): Source {
  const paths = bundlePaths(root);
  const files = new Map<string, BundleFile>();
  const folders = new Map<string, Map<string, DirEntry["kind"]>>();
  const checked = new Set<string>();
  const tops = topsOf(manifest.sessions);
  for (const session of manifest.sessions) {
    const native = plain(paths.native(tops.get(session.id) ?? session.id));
    for (const file of session.files) {
      const path = `${native}/${file.relative}`;
      const twin = files.get(path);
      if (twin && twin.blob !== file.blob)
        throw new BundleError(paths.manifest, `two files are called ${file.relative}`);
      files.set(path, file);
      enter(native, path);
    }
  }

  function enter(native: string, path: string): void {
    let kind: DirEntry["kind"] = "file";
    for (let at = path; at !== native; at = posix.dirname(at)) {
      const parent = posix.dirname(at);
      const entries = folders.get(parent) ?? new Map<string, DirEntry["kind"]>();
      folders.set(parent, entries);
      entries.set(posix.basename(at), kind);
      kind = "directory";
    }
  }

  async function openBlob({ blob, size }: BundleFile) {
    const path = paths.blob(blob);
    const file = await openPart(path, source);
    try {
      if (file.size !== size)
        throw new BundleError(path, `has ${file.size} bytes; the manifest says ${size}`);
      if (!checked.has(blob)) {
        const sum = createHash("sha256");
        for (const bytes of blocksOf(file)) sum.update(bytes);
        if (sum.digest("hex") !== blob)
          throw new BundleError(path, "its bytes are not those of its name (sha256)");
        checked.add(blob);
      }
    } catch (error) {
      file.close();
      throw error;
    }
    return file;
  }

  const view: Omit<Source, "openDatabase"> = {
    async stat(path) {
      const at = plain(path);
      const file = files.get(at);
      if (file) return info("file", file.size, file);
      return folders.has(at) ? info("directory", 0) : source.stat(path);
    },
    async readDir(path) {
      const entries = folders.get(plain(path));
      if (!entries) return source.readDir(path);
      return [...entries].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async realPath(path) {
      const at = plain(path);
      return files.has(at) || folders.has(at) ? at : source.realPath(path);
    },
    async readFile(path, maxBytes = DEFAULT_MAX_BYTES) {
      const file = files.get(plain(path));
      if (!file) return source.readFile(path, maxBytes);
      if (file.size > maxBytes) {
        throw new SourceError(path, "too-large", `${file.size} bytes; at most ${maxBytes} are read at once`);
      }
      const open = await openBlob(file);
      try {
        return open.read(0, file.size);
      } finally {
        open.close();
      }
    },
    async open(path) {
      const file = files.get(plain(path));
      if (!file) return source.open(path);
      const open = await openBlob(file);
      return { ...open, path, mtimeMs: file.mtimeMs ?? open.mtimeMs };
    },
  };
  return { ...view, openDatabase: databasesOf(view) };
}

function info(kind: FileInfo["kind"], size: number, file?: BundleFile): FileInfo {
  return {
    kind,
    size,
    mtimeMs: file?.mtimeMs ?? 0,
    mode: file?.mode ?? (kind === "file" ? 0o600 : 0o700),
    link: false,
  };
}

/** Windows' own separators name the same places. */
function plain(path: string): string {
  return path.replaceAll("\\", "/");
}
