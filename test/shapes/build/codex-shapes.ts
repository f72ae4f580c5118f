/** The shapes that are Codex stores. */
import { CodexLines, rolloutPath } from "./codex.ts";
import type { Shape } from "./shape.ts";

type Made = Omit<Shape, "harness" | "files"> & { files: Shape["files"] | CodexLines };

function shape(made: Made): Shape {
  const files =
    made.files instanceof CodexLines ? { [rolloutPath(made.files.thread)]: made.files.text() } : made.files;
  return { ...made, harness: "codex", files };
}

const TURN = "01a10000-0000-7000-8000-0000000000aa";

/** The person says the same thing twice: it must come out twice, and not four times. */
const SAID = [
  ["user", "Again."],
  ["assistant", "Once."],
  ["user", "Again."],
  ["assistant", "Twice."],
] as const;

const twice = { pains: ["P21"], right: "each thing once, in order; the repeated prompt twice" };

/** Up to 0.148: what the model is sent first, its copy for the screen after. */
function responseFirst(): Shape {
  const lines = new CodexLines({ version: "0.140.0" });
  for (const [role, text] of SAID) {
    lines.message(role, text);
    if (role === "user")
      lines.event("user_message", { message: text, images: [], local_images: [], text_elements: [] });
    else lines.event("agent_message", { message: text, phase: "final_answer" });
  }
  return shape({
    ...twice,
    name: "dual-stream-events-after",
    what: "everything twice: the response item, then its event",
    files: lines,
  });
}

/** 0.149 on: the finished item for the screen first. */
function shownFirst(): Shape {
  const lines = new CodexLines({ version: "0.160.0", paginated: true });
  for (const [i, [role, text]] of SAID.entries()) {
    const id = `item_${i}`;
    if (role === "user")
      lines.shown(TURN, { type: "UserMessage", id, content: [{ type: "text", text, text_elements: [] }] });
    else
      lines.shown(TURN, {
        type: "AgentMessage",
        id,
        content: [{ type: "Text", text }],
        phase: "final_answer",
      });
    lines.message(role, text, { id });
  }
  return shape({
    ...twice,
    name: "dual-stream-events-before",
    what: "everything twice: the finished item, then the response item",
    files: lines,
  });
}

/** 0.153: no copy for the screen at all. */
function noEvents(): Shape {
  const lines = new CodexLines({ version: "0.153.0", paginated: true });
  for (const [role, text] of SAID) lines.message(role, text);
  return shape({
    ...twice,
    name: "dual-stream-no-events",
    what: "everything once: response items alone",
    files: lines,
  });
}

function forkPrefix(): Shape {
  const parent = new CodexLines({ version: "0.140.0" });
  const usage = (total: number) => ({
    info: {
      total_token_usage: { input_tokens: total, output_tokens: 10, total_tokens: total + 10 },
      last_token_usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
    },
  });
  const history = (lines: CodexLines) => {
    lines.message("user", "First question.");
    lines.event("user_message", { message: "First question." });
    lines.message("assistant", "First answer.");
    lines.event("agent_message", { message: "First answer." });
    lines.event("token_count", usage(100));
    lines.event("token_count", usage(100));
  };
  history(parent);
  const child = new CodexLines({
    thread: "01a10000-0000-7000-8000-000000000002",
    version: "0.140.0",
    meta: { forked_from_id: parent.thread },
  });
  child.raw(parent.lines[0]);
  history(child);
  child.message("user", "Question in the fork.");
  child.event("user_message", { message: "Question in the fork." });
  child.message("assistant", "Answer in the fork.");
  child.event("agent_message", { message: "Answer in the fork." });
  child.event("token_count", usage(300));
  return shape({
    name: "fork-prefix",
    pains: ["P23"],
    what: "a fork that holds a copy of its parent's history, with the parent's own head, and counts that repeat",
    right: "one session that says where it was forked from; usage counted once",
    files: { [rolloutPath(parent.thread)]: parent.text(), [rolloutPath(child.thread)]: child.text() },
  });
}

function compactedHead(): Shape {
  const lines = new CodexLines({ version: "0.140.0" });
  lines.add("compacted", {
    message: "Summary: the parser was mended.",
    replacement_history: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Mend the parser." }] },
      {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "Summary: the parser was mended." }],
      },
    ],
  });
  lines.message("user", "And the tests?");
  lines.event("user_message", { message: "And the tests?" });
  lines.message("assistant", "They pass.");
  lines.event("agent_message", { message: "They pass." });
  return shape({
    name: "compacted-head",
    pains: ["P27"],
    what: "a rollout that begins with its compaction: the answers before it are gone from the disk",
    right: "the replacement is the model's context; what is gone is said to be gone, not dropped by us",
    files: lines,
  });
}

function twoGenerations(): Shape {
  const old = "01980000-0000-4000-8000-000000000001";
  const bare = [
    {
      id: old,
      timestamp: "2025-08-10T10:00:00.000Z",
      instructions: null,
      git: { commit_hash: "abc", branch: "main" },
    },
    { record_type: "state" },
    { type: "message", id: null, role: "user", content: [{ type: "input_text", text: "An old question." }] },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Thinking." }],
      content: null,
      encrypted_content: "gAAAAold",
    },
    {
      type: "function_call",
      id: "fc_1",
      name: "shell",
      arguments: '{"command":["bash","-lc","ls"],"workdir":"/home/dev/demo"}',
      call_id: "call_old",
    },
    { record_type: "state" },
    {
      type: "function_call_output",
      call_id: "call_old",
      output: '{"output":"README.md\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
    },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "An old answer." }],
    },
  ];
  const fresh = new CodexLines({ paginated: true });
  fresh.message("user", "A new question.");
  fresh.shown(TURN, {
    type: "UserMessage",
    id: "u",
    content: [{ type: "text", text: "A new question.", text_elements: [] }],
  });
  fresh.message("assistant", "A new answer.");
  return shape({
    name: "two-generations",
    pains: ["P43"],
    what: "a bare rollout of August 2025 (no envelopes, no times) beside one of today",
    right: "both are listed and read; the missing times are said to be missing",
    files: {
      [`codex-home/sessions/2025/08/10/rollout-2025-08-10T10-00-00-${old}.jsonl`]: bare
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
      [rolloutPath(fresh.thread)]: fresh.text(),
    },
  });
}

function surrogateInCodex(): Shape {
  const lines = new CodexLines({ paginated: true });
  lines.message("user", "a cut emoji: \ud83d");
  lines.message("assistant", "Seen.");
  return shape({
    name: "lone-surrogate-codex",
    pains: ["P05"],
    what: "half an emoji; Codex itself would drop the whole record on resume",
    right: "U+FFFD for anybody else, declared",
    files: lines,
  });
}

function orphansInCodex(): Shape {
  const lines = new CodexLines({ paginated: true });
  lines.message("user", "Look.");
  lines.call("call_lost", { cmd: "sleep 100" });
  lines.message("user", "Never mind.");
  lines.output("call_nowhere", "what nobody asked for");
  lines.message("assistant", "All right.");
  return shape({
    name: "orphans-codex",
    pains: ["P09", "P10"],
    what: "a call without a result and a result without its call",
    right: "every call is answered, no result stands alone; both declared",
    files: lines,
  });
}

function encrypted(): Shape {
  const lines = new CodexLines({ paginated: true });
  lines.message("user", "Think.");
  lines.item({
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "**A thought**" }],
    content: null,
    encrypted_content: "gAAAAAencrypted==",
  });
  lines.message("assistant", "I thought.");
  return shape({
    name: "sig-encrypted",
    pains: ["P13"],
    what: "reasoning with an encrypted payload",
    right: "the payload goes to no other vendor and is declared; the summary stays readable",
    files: lines,
  });
}

export const codexShapes: readonly Shape[] = [
  responseFirst(),
  shownFirst(),
  noEvents(),
  forkPrefix(),
  compactedHead(),
  twoGenerations(),
  surrogateInCodex(),
  orphansInCodex(),
  encrypted(),
];
