import type { Loss, Report, SessionReport } from "@asp-convert/core";
import { expect, test } from "vitest";
import { comparisonRows, type ReportView, reportLines, resumeLine } from "./report.js";
import { style } from "./style.js";

const view: ReportView = {
  cwd: "/home/me/here",
  home: "/home/me",
  nameOf: (harness) => ({ claude: "Claude Code", codex: "Codex CLI" })[harness] ?? harness,
  style: style(false),
  columns: 100,
  platform: "linux",
  program: "asp-convert",
  elapsedMs: 412,
};

const session: SessionReport = {
  id: "aaaa",
  harness: "claude",
  newId: "0199c1de",
  title: "Fix it",
  cwd: "/home/me/src/app",
  records: { read: 1093, mapped: 1060, evidence: 31, lost: 2 },
  messages: 412,
  toolCalls: 131,
  how: "written",
  outcome: "created",
  resume: { cwd: "/home/me/src/app", command: ["codex", "resume", "0199c1de"] },
  files: ["/home/me/here/asp-out/codex/sessions/2026/11/03/rollout-x.jsonl"],
};

const report: Report = {
  asp: 1,
  from: { harness: "claude", versions: ["2.1.332"], path: "/home/me/.claude" },
  to: { harness: "codex", path: "/home/me/here/asp-out/codex" },
  sessions: [session],
  kinds: { sessions: { read: 1, written: 1 } },
  notTaken: [],
  items: [],
  axes: {
    messages: { kept: 412, degraded: 0, dropped: 0 },
    "tool-calls": { kept: 131, degraded: 0, dropped: 0 },
    thinking: { kept: 0, degraded: 88, dropped: 0 },
    title: { kept: 1, degraded: 0, dropped: 0 },
  },
  losses: [
    {
      kind: "sessions",
      axis: "side-records",
      level: "dropped",
      reason: "no-counterpart",
      count: 2,
      places: [{ record: 7 }],
    },
    {
      kind: "sessions",
      axis: "thinking",
      level: "evidence-only",
      reason: "foreign-signature",
      count: 88,
      places: [],
    },
  ],
  receipt: "2026-11-30T12-00-00Z-7f3a",
};

test("a session that came home is told with what was put back of it", () => {
  const home: SessionReport = { ...session, how: "returned", returned: { id: "0199c1de", bytes: 12345 } };
  expect(reportLines({ ...report, sessions: [home] }, view).join("\n")).toContain(
    "restored  the 12,345 bytes of Codex CLI's own session 0199c1de, as they were",
  );
});

test("five to seven lines that say all there is to know", () => {
  expect(reportLines(report, view)).toEqual([
    "Claude Code → Codex CLI   1 session, 412 messages, 131 tool calls                              0.4 s",
    "  kept      messages, tool calls, title",
    "  degraded  thinking: 88 as evidence only (signed for another vendor, who alone can verify it)",
    "  dropped   side records: 2 (the target has nothing like it)",
    "  written   ./asp-out/codex/sessions/2026/11/03/rollout-x.jsonl",
    "  resume    cd ~/src/app && codex resume 0199c1de",
    "  undo      asp-convert undo 2026-11-30T12-00-00Z-7f3a",
  ]);
});

test("much that is kept as evidence is one item, by number; what people ask about first is named first", () => {
  const loss = (axis: Loss["axis"], level: Loss["level"], count: number): Loss => ({
    ...(report.losses[0] as Loss),
    axis,
    level,
    count,
  });
  const losses = [
    loss("usage", "partial", 5),
    loss("images", "partial", 2),
    loss("side-records", "evidence-only", 18),
    loss("usage", "evidence-only", 7),
    loss("thinking", "evidence-only", 3),
    loss("usage", "evidence-only", 1),
  ];
  const text = reportLines({ ...report, losses }, view).join("\n");
  expect(text).toContain(
    "degraded  images: 2 (the target has nothing like it); usage: 5 (the target has nothing like it);",
  );
  expect(text).toContain("            as evidence only: thinking 3, side records 18, usage 8");
});

test("losses can be left out, and a dry run says that nothing was written", () => {
  const lines = reportLines({ ...report, dryRun: true }, { ...view, hideLosses: true });
  expect(lines.map((line) => line.slice(2, 10).trim())).toEqual(["aude Cod", "kept", "would be", ""]);
  expect(lines.at(-1)).toContain("nothing was written (--dry-run)");
});

test("nothing to do is said", () => {
  const { receipt: _, ...rest } = report;
  const lines = reportLines({ ...rest, sessions: [{ ...session, outcome: "unchanged" }] }, view);
  expect(lines).toContain("  written   1 session there already with the same content: nothing to do");
});

test("of several sessions the first can be resumed at once, the others are pointed to", () => {
  const files = ["/home/me/here/asp-out/codex/a.jsonl", "/home/me/here/asp-out/codex/b.jsonl"];
  const other = { ...session, newId: "0200", files };
  const lines = reportLines({ ...report, sessions: [session, other] }, view);
  expect(lines[0]).toContain("2 sessions, 824 messages, 262 tool calls");
  expect(lines).toContain("  written   3 files in ./asp-out/codex");
  expect(lines).toContain("  more      1 other session: asp-convert list ./asp-out/codex");
});

test("an archived session that stays one cannot be resumed at once", () => {
  const archived = new Set(["aaaa"]);
  const note = "  note      it is archived: Codex CLI resumes it once it is out of the archive";
  expect(reportLines(report, { ...view, archived })).not.toContain(note);
  const replayed = { ...report, sessions: [{ ...session, how: "replayed" as const }] };
  expect(reportLines(replayed, { ...view, archived })).toContain(note);
});

test("a subagent's session is counted, not offered", () => {
  const { resume: _, ...child } = { ...session, newId: "0300", parent: "aaaa" };
  const lines = reportLines({ ...report, sessions: [session, child] }, view);
  expect(lines[0]).toContain("1 session (and 1 subagent)");
  expect(lines.join("\n")).not.toContain("  more");
  expect(lines).toContain("  written   ./asp-out/codex/sessions/2026/11/03/rollout-x.jsonl (+1)");
});

test("a store that is not the default one is named in the resume line", () => {
  const env = { CODEX_HOME: "/home/me/here/asp-out/codex" };
  const elsewhere = {
    ...session,
    resume: { cwd: "/home/me/src/app", env, command: ["codex", "resume", "0199"] },
  };
  expect(resumeLine(elsewhere, view)).toBe(
    "cd ~/src/app && CODEX_HOME=~/here/asp-out/codex codex resume 0199",
  );
  // Without a change of folder the short relative path still leads there.
  const here = { ...session, resume: { cwd: "/home/me/here", env, command: ["codex", "resume", "0199"] } };
  expect(resumeLine(here, view)).toBe("CODEX_HOME=./asp-out/codex codex resume 0199");
});

test("a working directory that is not on this machine is no place to go, and said", () => {
  const absent = new Set(["/home/me/src/app"]);
  const lines = reportLines(report, { ...view, absent });
  expect(lines).toContain("  resume    codex resume 0199c1de");
  expect(lines.find((line) => line.includes("not on this machine"))).toContain("--cwd DIR");
});

test("what a transcript holds cannot reach the terminal as more than text", () => {
  const cwd = "/home/me/\u001b[2Jx";
  const hostile = {
    ...session,
    resume: { cwd, command: ["codex", "resume", "\u001b]0;x\u0007"] },
    files: [`${cwd}/\u202ea`],
  };
  const text = reportLines({ ...report, sessions: [hostile] }, { ...view, absent: new Set([cwd]) }).join(
    "\n",
  );
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test("long lists wrap under their label, and lines to paste never do", () => {
  const lines = reportLines(report, { ...view, columns: 40 });
  expect(lines.filter((line) => line.startsWith("            ")).length).toBeGreaterThan(0);
  expect(lines).toContain("  resume    cd ~/src/app && codex resume 0199c1de");
});

test("a comparison has a row for every axis that something happens to, with a place to look at", () => {
  expect(comparisonRows({ ...report, declared: {} })).toEqual([
    ["messages", "412", "", "", ""],
    ["tool calls", "131", "", "", ""],
    ["thinking", "", "88", "", "signed for another vendor, who alone can verify it"],
    ["title", "1", "", "", ""],
    ["side records", "", "", "", "the target has nothing like it, e.g. record 7"],
  ]);
});
