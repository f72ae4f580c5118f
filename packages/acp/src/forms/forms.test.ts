/** Every example of the protocol's text fits the forms, and what is not one does not. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AspCapabilities, Busy, InitializeAnswer, SteeredPrompt } from "./capabilities.js";
import {
  DescribeAnswer,
  DescribeParams,
  ExportAnswer,
  ExportParams,
  ImportAnswer,
  ImportParams,
} from "./methods.js";
import { acpJsonSchema, acpSchemaNames } from "./schemas.js";

describe("the examples of the protocol", () => {
  it.each([
    [
      "initialize",
      InitializeAnswer,
      '{"protocolVersion": 1, "agentCapabilities": {"_meta": {"asp": {"steering": {"busy": ["queue", "interrupt"]}, "agentState": {"export": ["sessions", "instructions"], "import": ["sessions"]}}}}}',
    ],
    [
      "a prompt that interrupts",
      SteeredPrompt,
      '{"sessionId": "telegram:42", "prompt": [{"type": "text", "text": "Skip the tests."}], "_meta": {"asp": {"busy": "interrupt"}}}',
    ],
    ["agentState with a list of each", AspCapabilities, '{"agentState": {"export": [], "import": []}}'],
    ["describe", DescribeParams, "{}"],
    ["its answer", DescribeAnswer, '{"kinds": {"sessions": 3, "instructions": 1}}'],
    ["export", ExportParams, '{"kinds": ["sessions"]}'],
    ["its answer", ExportAnswer, '{"state": {}}'],
    ["import", ImportParams, '{"state": {}}'],
    [
      "its answer",
      ImportAnswer,
      '{"taken": ["sessions", "instructions"], "notTaken": [{"kind": "memory", "reason": "this agent keeps no memory"}], "sessions": {"sess_789xyz": "sess_a1b2c3"}}',
    ],
  ])("%s", (_, form, example) => {
    const value: unknown = JSON.parse(example);
    expect(form.parse(value)).toEqual(value);
  });

  it("name three ways to be busy, and no fourth", () => {
    expect(["steer", "queue", "interrupt"].map((mode) => Busy.parse(mode))).toHaveLength(3);
    expect(Busy.safeParse("drop").success).toBe(false);
  });
});

describe("what is sent by others", () => {
  it("keeps keys that it does not name, at every level", () => {
    const state = {
      state: {
        sessions: [
          { sessionId: "s", updates: [{ sessionUpdate: "x", more: 1 }], own: 2, _meta: { asp: { z: 3 } } },
        ],
        tools: [{ name: "t", command: "c", args: [], env: [], extra: true }],
        other: "kind",
      },
    };
    expect(ImportParams.parse(state)).toEqual(state);
  });

  it.each([
    ["a session without updates", { state: { sessions: [{ sessionId: "s" }] } }],
    ["an empty id", { state: { sessions: [{ sessionId: "", updates: [] }] } }],
    ["instructions in a list", { state: { instructions: ["a"] } }],
    [
      "a skill's file with nothing in it",
      { state: { skills: [{ name: "a", files: [{ path: "SKILL.md" }] }] } },
    ],
    ["a server that is neither command nor url", { state: { tools: [{ name: "a" }] } }],
    ["a setting that is a list", { state: { settings: { model: ["a"] } } }],
    ["no state", {}],
  ])("is refused where it is %s", (_, value) => {
    expect(ImportParams.safeParse(value).success).toBe(false);
  });
});

describe("JSON Schema of the forms", () => {
  it.each(acpSchemaNames)("%s is as it stands in schema/ (vitest -u writes it anew)", async (name) => {
    await expect(`${JSON.stringify(acpJsonSchema(name), null, 2)}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, "../../../../schema", `${name}.json`),
    );
  });
});
