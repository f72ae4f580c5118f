import { describe, expect, it } from "vitest";
import { through } from "./axes.js";
import { AccountError, LossLedger } from "./ledger.js";

const from = (...records: number[]) => ({
  origin: records.map((record) => ({ record, file: 0, offset: record * 10, length: 10 })),
});

describe("LossLedger", () => {
  it("adds up: read = mapped + evidence + lost, also for records several events share", () => {
    const ledger = new LossLedger("s");
    for (let i = 0; i < 2000; i++) ledger.record();
    ledger.mapped(from(...Array.from({ length: 1990 }, (_, i) => i)), "messages");
    for (let i = 1989; i < 1998; i++)
      ledger.leave(from(i), { axis: "side-records", level: "evidence-only", reason: "no-counterpart" });
    ledger.leave(from(1998, 1999), { axis: "errors", level: "dropped", reason: "no-counterpart" });
    expect(ledger.settle()).toEqual({ read: 2000, mapped: 1990, evidence: 8, lost: 2 });
    expect(ledger.kept.get("messages")).toBe(1);
    expect(ledger.losses).toMatchObject([
      {
        axis: "side-records",
        count: 9,
        places: [{ record: 1989 }, { record: 1990 }, { record: 1991 }, { record: 1992 }, { record: 1993 }],
      },
      { axis: "errors", level: "dropped", count: 1 },
    ]);
  });

  it("fails when a record was forgotten, and names it", () => {
    const ledger = new LossLedger("s");
    ledger.record();
    ledger.record();
    ledger.mapped(from(0));
    expect(() => ledger.settle()).toThrow(AccountError);
    expect(() => ledger.settle()).toThrow(/first: 1/);
  });
});

describe("through", () => {
  it("is the worse of reading and writing", () => {
    expect(through("preserved", "partial")).toBe("partial");
    expect(through("evidence-only", "preserved")).toBe("evidence-only");
    expect(through("not-in-source", "dropped")).toBe("not-in-source");
  });
});
