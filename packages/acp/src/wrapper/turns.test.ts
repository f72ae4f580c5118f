import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Busy } from "../forms/capabilities.js";
import { type Effect, type Prompt, Turns } from "./turns.js";

const prompt = (id: string, sessionId = "s"): Prompt => ({
  id,
  sessionId,
  line: Buffer.from(id),
  content: [],
});
const words = (effects: readonly Effect[]) => effects.map(wordOf);
function wordOf(effect: Effect): string {
  if (effect.do === "forward" || effect.do === "steer") return `${effect.do} ${effect.prompt.id}`;
  if (effect.do === "cancel") return "cancel";
  return effect.do === "answer"
    ? `answer ${effect.id} ${JSON.stringify(effect.result)}`
    : `refuse ${effect.id}`;
}
const done = { result: { stopReason: "end_turn" } };

describe("queue", () => {
  it("waits for the answer, in order", () => {
    const turns = new Turns();
    expect(words(turns.prompt(prompt("A"), "queue"))).toEqual(["forward A"]);
    expect(words(turns.prompt(prompt("B"), "queue"))).toEqual([]);
    expect(words(turns.prompt(prompt("C"), "queue"))).toEqual([]);
    expect(words(turns.prompt(prompt("X", "other"), "queue"))).toEqual(["forward X"]);
    expect(words(turns.answered("A", done))).toEqual(["forward B"]);
    expect(words(turns.answered("B", done))).toEqual(["forward C"]);
    expect(words(turns.answered("C", done))).toEqual([]);
    expect(turns.busy).toEqual(["other"]);
  });

  it("is answered as cancelled, and not begun, when the client stops the session", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "queue");
    expect(words(turns.cancelled("s"))).toEqual(['answer B {"stopReason":"cancelled"}']);
    expect(words(turns.answered("A", done))).toEqual([]);
    expect(turns.busy).toEqual([]);
  });

  it("one prompt can be taken back", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "queue");
    expect(turns.withdrawn("A")).toBeUndefined();
    expect(words(turns.withdrawn("B") ?? [])).toEqual(['answer B {"stopReason":"cancelled"}']);
    expect(words(turns.answered("A", done))).toEqual([]);
  });
});

describe("interrupt", () => {
  it("cancels what runs and goes before what waits", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "queue");
    expect(words(turns.prompt(prompt("C"), "interrupt"))).toEqual(["cancel"]);
    expect(words(turns.answered("A", done))).toEqual(["forward C"]);
    expect(words(turns.answered("C", done))).toEqual(["forward B"]);
  });

  it("is cut off itself by the next one", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "interrupt");
    turns.prompt(prompt("C"), "interrupt");
    expect(words(turns.answered("A", done))).toEqual(["forward B", "cancel"]);
    expect(words(turns.answered("B", done))).toEqual(["forward C"]);
  });

  it("is refused when the turn never ends", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "interrupt");
    expect(words(turns.stuck("s", 1000))).toEqual(["refuse B"]);
    expect(words(turns.stuck("s", 1000))).toEqual([]);
    expect(words(turns.answered("A", done))).toEqual([]);
  });

  it("starts at once where nothing runs", () => {
    expect(words(new Turns().prompt(prompt("A"), "interrupt"))).toEqual(["forward A"]);
  });
});

describe("steer", () => {
  it("has the answer of the turn it joined", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    expect(words(turns.prompt(prompt("B"), "steer"))).toEqual(["steer B"]);
    expect(words(turns.steered("B", "joined"))).toEqual([]);
    expect(words(turns.answered("A", done))).toEqual(['answer B {"stopReason":"end_turn"}']);
    expect(turns.busy).toEqual([]);
  });

  it("also where the turn ends before the agent says so", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "steer");
    turns.prompt(prompt("C"), "queue");
    expect(words(turns.answered("A", done))).toEqual([]);
    expect(words(turns.steered("B", "joined"))).toEqual(['answer B {"stopReason":"end_turn"}', "forward C"]);
  });

  it("is a turn of its own where there was nothing left to join", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "steer");
    turns.answered("A", done);
    expect(words(turns.steered("B", "idle"))).toEqual(["forward B"]);
  });

  it("does not begin after the client stopped the session", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "steer");
    turns.cancelled("s");
    turns.answered("A", { result: { stopReason: "cancelled" } });
    expect(words(turns.steered("B", "idle"))).toEqual(['answer B {"stopReason":"cancelled"}']);
  });

  it("fails as the agent says, and as the turn does", () => {
    const turns = new Turns();
    turns.prompt(prompt("A"), undefined);
    turns.prompt(prompt("B"), "steer");
    expect(words(turns.steered("B", { failed: "no" }))).toEqual(["refuse B"]);
    turns.prompt(prompt("C"), "steer");
    turns.steered("C", "joined");
    expect(words(turns.answered("A", { error: { code: -1, message: "x" } }))).toEqual(["refuse C"]);
  });
});

it("when the agent is gone, everything is answered", () => {
  const turns = new Turns();
  turns.prompt(prompt("A"), undefined);
  turns.prompt(prompt("B"), "steer");
  turns.steered("B", "joined");
  turns.prompt(prompt("C"), "steer");
  turns.prompt(prompt("D"), "queue");
  expect(words(turns.ended("gone"))).toEqual([
    "refuse A",
    "refuse B",
    "refuse C",
    'answer D {"stopReason":"cancelled"}',
  ]);
  expect(turns.busy).toEqual([]);
});

it("whatever comes in whatever order, each prompt is answered once, and one runs at a time", () => {
  const busy = fc.constantFrom<Busy>("queue", "interrupt", "steer");
  const step = fc.oneof(
    fc.record({ do: fc.constant("prompt" as const), busy }),
    fc.record({ do: fc.constant("answer" as const) }),
    fc.record({
      do: fc.constant("steered" as const),
      outcome: fc.constantFrom("joined", "idle", { failed: "x" }),
    }),
    fc.record({ do: fc.constant("cancel" as const) }),
    fc.record({ do: fc.constant("withdraw" as const), at: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const turns = new Turns();
      const running: string[] = [];
      const steering: string[] = [];
      const answers: string[] = [];
      let sent = 0;
      const take = (effects: readonly Effect[]) => {
        for (const effect of effects) {
          if (effect.do === "forward") running.push(String(effect.prompt.id));
          else if (effect.do === "steer") steering.push(String(effect.prompt.id));
          else if (effect.do !== "cancel") answers.push(String(effect.id));
        }
        expect(running.length).toBeLessThanOrEqual(1);
      };
      const answer = () => {
        const id = running.shift();
        if (id === undefined) return;
        answers.push(id);
        take(turns.answered(id, done));
      };
      const steered = (outcome: Parameters<Turns["steered"]>[1]) => {
        const id = steering.shift();
        if (id !== undefined) take(turns.steered(id, outcome));
      };
      for (const each of steps) {
        if (each.do === "prompt") take(turns.prompt(prompt(`${sent++}`), each.busy));
        else if (each.do === "answer") answer();
        else if (each.do === "steered") steered(each.outcome as "joined");
        else if (each.do === "cancel") take(turns.cancelled("s"));
        else take(turns.withdrawn(`${each.at % Math.max(1, sent)}`) ?? []);
      }
      for (let i = 0; i < 200 && turns.busy.length > 0; i++) {
        steered("joined");
        answer();
      }
      expect(answers.sort()).toEqual(Array.from({ length: sent }, (_, i) => `${i}`).sort());
      expect(turns.busy).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
