/** Claude Code stores whose bytes, calls or opaque payloads are damaged or strange. */
import { ClaudeLines, say, transcriptPath } from "./claude.ts";
import { shape, talk } from "./claude-shape.ts";
import type { Shape } from "./shape.ts";

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

export const brokenShapes: readonly Shape[] = [
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
];
