import { describe, expect, it } from "vitest";
import { lazyCall, lazyEach } from "./lazy.js";

describe("a function that is loaded when it is called", () => {
  it("is not loaded before, and gives what the function gives", async () => {
    let loaded = 0;
    const twice = lazyCall(async () => {
      loaded++;
      return async (n: number) => 2 * n;
    });
    expect(loaded).toBe(0);
    expect(await twice(21)).toBe(42);
    expect(loaded).toBe(1);
  });
  it("fails as the function fails", async () => {
    const failing = lazyCall(async () => async (): Promise<void> => {
      throw new RangeError("no");
    });
    await expect(failing()).rejects.toThrow(RangeError);
  });
});

describe("one that gives one thing after the other", () => {
  const log: string[] = [];
  async function* count(to: number): AsyncGenerator<number> {
    log.push("open");
    try {
      for (let i = 0; i < to; i++) yield i;
    } finally {
      log.push("closed");
    }
  }
  const lazy = lazyEach(async () => {
    log.push("loaded");
    return count;
  });

  it("is loaded with the first of them", async () => {
    log.length = 0;
    const all = lazy(3);
    expect(log).toEqual([]);
    expect(await Array.fromAsync(all)).toEqual([0, 1, 2]);
    expect(log).toEqual(["loaded", "open", "closed"]);
  });
  it("is gone through anew each time", async () => {
    const all = lazy(2);
    expect([await Array.fromAsync(all), await Array.fromAsync(all)]).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });
  it("is closed when somebody has enough of it", async () => {
    log.length = 0;
    for await (const one of lazy(9)) if (one === 1) break;
    expect(log).toEqual(["loaded", "open", "closed"]);
  });
  it("may be asked for several at once", async () => {
    log.length = 0;
    const each = lazy(2)[Symbol.asyncIterator]();
    expect(await Promise.all([each.next(), each.next(), each.next()])).toEqual([
      { done: false, value: 0 },
      { done: false, value: 1 },
      { done: true, value: undefined },
    ]);
    expect(log).toEqual(["loaded", "open", "closed"]);
  });
  it("is not even loaded for somebody who wants none", async () => {
    log.length = 0;
    await lazy(2)[Symbol.asyncIterator]().return?.();
    expect(log).toEqual([]);
  });
  it("tells why it cannot be loaded", async () => {
    const none = lazyEach(async (): Promise<typeof count> => {
      throw new RangeError("not there");
    });
    await expect(Array.fromAsync(none(1))).rejects.toThrow(RangeError);
  });
});
