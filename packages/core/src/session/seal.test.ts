import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anEvent, blobs, someEvents } from "../../test/arbitrary.js";
import { Envelope as Schema } from "./envelope.js";
import type { SessionEvent } from "./event.js";
import { sessionId } from "./identity.js";
import { Occurrences } from "./occurrences.js";
import { seal, sealer, unseal } from "./seal.js";

const context = { sessionId: sessionId("sample", "s-1", "0".repeat(64)), adapter: "sample", blobs };

describe("seal and unseal", () => {
  it("give back the very event, for every type", () => {
    fc.assert(
      fc.property(anEvent, (event) => {
        const sealed = seal(event, context);
        expect(unseal(sealed, blobs)).toEqual(event);
        // Over JSON too: that is how a log holds it.
        expect(unseal(JSON.parse(JSON.stringify(sealed)), blobs)).toEqual(JSON.parse(JSON.stringify(event)));
      }),
      { numRuns: 500 },
    );
  });

  it("make envelopes that fit the schema", () => {
    fc.assert(
      fc.property(anEvent, (event) => {
        const checked = Schema.safeParse(JSON.parse(JSON.stringify(seal(event, context))));
        expect(checked.error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("give the same ids again, and no two events of a session the same", () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const ids = (list: readonly SessionEvent[]) =>
          list.map(sealer(context)).map(({ eventId }) => eventId);
        expect(ids(events)).toEqual(ids(structuredClone(events)));
        expect(new Set(ids(events)).size).toBe(events.length);
      }),
    );
  });

  it("tell an archive from a live session, and what we made from what was read", () => {
    const origin = [{ record: 0, file: 0, offset: 0, length: 9 }];
    const event: SessionEvent = { type: "input.observed", payload: { text: "hi" }, origin };
    expect(seal(event, context)).toMatchObject({
      schemaVersion: "1.0",
      source: { layer: "L1", adapter: "sample", authenticated: false },
      authority: "self_reported",
      confidence: 1,
      evidence: [{ blob: blobs[0], offset: 0, length: 9, record: 0 }],
      timestampFrom: "none",
    });
    expect(seal({ ...event, origin: [] }, context)).toMatchObject({ authority: "inferred", confidence: 0.5 });
  });

  it("give an event without a time the last one before it", () => {
    const event: SessionEvent = { type: "input.observed", payload: { text: "hi" }, origin: [] };
    const one = sealer(context);
    one({ ...event, time: "2026-11-03T09:30:00.000Z" });
    expect(one(event)).toMatchObject({ timestamp: "2026-11-03T09:30:00.000Z", timestampFrom: "none" });
  });

  it("refuse a place in a file that the session does not have", () => {
    const event: SessionEvent = {
      type: "input.observed",
      payload: { text: "hi" },
      origin: [{ record: 0, file: 7, offset: 0, length: 1 }],
    };
    expect(() => seal(event, context)).toThrow(/file 7/);
  });
});

describe("Occurrences", () => {
  it("counts as a map does", () => {
    const hex = fc
      .integer({ min: 0, max: 40 })
      .map((n) => (n * 2_654_435_761).toString(16).padStart(64, "0"));
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            hex,
            fc
              .uint8Array({ minLength: 32, maxLength: 32 })
              .map((bytes) => Buffer.from(bytes).toString("hex")),
          ),
          { maxLength: 3000 },
        ),
        (ids) => {
          const seen = new Occurrences();
          const map = new Map<string, number>();
          for (const id of ids) {
            const key = id.slice(0, 13);
            expect(seen.next(id)).toBe(map.get(key) ?? 0);
            map.set(key, (map.get(key) ?? 0) + 1);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
