import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskSource, type OpenFile } from "@asp-convert/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BlobError, Blobs, Intake, PIECE } from "./blobs.js";

let folder = "";
let blobs: Blobs;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-blobs-"));
  blobs = new Blobs(folder, diskSource);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (bytes: Buffer): Pick<OpenFile, "read" | "size"> => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(offset, offset + length),
});

async function content(blob: Parameters<Blobs["read"]>[0]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(blobs.read(blob)));
}

const kept = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).length > 10);

test.each([0, 1, 1000, PIECE, PIECE + 1, 2 * PIECE + 7])("%s bytes come back as they were", async (size) => {
  const bytes = Buffer.alloc(size, "line of text\n");
  const blob = await blobs.put(file(bytes));
  expect(blob.size).toBe(size);
  expect((await content(blob)).equals(bytes)).toBe(true);
});

test("a file of the disk, whose pieces are read into the same arrays again", async () => {
  const bytes = Buffer.alloc(9 * PIECE + 5);
  for (let at = 0; at < bytes.length; at += 4)
    bytes.writeUInt32LE(Math.imul(at, 0x9e3779b1) >>> 0, Math.min(at, bytes.length - 4));
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  const open = await diskSource.open(path);
  const blob = await blobs.put(open);
  open.close();
  expect(blob.pieces?.length).toBe(10);
  expect((await content(blob)).equals(bytes)).toBe(true);
});

test("the beginning of a file that grew is kept once", async () => {
  const bytes = Buffer.alloc(PIECE + 100, "abc");
  await blobs.put(file(bytes.subarray(0, PIECE + 1)));
  const before = kept().length;
  await blobs.put(file(bytes));
  expect(kept().length).toBe(before + 1);
});

test("of what is given up nothing stays, whenever that is", async () => {
  const early = new Intake(blobs);
  const adding = early.add(file(Buffer.alloc(2 * PIECE, "abc")));
  early.drop();
  await expect(adding).rejects.toThrow("given up");
  const late = new Intake(blobs);
  const blob = await late.add(file(Buffer.from("hello")));
  expect(kept()).toHaveLength(1);
  expect(await blobs.has(blob)).toBe(false);
  late.drop();
  expect(kept()).toEqual([]);
});

test("bytes that are not those of their name are never given out", async () => {
  const blob = await blobs.put(file(Buffer.from("hello")));
  const other = await blobs.put(file(Buffer.from("world")));
  writeFileSync(blobs.path(blob.sha256), readFileSync(blobs.path(other.sha256)));
  await expect(content(blob)).rejects.toThrow(BlobError);
  writeFileSync(blobs.path(blob.sha256), "no zstd");
  await expect(content(blob)).rejects.toThrow(/damaged/);
  rmSync(blobs.path(blob.sha256));
  await expect(content(blob)).rejects.toThrow(/is not there/);
  await expect(blobs.take(blob.sha256, readFileSync(blobs.path(other.sha256)))).rejects.toThrow(BlobError);
});
