import { expect, it } from "vitest";
import { blocksOf, bytesOf } from "./blocks.js";
import { memorySource } from "./memory.js";
import type { OpenFile } from "./source.js";

const BIG = Buffer.alloc(2 * 1024 * 1024 + 5, "0123456789");

it("gives every byte once, in blocks of at most a mebibyte", async () => {
  const blocks = await Array.fromAsync(bytesOf("/a", memorySource({ "/a": BIG })));
  expect(blocks.map(({ length }) => length)).toEqual([1024 * 1024, 1024 * 1024, 5]);
  expect(Buffer.concat(blocks).equals(BIG)).toBe(true);
  expect(await Array.fromAsync(bytesOf("/b", memorySource({ "/b": "" })))).toEqual([]);
});

it("gives a part of a file", async () => {
  const file = await memorySource({ "/a": BIG }).open("/a");
  expect(Buffer.concat([...blocksOf(file, 3, 1024 * 1024 + 7)])).toEqual(BIG.subarray(3, 1024 * 1024 + 7));
});

it("ends where a file ends that got shorter, and goes on behind a short read", () => {
  const file: Pick<OpenFile, "read" | "size"> = {
    size: 10,
    read: (offset) => BIG.subarray(offset, Math.min(offset + 2, 7)),
  };
  expect(Buffer.concat([...blocksOf(file)])).toEqual(BIG.subarray(0, 7));
});

it("closes the file, also when somebody has enough", async () => {
  const inner = memorySource({ "/a": BIG });
  let open = 0;
  const source = {
    async open(path: string): Promise<OpenFile> {
      const file = await inner.open(path);
      open++;
      return { ...file, close: () => void open-- };
    },
  };
  for await (const _ of bytesOf("/a", source)) break;
  expect(open).toBe(0);
});
