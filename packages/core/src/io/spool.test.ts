import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { spool } from "./spool.js";

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test("a stream becomes a private file that goes away whole", async () => {
  const spooled = await spool(parts("a\n", "", "b"), "x.jsonl");
  expect(readFileSync(spooled.path, "utf8")).toBe("a\nb");
  expect(spooled.size).toBe(3);
  expect(statSync(spooled.path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(spooled.path)).mode & 0o777).toBe(0o700);
  spooled.remove();
  expect(existsSync(dirname(spooled.path))).toBe(false);
});

test("a stream that fails, and one that is stopped, leave nothing", async () => {
  async function* broken() {
    yield Buffer.from("a");
    throw new Error("pipe broke");
  }
  await expect(spool(broken(), "x")).rejects.toThrow("pipe broke");
  await expect(spool(parts("a"), "x", AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
});
