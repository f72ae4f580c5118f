/** Claude Code stores whose records hang together in ways that lose history. */
import { ClaudeLines, say, slug, transcriptPath } from "./claude.ts";
import { shape, talk } from "./claude-shape.ts";
import type { Shape } from "./shape.ts";

function splitMessage(): Shape {
  const lines = new ClaudeLines();
  lines.user("Go.");
  lines.assistant({ type: "thinking", thinking: "Plan.", signature: "c2ln" }, "msg_one");
  lines.assistant(say("First I look."), "msg_one");
  const one = lines.call("toolu_a", { command: "ls a" }, "msg_one");
  lines.call("toolu_b", { command: "ls b" }, "msg_one");
  const two = lines.last;
  lines.last = one;
  lines.result("toolu_a", "in a", { sourceToolAssistantUUID: one });
  lines.last = two;
  lines.result("toolu_b", "in b", { sourceToolAssistantUUID: two });
  lines.assistant(say("Both."), "msg_two");
  return shape({
    name: "split-message",
    pains: ["P19", "P24"],
    what: "one message over four records with one id, parallel calls, each result hanging on its own call",
    right: "one message of four blocks, both results, usage once",
    files: lines,
  });
}

function danglingParent(): Shape {
  const lines = talk({ step: 60_000 });
  lines.lines[4] = (lines.lines[4] ?? "").replace(
    /"parentUuid":"[^"]*"/,
    '"parentUuid":"5b000000-0000-4000-8000-00000000dead"',
  );
  return shape({
    name: "dangling-parent",
    pains: ["P24"],
    what: "a prompt whose parent was never written, a minute after the record before it",
    right: "joined to the record before it; the bridge is declared",
    files: lines,
  });
}

function childBeforeParent(): Shape {
  const lines = talk();
  const [a, b, c, d, ...rest] = lines.lines;
  return shape({
    name: "child-before-parent",
    pains: ["P24"],
    what: "a result stands in the file before its call",
    right: "the order of the chain, not of the file",
    files: { [transcriptPath(lines)]: [a, c, b, d, ...rest].map((line) => `${line}\n`).join("") },
  });
}

function falseFork(): Shape {
  const lines = new ClaudeLines();
  lines.user("Go.");
  const call = lines.call("toolu_a");
  lines.chain("progress", {
    data: { type: "bash_progress", output: "…" },
    toolUseID: "bash-progress-1",
    parentToolUseID: "toolu_a",
  });
  lines.chain("progress", {
    data: { type: "bash_progress", output: "……" },
    toolUseID: "bash-progress-2",
    parentToolUseID: "toolu_a",
  });
  lines.last = call;
  const result = lines.result("toolu_a", "README.md");
  lines.chain("attachment", { attachment: { type: "total_tokens_reminder", used: 10 } });
  lines.last = result;
  lines.assistant(say("One file."));
  return shape({
    name: "false-fork",
    pains: ["P24", "P26"],
    what: "progress records and an attachment hang beside the chain and look like branches",
    right: "one branch, nothing abandoned, nothing lost",
    files: lines,
  });
}

function logicalParent(): Shape {
  const lines = new ClaudeLines();
  lines.user("First question.");
  const before = lines.assistant(say("First answer."));
  lines.last = null;
  lines.chain("system", {
    subtype: "compact_boundary",
    logicalParentUuid: before,
    content: "Conversation compacted",
    level: "info",
    isMeta: false,
    compactMetadata: { trigger: "auto", preTokens: 1000 },
  });
  lines.user(
    "This session is being continued from a previous conversation. Summary: one question was answered.",
    {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    },
  );
  lines.user("Second question.");
  lines.assistant(say("Second answer."));
  return shape({
    name: "logical-parent",
    pains: ["P25"],
    what: "a compaction: the boundary has no parent, only a logical one",
    right: "the model's context begins with the summary; what was before stays part of the session",
    files: lines,
  });
}

function subagentTree(): Shape {
  const main = new ClaudeLines();
  main.user("Count twice.");
  main.call(
    "toolu_one",
    { description: "Count", prompt: "Count a.", subagent_type: "general-purpose" },
    "msg_a",
    "Agent",
  );
  main.result("toolu_one", "a: 1");
  main.call(
    "toolu_two",
    { description: "Count", prompt: "Count b.", subagent_type: "general-purpose" },
    "msg_b",
    "Agent",
  );
  main.result("toolu_two", "b: 2");
  main.assistant(say("One and two."));
  const folder = `config/projects/${slug("/home/dev/demo")}/${main.session}/subagents`;
  const child = (agentId: string, prompt: string, answer: string) => {
    const lines = new ClaudeLines();
    lines.user(prompt, {
      isSidechain: true,
      agentId,
      uuid: `5b000000-0000-4000-8000-0000${agentId.slice(0, 6)}01`,
    });
    lines.assistant(say(answer), `msg_${agentId}`, {
      isSidechain: true,
      agentId,
      uuid: `5b000000-0000-4000-8000-0000${agentId.slice(0, 6)}02`,
    });
    return lines.text();
  };
  const meta = (toolUseId: string) =>
    JSON.stringify({
      agentType: "general-purpose",
      description: "Count",
      toolUseId,
      spawnDepth: 1,
      finished: true,
    });
  return shape({
    name: "subagent-tree",
    pains: ["P29"],
    what: "two subagents whose records carry the parent's session id",
    right: "one session with two children, each linked to its call; no phantom sessions",
    files: {
      [transcriptPath(main)]: main.text(),
      [`${folder}/agent-aaaaaa01.jsonl`]: child("aaaaaa01", "Count a.", "1"),
      [`${folder}/agent-aaaaaa01.meta.json`]: meta("toolu_one"),
      [`${folder}/agent-bbbbbb02.jsonl`]: child("bbbbbb02", "Count b.", "2"),
      [`${folder}/agent-bbbbbb02.meta.json`]: meta("toolu_two"),
    },
  });
}

export const historyShapes: readonly Shape[] = [
  splitMessage(),
  danglingParent(),
  childBeforeParent(),
  falseFork(),
  logicalParent(),
  subagentTree(),
];
