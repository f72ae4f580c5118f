/** The shapes that are Claude Code stores. */
import { ClaudeLines, say, slug, transcriptPath } from "./claude.ts";
import type { Shape } from "./shape.ts";

type Made = Omit<Shape, "harness" | "files"> & { files: Shape["files"] | ClaudeLines };

function shape(made: Made): Shape {
  const files =
    made.files instanceof ClaudeLines ? { [transcriptPath(made.files)]: made.files.text() } : made.files;
  return { ...made, harness: "claude", files };
}

/** A talk of two turns with one call, for shapes whose damage lies elsewhere. */
function talk(options?: ConstructorParameters<typeof ClaudeLines>[0]): ClaudeLines {
  const lines = new ClaudeLines(options);
  lines.user("What is here?");
  lines.call("toolu_01");
  lines.result("toolu_01", "README.md");
  lines.assistant(say("One file."));
  lines.user("Thank you.");
  lines.assistant(say("You are welcome."));
  return lines;
}

function tornLine(): Shape {
  const lines = talk();
  lines.lines[3] = `{"parentUuid":"5b000000-0000-4000-8000-000000000003","type":"assis${lines.lines[3]}`;
  return shape({
    name: "torn-line",
    pains: ["P01"],
    what: "half a record, and a whole one on the same line",
    right: "the whole one is read, the half one is kept as raw bytes with its place and declared",
    files: lines,
  });
}

function nulGap(): Shape {
  const lines = talk();
  const text = [
    lines.lines.slice(0, 3).join("\n"),
    `${"\0".repeat(700)}${lines.lines[3]}`,
    lines.lines.slice(4).join("\n"),
  ].join("\n");
  return shape({
    name: "nul-gap",
    pains: ["P02"],
    what: "a run of zero bytes in the middle and one at the end",
    right: "both are kept as raw bytes and declared; everything said is read",
    files: { [transcriptPath(lines)]: `${text}\n${"\0".repeat(1206)}` },
  });
}

function u2028(): Shape {
  const lines = new ClaudeLines();
  // As an older program wrote it: the separators stand in the JSON as they are.
  lines.user("before\u2028between\u2029after\u0085end");
  lines.assistant(say("Read\u2028as one."));
  return shape({
    name: "u2028",
    pains: ["P03"],
    what: "line separators of Unicode, not escaped, inside texts",
    right: "two records, texts unchanged",
    files: lines,
  });
}

function loneSurrogate(): Shape {
  const lines = new ClaudeLines();
  lines.user("a cut emoji: \ud83d");
  lines.assistant(say("Seen."));
  return shape({
    name: "lone-surrogate",
    pains: ["P05"],
    what: "half an emoji, as an escape",
    right: "kept byte for byte on the way back home; U+FFFD for anybody else, declared",
    files: lines,
  });
}

function bomCrlf(): Shape {
  const lines = talk();
  return shape({
    name: "bom-crlf",
    pains: ["P06"],
    what: "a byte order mark, and lines that end with CR LF",
    right: "read as if they were not there; written back home byte for byte",
    files: { [transcriptPath(lines)]: `\ufeff${lines.text("\r\n")}` },
  });
}

function emptyText(): Shape {
  const lines = new ClaudeLines();
  lines.user("Look.");
  lines.assistant([say(""), { type: "tool_use", id: "toolu_01", name: "Bash", input: { command: "ls" } }]);
  lines.result("toolu_01", "README.md");
  lines.assistant([say("  \n")]);
  lines.user("And?");
  lines.assistant(say("Done."));
  return shape({
    name: "empty-text",
    pains: ["P08"],
    what: "an empty text beside a call, and a message that is all blank",
    right: "no empty text and no empty message is written to another harness; declared",
    files: lines,
  });
}

function orphanCall(): Shape {
  const lines = new ClaudeLines();
  lines.user("Look.");
  lines.assistant(say("I will look."), "msg_a");
  lines.call("toolu_lost", { command: "sleep 100" }, "msg_a");
  lines.user("Never mind.");
  lines.assistant(say("All right."));
  return shape({
    name: "orphan-call",
    pains: ["P09"],
    what: "a call without a result, then a new prompt",
    right: "no call stands unanswered in the target; declared",
    files: lines,
  });
}

function orphanResult(): Shape {
  const lines = new ClaudeLines();
  lines.user("Look.");
  lines.result("toolu_nowhere", "what nobody asked for");
  lines.assistant(say("Odd."));
  return shape({
    name: "orphan-result",
    pains: ["P10"],
    what: "a result whose call is nowhere",
    right: "no result without a call is written to another harness; declared",
    files: lines,
  });
}

export const PIPED = `call_${"a".repeat(36)}|fc_${"b".repeat(38)}`;

function piped(): Shape {
  const lines = new ClaudeLines();
  lines.user("Look twice.");
  lines.call(PIPED);
  lines.result(PIPED, "first");
  lines.call(`${PIPED.slice(0, -1)}c`);
  lines.result(`${PIPED.slice(0, -1)}c`, "second");
  lines.assistant(say("Twice."));
  return shape({
    name: "id-83-pipe",
    pains: ["P14"],
    what: "ids of 83 characters with a pipe that differ in the last one, as another tool's import leaves them",
    right: "legal ids, two different ones, the same for each call and its result; declared",
    files: lines,
  });
}

function emptyId(): Shape {
  const lines = new ClaudeLines();
  lines.user("Look.");
  lines.call("");
  lines.result("", "README.md");
  lines.assistant(say("One file."));
  return shape({
    name: "id-empty",
    pains: ["P14"],
    what: "a call and its result with an empty id",
    right: "an id is made, the same for both",
    files: lines,
  });
}

function emptySignature(): Shape {
  const lines = new ClaudeLines();
  lines.user("Think.");
  lines.assistant({ type: "thinking", thinking: "A thought.", signature: "" }, "msg_a");
  lines.assistant(say("I thought."), "msg_a");
  return shape({
    name: "sig-empty",
    pains: ["P11"],
    what: "a thinking block with an empty signature",
    right: "the thought is readable where the target shows it; no signature is made up",
    files: lines,
  });
}

function foreignSignature(): Shape {
  const lines = new ClaudeLines();
  lines.user("Think.");
  lines.assistant(
    { type: "thinking", thinking: "A thought from elsewhere.", signature: "Zm9yZWlnbi1zaWduYXR1cmU=" },
    "msg_a",
  );
  lines.assistant(say("I thought."), "msg_a");
  lines.lines.splice(
    1,
    2,
    ...lines.lines.slice(1).map((line) => line.replaceAll("claude-opus-5-5", "glm-5")),
  );
  return shape({
    name: "sig-foreign",
    pains: ["P11", "P12"],
    what: "a thinking block that a model of another vendor signed",
    right: "the signature goes to no other vendor and comes home byte for byte",
    files: lines,
  });
}

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

function twoProjects(): Shape {
  const [one, two] = ["/home/dev/b_c", "/home/dev/b/c"].map((cwd, i) =>
    talk({ cwd, session: `5a000000-0000-4000-8000-00000000000${i + 1}` }),
  ) as [ClaudeLines, ClaudeLines];
  return shape({
    name: "two-projects-one-slug",
    pains: ["P34"],
    what: "two working directories whose encoded names are the same",
    right: "each session has the directory that its records name",
    files: {
      [transcriptPath(one, "-home-dev-b-c")]: one.text(),
      [transcriptPath(two, "-home-dev-b-c")]: two.text(),
    },
  });
}

function nonAscii(): Shape {
  const cwd = "/home/dev/日本語";
  const lines = talk({ cwd });
  return shape({
    name: "non-ascii-cwd",
    pains: ["P34"],
    what: "a working directory whose encoded name is all dashes",
    right: "the directory comes from the records; written, it is encoded by the observed rule",
    files: { [transcriptPath(lines, slug(cwd))]: lines.text() },
  });
}

function driveCase(): Shape {
  const [lower, upper] = ["c:\\Dev\\x", "C:\\Dev\\x"].map((cwd, i) =>
    talk({ cwd, session: `5a000000-0000-4000-8000-00000000000${i + 1}` }),
  ) as [ClaudeLines, ClaudeLines];
  return shape({
    name: "drive-case",
    pains: ["P36"],
    what: "one folder under two spellings of its drive letter",
    right: "both sessions are listed, with the spelling they recorded; on Windows the two compare equal",
    files: {
      [transcriptPath(lower, "c--Dev-x")]: lower.text(),
      [transcriptPath(upper, "C--Dev-x")]: upper.text(),
    },
  });
}

function worktreeGone(): Shape {
  const cwd = "/home/dev/demo/.claude/worktrees/feature";
  const lines = talk({ cwd });
  lines.raw({
    type: "worktree-state",
    worktreeSession: {
      originalCwd: "/home/dev/demo",
      worktreePath: cwd,
      worktreeName: "feature",
      worktreeBranch: "worktree-feature",
      originalBranch: "main",
      sessionId: lines.session,
    },
    sessionId: lines.session,
  });
  return shape({
    name: "worktree-gone",
    pains: ["P38"],
    what: "a session in a git worktree that is no longer there",
    right: "listed and converted, with its directory as recorded; another one can be given",
    files: { [transcriptPath(lines, slug(cwd))]: lines.text() },
  });
}

export const claudeShapes: readonly Shape[] = [
  tornLine(),
  nulGap(),
  u2028(),
  loneSurrogate(),
  bomCrlf(),
  emptyText(),
  orphanCall(),
  orphanResult(),
  piped(),
  emptyId(),
  emptySignature(),
  foreignSignature(),
  splitMessage(),
  danglingParent(),
  childBeforeParent(),
  falseFork(),
  logicalParent(),
  subagentTree(),
  twoProjects(),
  nonAscii(),
  driveCase(),
  worktreeGone(),
];
