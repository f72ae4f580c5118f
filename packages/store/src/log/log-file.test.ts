/** The log's promises: nothing acknowledged is lost, nothing half-written is read, damage is named. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskSource } from "@asp-convert/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fault, HEAD } from "./frame.js";
import { DamagedLogError, LogWriter, readLog } from "./log-file.js";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-log-"));
  path = join(folder, "x.aspf");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function write(values: readonly unknown[]): Promise<void> {
  const writer = await LogWriter.open(path, diskSource);
  for (const value of values) writer.append(JSON.stringify(value));
  await writer.commit();
  writer.close();
}

async function read(onFault?: (fault: Fault) => void): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of readLog(path, diskSource, onFault)) values.push(value);
  return values;
}

const values = [{ a: 1 }, { b: "ASPF in the text" }, { c: "ünïcode 💥" }, [], { d: "x".repeat(300) }];

test("what is appended is read, also after opening again", async () => {
  await write(values);
  await write([{ more: true }]);
  expect(await read()).toEqual([...values, { more: true }]);
});

test("cut at any byte, whole frames are read, the torn one is not, and writing goes on from there", async () => {
  await write(values);
  const whole = readFileSync(path);
  for (let size = 0; size <= whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    const before = await read();
    expect(values.slice(0, before.length)).toEqual(before);
    const writer = await LogWriter.open(path, diskSource);
    expect(writer.recovered.frames).toBe(before.length);
    writer.append('{"next":1}');
    await writer.commit();
    writer.close();
    expect(await read()).toEqual([...before, { next: 1 }]);
  }
});

test("recovery gives the same bytes, however often it is done", async () => {
  await write(values);
  const whole = readFileSync(path);
  truncateSync(path, whole.length - 7);
  await write([]);
  const once = readFileSync(path);
  await write([]);
  expect(readFileSync(path)).toEqual(once);
  expect(whole.subarray(0, once.length)).toEqual(once);
});

describe("a bit that flipped", () => {
  test("anywhere is found; no wrong value is ever read", async () => {
    await write(values);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      writeFileSync(path, flipped);
      const faults: Fault[] = [];
      const got = await read((fault) => faults.push(fault));
      expect(faults, `byte ${at}`).toHaveLength(1);
      expect(got).toEqual(values.filter((_, number) => number !== faults[0]?.frame));
      expect(got).toHaveLength(values.length - 1);
    }
  });

  test("before the last frame is an error that names it, for readers and for writers; nothing is cut", async () => {
    await write(values);
    const bytes = readFileSync(path);
    bytes[HEAD + 2] = (bytes[HEAD + 2] as number) ^ 1;
    writeFileSync(path, bytes);
    await expect(read()).rejects.toThrow(/frame 0 is damaged \(bytes 0 to 22\)/);
    await expect(LogWriter.open(path, diskSource)).rejects.toThrow(DamagedLogError);
    expect(readFileSync(path)).toEqual(bytes);
  });
});

test("bytes of frames that stand inside a value are no frames", async () => {
  await write(values);
  const inner = readFileSync(path).toString("latin1");
  const other = join(folder, "other.aspf");
  copyFileSync(path, other);
  rmSync(path);
  await write([{ inner }, { after: 1 }]);
  const bytes = readFileSync(path);
  bytes[HEAD + 3] = (bytes[HEAD + 3] as number) ^ 1;
  writeFileSync(path, bytes);
  const faults: Fault[] = [];
  expect(await read((fault) => faults.push(fault))).toEqual([{ after: 1 }]);
  expect(faults).toMatchObject([{ kind: "damaged", frame: 0, frames: 1 }]);
});

test("any bytes at the end do not change what is before them", async () => {
  await write(values);
  const whole = readFileSync(path);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (tail) => {
      writeFileSync(path, Buffer.concat([whole, tail]));
      expect(await read()).toEqual(values);
      const writer = await LogWriter.open(path, diskSource);
      writer.close();
      expect(readFileSync(path)).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test("commits that are asked for at once are all durable when they resolve", async () => {
  const writer = await LogWriter.open(path, diskSource);
  const done: Promise<void>[] = [];
  for (let n = 0; n < 50; n++) {
    writer.append(JSON.stringify({ n }));
    done.push(writer.commit());
  }
  await Promise.all(done);
  expect(await read()).toHaveLength(50);
  writer.close();
});

test("a reader beside the writer sees what was flushed and no half of a frame", async () => {
  const writer = await LogWriter.open(path, diskSource);
  writer.append('{"n":1}');
  expect(await read()).toEqual([]);
  writer.flush();
  expect(await read()).toEqual([{ n: 1 }]);
  writer.close();
});
