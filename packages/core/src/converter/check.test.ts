import { sample } from "@asp-convert/conformance/toolbox";
import { describe, expect, it } from "vitest";
import { converterProblems, isConverter } from "./check.js";
import { CONTRACT } from "./version.js";

describe("what a plugin gives", () => {
  it("is a converter", () => {
    expect(converterProblems(sample)).toEqual([]);
    expect(isConverter(sample)).toBe(true);
  });

  it.each([
    [undefined, /is no converter/],
    ["sample", /is no converter/],
    [{}, /not made with defineConverter/],
    [{ ...sample, contract: CONTRACT + 1 }, /contract 2 .* speaks 1: update asp-convert/],
    [{ ...sample, contract: CONTRACT - 1 }, /contract 0 .* speaks 1: update the plugin/],
    [{ ...sample, id: "../x" }, /id "..\/x"/],
    [{ ...sample, experimental: true }, /^experimental is no string/],
    [{ ...sample, probe: 1 }, /^probe is no function/],
    [{ ...sample, sessions: undefined }, /sessions\.list is no function/],
    [
      {
        ...sample,
        sessions: { ...sample.sessions, resume: { ...sample.sessions.resume, program: { start: 1 } } },
      },
      /program\.start is no function\nsessions\.resume\.program\.dialect is no string/,
    ],
    [{ ...sample, memory: undefined }, /memory is missing/],
    [{ ...sample, memory: { read: () => undefined } }, /memory\.write is no function/],
  ])("is none: %#", (value, problem) => {
    expect(converterProblems(value).join("\n")).toMatch(problem);
    expect(isConverter(value)).toBe(false);
  });

  it("names every axis that has no level", () => {
    const { read, write } = sample.sessions.fidelity;
    const fidelity = { read, write: { ...write, thinking: "kept", images: undefined } };
    expect(converterProblems({ ...sample, sessions: { ...sample.sessions, fidelity } })).toEqual([
      expect.stringMatching(
        /^sessions\.fidelity\.write gives no level for (images, thinking|thinking, images)$/,
      ),
    ]);
  });
});
