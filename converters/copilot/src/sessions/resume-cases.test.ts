/**
 * Event files written by hand, and what the real program 1.0.102 sent its model when it resumed each: what is read must
 * say just that, and so must what is written.
 */
import {
  convert,
  readAll,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
  talkOf,
} from "@asp-convert/conformance/toolbox";
import { fields } from "@asp-convert/core/values";
import { describe, expect, test } from "vitest";
import copilot from "../index.js";

const ROOT = "/store/.copilot";
const ID = "aaaaaaaa-0000-4000-8000-000000000001";
const PATH = `${ROOT}/session-state/${ID}/events.jsonl`;

type Data = Readonly<Record<string, unknown>>;
type Event = readonly [type: string, data: Data];

const user = (content: string, more: Data = {}): Event => ["user.message", { content, ...more }];
const call = (toolCallId: string, more: Data = {}): Data => ({
  toolCallId,
  name: "bash",
  arguments: {},
  ...more,
});
const answer = (content: string, toolRequests: readonly Data[] = [], more: Data = {}): Event => [
  "assistant.message",
  { messageId: "m", content, toolRequests, ...more },
];
const result = (toolCallId: string, content: string): Event => [
  "tool.execution_complete",
  { toolCallId, success: true, result: { content } },
];
const compaction = (summaryContent: string, more: Data = {}): Event => [
  "session.compaction_complete",
  { success: true, summaryContent, ...more },
];
const picture = { type: "blob", data: "AAAA", mimeType: "image/png" };

const INTERRUPTED = "The execution of this tool, or a previous tool was interrupted.";
const summary = (prompts: readonly string[], text: string, more = "") =>
  "Some of the conversation history has been summarized to free up context.\n\n" +
  "You were originally given instructions from a user over one or more turns. Here were the user messages:\n" +
  prompts.map((prompt) => `<user_message>\n${prompt}\n</user_message>\n`).join("") +
  `\nHere is a summary of the prior context:\n<summary>\n${text}\n</summary>\n${more}`;

const cases: Readonly<Record<string, readonly [events: readonly Event[], sent: readonly string[]]>> = {
  "messages of one role stay apart": [
    [user("one"), user("two"), answer("A"), answer("B")],
    ["user one", "user two", "assistant A", "assistant B"],
  ],
  "a result goes to its call, from behind a text": [
    [user("one"), answer("A", [call("c")]), answer("B"), result("c", "R")],
    ["user one", "assistant A", "call #0 bash {}", "result #0 ok R", "assistant B"],
  ],
  "a result goes to its call, from before it": [
    [user("one"), result("c", "R"), answer("A", [call("c")]), answer("B")],
    ["user one", "assistant A", "call #0 bash {}", "result #0 ok R", "assistant B"],
  ],
  "results stand in the order of their calls": [
    [user("one"), answer("", [call("c"), call("d")]), result("d", "2"), result("c", "1")],
    ["user one", "call #0 bash {}", "call #1 bash {}", "result #0 ok 1", "result #1 ok 2"],
  ],
  "a call without a result was interrupted": [
    [user("one"), answer("A", [call("c")]), ["abort", { reason: "user_initiated" }], user("two")],
    ["user one", "assistant A", "call #0 bash {}", `result #0 failed ${INTERRUPTED}`, "user two"],
  ],
  "a result without a call is not sent": [
    [user("one"), result("c", "R"), answer("A")],
    ["user one", "assistant A"],
  ],
  "of a failure the reason is sent": [
    [
      user("one"),
      answer("", [call("c")]),
      [
        "tool.execution_complete",
        { toolCallId: "c", success: false, error: { message: "E" }, result: { content: "R" } },
      ],
    ],
    ["user one", "call #0 bash {}", "result #0 failed E"],
  ],
  "an id that comes twice is two calls": [
    [user("one"), answer("", [call("c")]), result("c", "1"), answer("", [call("c")]), result("c", "2")],
    ["user one", "call #0 bash {}", "result #0 ok 1", "call #1 bash {}", "result #1 ok 2"],
  ],
  "a grammar's call is free text": [
    [user("one"), answer("", [call("c", { type: "custom", arguments: "*** Begin" })]), result("c", "R")],
    ["user one", 'call #0 bash "*** Begin"', "result #0 ok R"],
  ],
  "what is put around a prompt is the program's own": [
    [
      user("one", {
        transformedContent:
          "<current_datetime>x</current_datetime>\n\none\n\n<system_reminder>\ntodo\n</system_reminder>",
      }),
      answer("A"),
    ],
    ["user one", "assistant A"],
  ],
  "what was sent counts, not what was typed": [
    [user("@a", { transformedContent: "@a\n\n<tagged_files>\n* a\n</tagged_files>" }), answer("A")],
    ["user @a\n\n<tagged_files>\n* a\n</tagged_files>", "assistant A"],
  ],
  "a picture by its path has a label": [
    [
      ["session.binary_asset", { assetId: "sha256:q", type: "image", mimeType: "image/png", data: "AAAA" }],
      user("one", {
        attachments: [
          {
            type: "file",
            path: "/x/a.png",
            displayName: "a.png",
            assetId: "sha256:q",
            mimeType: "image/png",
          },
        ],
      }),
    ],
    ["user one", "user Image file at path /x/a.png", "image AAAA"],
  ],
  "a picture without a name has none": [
    [user("one", { attachments: [picture] }), answer("A")],
    ["user one", "image AAAA", "assistant A"],
  ],
  "skills are sent in the words that were delivered": [
    [
      user("one"),
      ["skill.invoked", { name: "x", path: "/x", content: "BODY" }],
      [
        "skill.context_delivered_ref",
        {
          contentId: "sha256:30e7e41efab31a8beaa512ea48aa4d99070496095423d4d653137a7f511eb877",
          prefix: "<",
          suffix: ">",
          source: "skill-x",
        },
      ],
      ["skill.context_delivered", { content: "MORE", source: "skill-y" }],
      answer("A"),
    ],
    ["user one", "user <BODY>", "user MORE", "assistant A"],
  ],
  "what ended is told, instructions that were found are not": [
    [
      user("one"),
      ["system.notification", { content: "done", kind: { type: "agent_completed" } }],
      ["system.notification", { content: "found", kind: { type: "instruction_discovered" } }],
      answer("A"),
    ],
    ["user one", "user done", "assistant A"],
  ],
  "a compaction quotes every prompt there was": [
    [
      user("one"),
      answer("A"),
      compaction("S1"),
      user("two"),
      user("x", { source: "skill-y" }),
      compaction("S2"),
      user("three"),
    ],
    [`user ${summary(["one", "two"], "S2")}`, "user three"],
  ],
  "a workflow that goes on stands behind it": [
    [user("one"), compaction("S", { activeWorkflowSummary: "W" })],
    [`user ${summary(["one"], "S", "\n\nW")}`],
  ],
  "a compaction that came to nothing changes nothing": [
    [user("one"), ["session.compaction_complete", { success: false }], compaction(""), answer("A")],
    ["user one", "assistant A"],
  ],
  "a context that was cleared is empty": [
    [user("one"), answer("A"), ["session.context_cleared", { messagesCleared: 2 }], user("two")],
    ["user two"],
  ],
  "a rewind in the file is not applied": [
    [
      user("one"),
      answer("A"),
      ["session.snapshot_rewind", { upToEventId: "x", eventsRemoved: 2 }],
      user("two"),
    ],
    ["user one", "assistant A", "user two"],
  ],
};

function fileOf(events: readonly Event[]): Buffer {
  let parentId: string | null = null;
  const start: Event = [
    "session.start",
    {
      sessionId: ID,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: "2026-11-30T10:00:00Z",
    },
  ];
  const lines = [start, ...events].map(([type, data], i) => {
    const id = `bbbbbbbb-0000-4000-8000-${String(i).padStart(12, "0")}`;
    const timestamp = new Date(Date.parse("2026-11-30T10:00:00Z") + i * 1000).toISOString();
    const line = JSON.stringify({ type, data, id, timestamp, parentId });
    parentId = id;
    return `${line}\n`;
  });
  return Buffer.from(lines.join(""));
}

async function said(root: string, files: ReadonlyMap<string, Uint8Array>): Promise<string[]> {
  const source = sourceOf(new Map(files));
  const [ref] = await sessionsIn(copilot, root, source);
  if (!ref) throw new Error("no session is listed");
  return talkOf((await readAll(copilot, ref, source)).events).map(({ kind, key }) => `${kind} ${key}`);
}

describe.each(Object.entries(cases))("%s", (_, [events, sent]) => {
  const files = new Map([[PATH, fileOf(events)]]);

  test("as it is read", async () => expect(await said(ROOT, files)).toEqual(sent));

  test("as it is written", async () => {
    const source = sourceOf(files);
    const [ref] = await sessionsIn(copilot, ROOT, source);
    if (!ref) throw new Error("no session is listed");
    const written = await convert({ from: copilot, ref, source, to: copilot });
    expect(await said(TARGET_ROOT, written.files)).toEqual(sent);
    for (const [path, bytes] of written.files)
      if (path.endsWith("events.jsonl")) for (const line of linesIn(bytes)) expect(faults(line)).toEqual([]);
  });
});

function linesIn(bytes: Uint8Array): Data[] {
  return Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Data);
}

/** What the program checks, by type: it refuses the whole session for one line that lacks it. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  "session.start": ["sessionId", "version", "producer", "copilotVersion", "startTime"],
  "user.message": ["content"],
  "assistant.message": ["messageId", "content"],
  "tool.execution_start": ["toolCallId", "toolName"],
  "tool.execution_complete": ["toolCallId", "success"],
  "session.binary_asset": ["assetId", "type", "mimeType", "byteLength", "data"],
  "session.context_cleared": ["messagesCleared"],
  "session.error": ["errorType", "message"],
  "session.info": ["infoType", "message"],
  "session.usage_record": ["usage"],
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function faults({ type, data, id, timestamp, parentId }: Data): string[] {
  const has = fields(data) ?? {};
  const required = REQUIRED[String(type)];
  return [
    ...(required ? [] : [`${type} is written, and nobody knows what it must hold`]),
    ...(required ?? []).filter((key) => has[key] === undefined).map((key) => `${type} without ${key}`),
    ...(UUID.test(String(id)) && (parentId === null || UUID.test(String(parentId)))
      ? []
      : ["an id is no UUID"]),
    ...(/Z$/.test(String(timestamp)) ? [] : ["a time without zone"]),
  ];
}
