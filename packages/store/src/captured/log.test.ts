/** What a captured session was at any revision comes out of its log again as it was seen then. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskSource, event, type SessionEvent, type Snapshot } from "@asp-convert/core";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DamagedLogError } from "../log/log-file.js";
import { SessionLog } from "../session-log.js";
import type { CapturedLog } from "./log.js";
import type { Revision } from "./model.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-captured-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AT = "2026-12-01T00:00:00.000Z";
const opened = () => new SessionLog(folder, diskSource).captured({ harness: "claude", id: "s" });

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function contentOf(log: CapturedLog, revision?: Revision): Promise<Buffer> {
  const [file] = log.model.files;
  return file
    ? Buffer.concat(await Array.fromAsync(log.content(file, revision?.place.number)))
    : Buffer.alloc(0);
}

/** The session is seen to be this: its file, and what it tells. */
async function see(log: CapturedLog, bytes: Buffer, events: readonly SessionEvent[]): Promise<void> {
  const kept = await contentOf(log);
  let same = 0;
  while (same < kept.length && kept[same] === bytes[same]) same++;
  await log.write(async (writer) => {
    writer.open({ harness: "claude", id: "s" }, AT);
    const file = writer.file({ of: "s", relative: "s.jsonl", role: "transcript" });
    if (same < kept.length) writer.cut(file, same);
    await writer.grow(file, { read: (at, length) => bytes.subarray(at, at + length) }, same, bytes.length);
    const { streams } = await writer.tell({ of: "s", layer: "L1", adapter: "claude" }, each(events));
    const files = [{ file, size: bytes.length, sha256: "0".repeat(64) }];
    writer.state({ at: AT, why: "grew", session: { id: "s", files, streams, children: [] } });
  });
}

const message = fc
  .record({ id: fc.nat(5), text: fc.string({ maxLength: 8 }), branch: fc.option(fc.constant("b")) })
  .map(({ id, text, branch }) =>
    event(
      "message.completed",
      { messageId: `m${id}`, role: "user", blocks: [{ type: "text", text }] },
      {
        nativeId: `n${id}`,
        origin: [{ record: id, file: 0, offset: id, length: 1 }],
        ...(branch && { branch }),
      },
    ),
  );
const state = fc.record({
  bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  events: fc
    .array(message, { maxLength: 6 })
    .map((events) => [...events.filter(({ branch }) => !branch), ...events.filter(({ branch }) => branch)]),
  reopened: fc.boolean(),
});

test("every revision is what it was seen to be, whatever came after it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 8 }), async (states) => {
      rmSync(join(folder, "sessions"), { recursive: true, force: true });
      let log = opened();
      const seen: { bytes: Buffer; events: SessionEvent[]; snapshot: Snapshot }[] = [];
      for (const { bytes, events, reopened } of states) {
        if (reopened) {
          log = opened();
          await log.refresh();
        }
        await see(log, bytes, events);
        seen.push({ bytes, events, snapshot: await log.snapshot(log.model.revisions.at(-1) as Revision) });
      }
      for (const again of [log, opened()]) {
        const { revisions, streams } = await again.refresh();
        expect(revisions.length).toBe(seen.length);
        for (const [index, revision] of revisions.entries()) {
          const { bytes, events, snapshot } = seen[index] as (typeof seen)[number];
          expect(await contentOf(again, revision)).toEqual(bytes);
          expect(await again.snapshot(revision)).toEqual(snapshot);
          const rows = await Promise.all(streams.map((row) => Array.fromAsync(again.events(revision, row))));
          expect(rows.flat().map(({ payload, branch }) => [payload, branch])).toEqual(
            events.map(({ payload, branch }) => [payload, branch]),
          );
        }
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test("what is told again as it was takes no room", async () => {
  const log = opened();
  const said = fc.sample(message, { numRuns: 20, seed: 1 }).filter(({ branch }) => !branch);
  await see(log, Buffer.from("abc"), said);
  const before = log.model.end;
  await see(log, Buffer.from("abc"), said);
  expect(log.model.end.number).toBe(before.number + 1); // the state alone
});

test("large growth is packed, and is the same bytes", async () => {
  const log = opened();
  const bytes = Buffer.from("the same line, again and again\n".repeat(300_000));
  await see(log, bytes, []);
  expect((await contentOf(log)).equals(bytes)).toBe(true);
  expect(log.model.end.offset).toBeLessThan(4096);
});

test("a flipped bit is found wherever it is, and the frame is named", async () => {
  const log = opened();
  await see(log, Buffer.from("one"), fc.sample(message, { numRuns: 3, seed: 2 }));
  await see(log, Buffer.from("one two"), fc.sample(message, { numRuns: 5, seed: 3 }));
  const whole = readFileSync(log.path);
  for (let at = 0; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
    writeFileSync(log.path, bytes);
    const faults: number[] = [];
    const { end } = await opened().refresh(({ frame }) => faults.push(frame));
    expect(faults.length, `byte ${at}`).toBe(1);
    const isLast = end.number <= (faults[0] as number);
    if (!isLast) await expect(opened().refresh()).rejects.toThrow(DamagedLogError);
  }
});
