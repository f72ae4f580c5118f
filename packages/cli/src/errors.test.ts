import { AccountError, RefusedError, SourceError, TieError, UnknownHarnessError } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { CommandError, exit, failureOf, UsageError } from "./errors.js";

describe("each error has its exit code, its name for programs, and a next step", () => {
  test.each([
    [new UsageError("no such option", "try this"), exit.usage, "usage", "try this"],
    [new CommandError("x", { code: "no-sessions" }), exit.failed, "no-sessions", undefined],
    [new SourceError("/x", "missing", "nothing"), exit.failed, "missing", expect.stringContaining("list")],
    [
      new SourceError("/x", "unreadable", "no"),
      exit.failed,
      "unreadable",
      expect.stringContaining("permissions"),
    ],
    [
      new UnknownHarnessError("klaude", ["claude"]),
      exit.usage,
      "unknown-harness",
      expect.stringContaining("plugins"),
    ],
    [new TieError("/x", ["claude", "codex"], 90), exit.usage, "tie", undefined],
    [new RefusedError("cannot resume"), exit.failed, "refused", undefined],
    [new AccountError("s", [1], 1), exit.failed, "account", undefined],
    [new DOMException("stop", "AbortError"), exit.interrupted, "interrupted", undefined],
    [new Error("boom"), exit.failed, "failed", undefined],
    ["a string", exit.failed, "failed", undefined],
  ])("%s", (error, code, name, next) => {
    expect(failureOf(error)).toMatchObject({ exit: code, code: name });
    expect(failureOf(error).next).toEqual(next);
  });
});

test("a tie names both candidates and how to decide", () => {
  const { message } = failureOf(new TieError("/x", ["claude", "codex"], 90));
  expect(message).toMatch(/--from claude or --from codex/);
});

test("the path is in the message, once", () => {
  const error = Object.assign(new Error("went wrong"), { path: "/a/b" });
  expect(failureOf(error)).toMatchObject({ message: "/a/b: went wrong", path: "/a/b" });
  expect(failureOf(new SourceError("/a/b", "missing", "nothing")).message.match(/\/a\/b/g)).toHaveLength(1);
});

test("a message that quotes a transcript cannot steer the terminal", () => {
  expect(failureOf(new Error("bad title \u001b[2J\u202ex")).message).toBe("bad title x");
});
