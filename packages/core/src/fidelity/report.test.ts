import { sample } from "@asp-convert/conformance/toolbox";
import { describe, expect, it } from "vitest";
import type { Report } from "../pipeline/report.js";
import { LossLedger } from "./ledger.js";
import { markdownTable, matrix, summarize } from "./report.js";
import { joinLosses, tally } from "./tally.js";

const event = (record: number) => ({ origin: [{ record, file: 0, offset: 0, length: 1 }] });

function ledger(session: string, signed: number): LossLedger {
  const made = new LossLedger(session);
  for (let i = 0; i < signed; i++) {
    const record = made.record();
    made.mapped(event(record), "messages", "thinking");
    made.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
  }
  made.leave(event(made.record()), { axis: "side-records", level: "dropped", reason: "no-counterpart" });
  made.note({ axis: "usage", level: "not-in-source", reason: "not-in-source" });
  return made;
}

describe("sums over sessions", () => {
  it("count what was kept, degraded, dropped; what the source never had is neither", () => {
    expect(tally([ledger("a", 4), ledger("b", 3)])).toEqual({
      messages: { kept: 7, degraded: 0, dropped: 0 },
      thinking: { kept: 7, degraded: 0, dropped: 0 },
      "opaque-reasoning": { kept: 0, degraded: 7, dropped: 0 },
      "side-records": { kept: 0, degraded: 0, dropped: 2 },
    });
  });

  it("join equal losses, with the first places only, and leave the ledgers as they are", () => {
    const ledgers = [ledger("a", 4), ledger("b", 3)];
    const joined = joinLosses(ledgers);
    expect(joined.map(({ axis, count }) => [axis, count])).toEqual([
      ["opaque-reasoning", 7],
      ["usage", 2],
      ["side-records", 2],
    ]);
    expect(joined[0]?.places).toEqual([
      ...[0, 1, 2, 3].map((record) => ({ session: "a", record })),
      { session: "b", record: 0 },
    ]);
    expect(ledgers[0]?.losses[0]).toMatchObject({ count: 4 });
    expect(ledgers[0]?.losses[0]?.places).toHaveLength(4);
  });
});

describe("for people", () => {
  it("a conversion in three lists", () => {
    const ledgers = [ledger("a", 4)];
    const report = { axes: tally(ledgers), losses: joinLosses(ledgers) } as Report;
    expect(summarize(report)).toEqual({
      kept: ["messages", "thinking"],
      degraded: [
        "opaque reasoning: 4 kept as evidence only (signed for another vendor, who alone can verify it)",
      ],
      dropped: [
        "usage: 1 not in the source (the source no longer holds it)",
        "side records: 1 left out (the target has nothing like it)",
      ],
    });
  });

  it("the table of a converter for its README", () => {
    const whole = markdownTable(sample);
    const lines = whole.split("\n\n")[0]?.split("\n") ?? [];
    expect(new Set(lines.map((line) => line.length)).size, "columns are aligned").toBe(1);
    const table = whole.replace(/ +/g, " ");
    expect(table).toMatch(/^\| axis \| what it is \| read \| write \|\n\| -+ \| -+ \| -+ \| -+ \|\n/);
    expect(table).toContain("| `raw` | bytes that could not be read | evidence-only | dropped |");
    expect(table).toContain("- `skills`: sample is made for sessions alone");
    expect(table).not.toContain("| `mcp-servers`");
  });

  it("the matrix: each converter in both directions", () => {
    expect(
      matrix([sample]).map(({ harness, direction, levels }) => [harness, direction, levels.raw]),
    ).toEqual([
      ["sample", "read", "evidence-only"],
      ["sample", "write", "dropped"],
    ]);
  });
});
