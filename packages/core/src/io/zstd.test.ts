import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { openBytes } from "./memory.js";
import type { OpenFile } from "./source.js";
import { openZstd } from "./zstd.js";

function counted(bytes: Uint8Array): { file: OpenFile; closed: () => number } {
  let closed = 0;
  return { file: { ...openBytes("/x.zst", bytes), close: () => closed++ }, closed: () => closed };
}

test("small contents are read at any place, and closing closes the compressed file", async () => {
  const { file, closed } = counted(zstdCompressSync(Buffer.from("one\ntwo\nthree\n")));
  const open = await openZstd(file);
  expect(open.size).toBe(14);
  expect(Buffer.from(open.read(4, 3)).toString()).toBe("two");
  expect(Buffer.from(open.read(8, 100)).toString()).toBe("three\n");
  open.close();
  expect(closed()).toBe(1);
});

test("large contents are read at any place too", async () => {
  const block = randomBytes(1024 * 1024);
  const content = Buffer.concat(
    Array.from({ length: 40 }, (_, i) => Buffer.concat([Buffer.from([i]), block])),
  );
  const { file, closed } = counted(zstdCompressSync(content));
  const open = await openZstd(file);
  expect(open.size).toBe(content.length);
  const at = 37 * (block.length + 1) - 3;
  expect(Buffer.from(open.read(at, 10)).equals(content.subarray(at, at + 10))).toBe(true);
  open.close();
  open.close();
  expect(closed()).toBe(1);
});

test("a frame that is cut off gives what it holds; other bytes are an error", async () => {
  const packed = zstdCompressSync(randomBytes(3 * 1024 * 1024));
  const open = await openZstd(counted(packed.subarray(0, packed.length - 100)).file);
  expect(open.size).toBeGreaterThan(1024 * 1024);
  const other = counted(Buffer.from("no zstd at all"));
  await expect(openZstd(other.file)).rejects.toThrow(/cannot be decompressed/);
  expect(other.closed()).toBe(1);
});
