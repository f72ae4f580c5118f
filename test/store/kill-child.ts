/** Run by a test: writes to a log, and says of each thing that it is safe as soon as it is. */
import { hash } from "node:crypto";
import { diskSource, event } from "@asp-convert/core";
import { SessionLog } from "@asp-convert/store";
import { bytesAt, textOf } from "./kill-work.ts";

const [folder = "", rounds = "0"] = process.argv.slice(2);
const log = new SessionLog(folder, diskSource);
const said = (what: string) => process.stdout.write(`${what}\n`);

for (let round = 1; round <= Number(rounds); round++) {
  const own = Buffer.from(`what conversion ${round} kept`);
  const blob = await log.blobs.put({ size: own.length, read: (at, length) => own.subarray(at, at + length) });
  await log.record([
    {
      t: "conversion",
      at: `2026-12-01T00:00:0${round}.000Z`,
      how: "written",
      from: {
        harness: "claude",
        id: `session ${round}`,
        path: "/x",
        files: [{ relative: "x.jsonl", role: "transcript", ...blob }],
        children: [],
      },
      to: { harness: "codex", id: `made ${round}`, root: "/y", copy: 0, children: [] },
    },
  ]);
  said(`conversion ${round}`);

  const [before, now] = [bytesAt(round - 1), bytesAt(round)];
  await log.captured({ harness: "claude", id: "s" }).write(async (writer) => {
    writer.open({ harness: "claude", id: "s" }, "2026-12-01T00:00:00.000Z");
    const file = writer.file({ of: "s", relative: "s.jsonl", role: "transcript" });
    let same = 0;
    while (same < before.length && before[same] === now[same]) same++;
    if (same < before.length) writer.cut(file, same);
    await writer.grow(file, { read: (at, length) => now.subarray(at, at + length) }, same, now.length);
    const events = Array.from({ length: round }, (_, i) =>
      event(
        "message.completed",
        { messageId: `m${i}`, role: "user", blocks: [{ type: "text", text: textOf(i) }] },
        { nativeId: `n${i}`, origin: [{ record: i, file: 0, offset: 0, length: 1 }] },
      ),
    );
    const told = await writer.tell(
      { of: "s", layer: "L1", adapter: "claude" },
      (async function* () {
        yield* events;
      })(),
    );
    const files = [{ file, size: now.length, sha256: hash("sha256", now) }];
    const session = { id: "s", files, streams: told.streams, children: [] };
    writer.state({ at: "2026-12-01T00:00:00.000Z", why: "grew", session });
  });
  said(`state ${round}`);
}
