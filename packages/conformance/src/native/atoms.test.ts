import { describe, expect, test } from "vitest";
import { atomsOf } from "./atoms.js";

const PNG = "iVBORw0KGgo=".padStart(70, "A");
const END = PNG.slice(-64);

/** One conversation, as each dialect sends it. */
const talks = {
  anthropic: {
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>\nx\n</system-reminder>" },
          { type: "text", text: "Look at this.\n" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "a.txt" }] }],
      },
      { role: "user", content: "Thanks." },
    ],
  },
  responses: {
    instructions: "Be brief.",
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "<environment_context>x</environment_context>" }],
      },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look at this." },
          { type: "input_text", text: "<image name=[Image #1]>" },
          { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
          { type: "input_text", text: "</image>" },
        ],
      },
      { type: "reasoning", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "t1", name: "Bash", arguments: '{"command":"ls"}' },
      { type: "function_call_output", call_id: "t1", output: "a.txt" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Thanks." }] },
    ],
  },
  chat: {
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look at this." },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "t1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "t1", content: "a.txt" },
      { role: "user", content: "Thanks." },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      {
        role: "user",
        parts: [
          { text: "<session_context>x" },
          { text: "Look at this." },
          { inlineData: { mimeType: "image/png", data: PNG } },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { text: "I look." },
          { functionCall: { name: "Bash", args: { command: "ls" } } },
        ],
      },
      { role: "user", parts: [{ functionResponse: { name: "Bash", response: { output: "a.txt" } } }] },
      { role: "user", parts: [{ text: "Thanks." }] },
    ],
  },
};

test.each(Object.entries(talks))("%s", (_name, body) => {
  expect(atomsOf(body)).toEqual([
    { kind: "user", text: "Look at this." },
    { kind: "image", text: END },
    { kind: "assistant", text: "I look." },
    { kind: "call", text: '{"command":"ls"}' },
    { kind: "result", text: "a.txt" },
    { kind: "user", text: "Thanks." },
  ]);
});

describe("texts", () => {
  const user = (text: string) => atomsOf({ messages: [{ role: "user", content: text }] });

  test.each([
    "",
    " \n",
    "(no content)",
    "No response requested.",
    "Continue from where you left off.",
    "[Request interrupted by user for tool use]",
    "<local-command-caveat>x",
    "# AGENTS.md instructions for /home/dev",
    "<turn_aborted>\nx",
    " <system-reminder>x</system-reminder>\nand what follows it",
  ])("%j is the program's own", (text) => {
    expect(user(text)).toEqual([]);
  });

  test.each([
    "continue",
    "No response requested. Really.",
    "See <system-reminder>",
    "<user_shell_command>ls",
  ])("%j is the user's", (text) => {
    expect(user(text)).toEqual([{ kind: "user", text }]);
  });

  test("are trimmed, and their line ends are one", () => {
    expect(user("\r\n a\r\nb \n")).toEqual([{ kind: "user", text: "a\nb" }]);
  });
});

describe("results", () => {
  const result = (content: unknown) =>
    atomsOf({ messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "t", content }] }] });

  test.each([
    ["", ""],
    [[], ""],
    [undefined, '""'],
    [
      [
        { type: "text", text: "a" },
        { type: "image", source: {} },
        { type: "text", text: "b" },
      ],
      "a\n[image]\nb",
    ],
    [[{ type: "tool_reference", tool_name: "x" }], ""],
    [{ a: 1 }, '{"a":1}'],
  ])("%j says %j", (content, text) => {
    expect(result(content)).toEqual([{ kind: "result", text }]);
  });

  test("of a Codex tool search have no output, and say so", () => {
    const input = [
      { type: "tool_search_call", call_id: "c", arguments: { query: "q" } },
      { type: "tool_search_output", call_id: "c", tools: [] },
    ];
    expect(atomsOf({ input })).toEqual([{ kind: "result", text: '""' }]);
  });
});

test("a local shell call is its action, a custom tool call its free text", () => {
  const input = [
    { type: "local_shell_call", call_id: "a", action: { type: "exec", command: ["ls"] } },
    { type: "custom_tool_call", call_id: "b", name: "apply_patch", input: "*** Begin Patch" },
  ];
  expect(atomsOf({ input })).toEqual([
    { kind: "call", text: '{"type":"exec","command":["ls"]}' },
    { kind: "call", text: "*** Begin Patch" },
  ]);
});

test("a message of the Responses API need not name its type, and may be a text alone", () => {
  const input = [
    { role: "developer", content: "Be brief." },
    { role: "user", content: [{ type: "input_text", text: "Hello" }] },
    { role: "assistant", content: "Hi" },
    { id: "rs_1", summary: [] },
  ];
  expect(atomsOf({ input })).toEqual([
    { kind: "user", text: "Hello" },
    { kind: "assistant", text: "Hi" },
  ]);
});

test("a body of no known dialect says nothing", () => {
  expect(atomsOf({})).toEqual([]);
  expect(atomsOf({ messages: "hello", tools: [] })).toEqual([]);
  expect(atomsOf({ messages: [null, 1, { role: "user" }, { role: "narrator", content: "x" }] })).toEqual([]);
});
