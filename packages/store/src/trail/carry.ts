/**
 * The evidence of a session as lines of text, to be carried inside the session that it becomes: a head that says what it
 * is, then its files in packed pieces. On another machine it stands for what was remembered here.
 */
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import {
  blocksOf,
  type Departure,
  type Environment,
  type SessionRef,
  type Source,
  safeRelative,
} from "@asp-convert/core";
import { EVIDENCE, evidenceSource } from "./evidence.js";
import type { Conversion, FileRecord, SessionRecord } from "./records.js";
import { inputOf, type Readable, refIn } from "./sessions.js";

/** Of all packed pieces as text, in bytes: a session stays one that a program likes to open. */
const MOST = 16 * 1024 * 1024;
/** Of what they unpack to. */
const MOST_UNPACKED = 512 * 1024 * 1024;
/** Of one piece: as much as is read at once. */
const PIECE = 1024 * 1024;

interface Head {
  asp: "evidence";
  v: 1;
  at: string;
  copy: number;
  cwd?: string;
  session: SessionRecord;
}

/** undefined: there is more of it than is carried. */
export async function packed(
  { ref, source }: Departure,
  { at, copy, cwd }: { at: string; copy: number; cwd?: string | undefined },
): Promise<string[] | undefined> {
  const pieces: string[] = [];
  let size = 0;
  const record = async (each: SessionRef): Promise<SessionRecord | undefined> => {
    const files: FileRecord[] = [];
    for (const { path, relative, role, encoding } of each.files) {
      const info = await source.stat(path);
      if (info?.kind !== "file") continue;
      const file = await source.open(path);
      const sum = createHash("sha256");
      try {
        for (const block of blocksOf(file)) {
          sum.update(block);
          const text = zstdCompressSync(block).toString("base64");
          size += text.length;
          if (size > MOST) return undefined;
          pieces.push(JSON.stringify({ asp: "piece", of: each.id, relative, data: text }));
        }
        const { mtimeMs } = info;
        files.push({
          ...{ relative, role, size: file.size, sha256: sum.digest("hex"), mtimeMs: Math.floor(mtimeMs) },
          mode: info.mode & 0o777,
          ...(encoding && { encoding }),
        });
      } finally {
        file.close();
      }
    }
    const children: SessionRecord[] = [];
    for (const child of each.children) {
      const own = await record(child);
      if (!own) return undefined;
      children.push(own);
    }
    const { harness, id, title } = each;
    return {
      ...{ harness, id, path: "", files, children },
      ...(title !== undefined && { title }),
      ...(each.cwd !== undefined && { cwd: each.cwd }),
    };
  };
  const session = await record(ref);
  if (!session) return undefined;
  const head: Head = { asp: "evidence", v: 1, at, copy, ...(cwd !== undefined && { cwd }), session };
  return [JSON.stringify(head), ...pieces];
}

/** A conversion that another machine did, with the bytes of what it was done from. */
export interface Carried {
  conversion: Conversion;
  source: Source;
}

/** What a session carries of the one it was made of; undefined: nothing, or not all of it. */
export async function carriedBy(now: Readable, environment: Environment): Promise<Carried | undefined> {
  const { converter, ref, source } = now;
  const lines = converter.sessions.carried?.(ref, { source, environment });
  if (!lines) return undefined;
  let head: Head | undefined;
  const bytes = new Map<string, Uint8Array[]>();
  let size = 0;
  for await (const line of lines) {
    const value = parsed(line);
    if (isHead(value)) {
      // A copy of a session carries what was carried into it; the last one is what it was made of.
      head = value;
      bytes.clear();
      size = 0;
    } else if (value?.asp === "piece" && typeof value.data === "string") {
      const part = unpacked(value.data);
      size += part?.length ?? 0;
      if (!part || size > MOST_UNPACKED) return undefined;
      const key = keyOf(String(value.of), String(value.relative));
      bytes.set(key, [...(bytes.get(key) ?? []), part]);
    }
  }
  if (!head || !isWhole(head.session, bytes)) return undefined;
  const { session, at, copy, cwd } = head;
  const owner = ownersOf(session);
  const from = evidenceSource(session, (file) =>
    parts(bytes.get(keyOf(owner.get(file) ?? "", file.relative))),
  );
  const conversion: Conversion = {
    t: "conversion",
    at,
    how: "written",
    from: session,
    to: {
      ...{ harness: ref.harness, id: ref.id, root: ROOT, copy },
      ...(cwd !== undefined && { cwd }),
      children: [],
    },
  };
  return { conversion, source: from };
}

/** On no disk: where the conversion is done again. */
const ROOT = "/asp-carried";

/** Its subagents' sessions got these ids. */
export async function withChildren(
  conversion: Conversion,
  before: Readable,
  now: Readable,
  environment: Environment,
): Promise<Conversion> {
  if (before.ref.children.length === 0) return conversion;
  const { root, copy, cwd } = conversion.to;
  const target = { root, environment, source: before.source, copy, ...(cwd !== undefined && { cwd }) };
  const plan = await now.converter.sessions.write(inputOf(before, environment), target);
  return { ...conversion, to: { ...conversion.to, children: plan.children.map(({ id }) => ({ id })) } };
}

export function carriedRef(
  { conversion, source }: Carried,
  converter: Readable["converter"],
  environment: Environment,
) {
  return refIn(converter, conversion.from.id, EVIDENCE, source, environment);
}

async function* parts(all: readonly Uint8Array[] = []): AsyncGenerator<Uint8Array> {
  yield* all;
}

function keyOf(id: string, relative: string): string {
  return `${id}\0${relative}`;
}

function ownersOf(session: SessionRecord, owners = new Map<FileRecord, string>()): Map<FileRecord, string> {
  for (const file of session.files) owners.set(file, session.id);
  for (const child of session.children) ownersOf(child, owners);
  return owners;
}

/** Every file is there, and is what it was. */
function isWhole({ id, files, children }: SessionRecord, bytes: ReadonlyMap<string, Uint8Array[]>): boolean {
  for (const { relative, sha256 } of files) {
    const sum = createHash("sha256");
    for (const part of bytes.get(keyOf(id, relative)) ?? []) sum.update(part);
    if (sum.digest("hex") !== sha256) return false;
  }
  return files.length > 0 && children.every((child) => isWhole(child, bytes));
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function unpacked(text: string): Uint8Array | undefined {
  try {
    return zstdDecompressSync(Buffer.from(text, "base64"), { maxOutputLength: PIECE });
  } catch {
    return undefined;
  }
}

function isHead(value: Record<string, unknown> | undefined): value is Record<string, unknown> & Head {
  const head = value as Partial<Head> | undefined;
  return (
    head?.asp === "evidence" &&
    head.v === 1 &&
    typeof head.at === "string" &&
    Number.isInteger(head.copy) &&
    (head.cwd === undefined || typeof head.cwd === "string") &&
    isSafe(head.session)
  );
}

/** It came from another machine: what it names must not lead out of where it is shown. */
function isSafe(session: Partial<SessionRecord> | undefined, depth = 0): boolean {
  return (
    depth < 32 &&
    typeof session?.harness === "string" &&
    typeof session.id === "string" &&
    Array.isArray(session.files) &&
    session.files.every(
      (file) =>
        typeof file?.relative === "string" && isRelative(file.relative) && typeof file.sha256 === "string",
    ) &&
    Array.isArray(session.children) &&
    session.children.every((child) => isSafe(child, depth + 1))
  );
}

function isRelative(path: string): boolean {
  return "path" in safeRelative(path);
}
