/** Claude Code stores of sessions whose working directories are hard to tell. */
import { type ClaudeLines, slug, transcriptPath } from "./claude.ts";
import { shape, talk } from "./claude-shape.ts";
import type { Shape } from "./shape.ts";

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

export const placeShapes: readonly Shape[] = [twoProjects(), nonAscii(), driveCase(), worktreeGone()];
