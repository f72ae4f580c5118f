/** What a compaction becomes, and what of it is told to be lost. */
import { type Block, event, LossLedger, type Payloads } from "@asp-convert/core";
import { expect, test } from "vitest";
import { Scribe } from "./scribe.js";

const time = "2026-11-30T10:00:00.000Z";
const text = (words: string): Block => ({ type: "text", text: words });

function said(
  role: "user" | "assistant",
  blocks: Block[],
  more: Partial<Payloads["message.completed"]> = {},
  ledger?: LossLedger,
) {
  const origin = ledger ? [{ record: ledger.record(), file: 0, offset: 0, length: 1 }] : [];
  return event("message.completed", { messageId: "m", role, blocks, ...more }, { origin, time });
}

/** The records written, and the losses, of one message and the compaction after it. */
function compacted(context: ReturnType<typeof said>[]) {
  const ledger = new LossLedger("s");
  const ref = { harness: "foreign", id: "s", path: "/s", size: 1, files: [], children: [] };
  const scribe = new Scribe({ id: "s", cwd: "/w", seed: "s", created: time, ref, ledger });
  scribe.take(said("user", [text("old")], {}, ledger));
  const origin = [{ record: ledger.record(), file: 0, offset: 0, length: 1 }];
  scribe.take(event("status.changed", { status: "compacted", context }, { origin, time }));
  scribe.end();
  const records = scribe.drain().trim().split("\n");
  return {
    records: records.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>),
    losses: ledger.losses.map(({ axis, level, reason }) => `${axis} ${level} ${reason}`),
  };
}

test("a summary stands for the last message before it, and what is kept comes after", () => {
  const { records, losses } = compacted([
    said("user", [text("sum")], { kind: "summary" }),
    said("user", [text("kept")]),
  ]);
  expect(records).toMatchObject([
    { type: "message", message: { content: [{ text: "old" }] } },
    { type: "compaction_state", summaryText: "sum", removedCount: 1, anchorMessage: { index: 0 } },
    { type: "message", message: { content: [{ text: "kept" }] } },
  ]);
  expect(records[1]).toMatchObject({ anchorMessage: { id: records[0]?.id } });
  expect(losses.filter((loss) => !loss.startsWith("ids "))).toEqual([]);
});

test("what of a summary is no text, its model, and that it is sent first are told", () => {
  const { records, losses } = compacted([
    said("user", [text("asked")]),
    said("assistant", [{ type: "thinking", text: "hm" }, text("sum"), { type: "image", data: "eA==" }], {
      kind: "summary",
      model: "a/b",
    }),
  ]);
  expect(records[1]).toMatchObject({ type: "compaction_state", summaryText: "sum" });
  expect(losses).toEqual(
    expect.arrayContaining([
      "thinking evidence-only not-supported",
      "images evidence-only not-supported",
      "models evidence-only no-counterpart",
      "compaction partial re-encoded",
    ]),
  );
});

test("without a summary the model is sent what it was before, and that is told", () => {
  const { records, losses } = compacted([said("user", [text("kept")])]);
  expect(records).toHaveLength(1);
  expect(losses).toContain("compaction evidence-only not-supported");
});
