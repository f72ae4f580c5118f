import { describe, expect, it } from "vitest";
import { memorySource } from "./memory.js";

const source = memorySource({
  "/a/b/one.txt": "größe",
  "/a/two": new Uint8Array([1, 2, 3]),
  "/a/empty": "",
});

describe("memorySource", () => {
  it("has the files and the folders they imply", async () => {
    expect(await source.stat("/a/b/one.txt")).toMatchObject({ kind: "file", size: 7, link: false });
    expect(await source.stat("/a/b/")).toMatchObject({ kind: "directory" });
    expect(await source.stat("/")).toMatchObject({ kind: "directory" });
    expect(await source.stat("/a/none")).toBeUndefined();
    expect(await source.readDir("/a")).toEqual([
      { name: "b", kind: "directory" },
      { name: "empty", kind: "file" },
      { name: "two", kind: "file" },
    ]);
    expect(await source.readDir("/none")).toEqual([]);
    expect(await source.realPath("/a/./b/../two")).toBe("/a/two");
    expect(await source.realPath("/none")).toBeUndefined();
  });

  it("gives copies, whole or in pieces, and fewer bytes only at the end", async () => {
    const bytes = await source.readFile("/a/two");
    bytes?.fill(9);
    const file = await source.open("/a/two");
    file.read(0, 3).fill(8);
    expect([...file.read(0, 2)]).toEqual([1, 2]);
    expect([...file.read(2, 100)]).toEqual([3]);
    expect([...file.read(3, 1)]).toEqual([]);
    expect([...file.read(0, -1)]).toEqual([]);
    expect(file.check()).toBe("same");
    expect(await source.readFile("/a/empty")).toHaveLength(0);
    expect(await source.readFile("/none")).toBeUndefined();
  });

  it("fails as a disk does", async () => {
    await expect(source.open("/none")).rejects.toMatchObject({ why: "missing" });
    await expect(source.open("/a")).rejects.toMatchObject({ why: "not-a-file" });
    await expect(source.readFile("/a/two", 2)).rejects.toMatchObject({ why: "too-large" });
  });
});
