import type { Loss } from "@asp-convert/core";
import { Command } from "commander";
import { expect, test } from "vitest";
import { UsageError } from "./errors.js";
import { forbidden } from "./losses.js";
import { type LossOptions, withLoss } from "./options.js";

function parsed(...args: string[]): LossOptions {
  const command = withLoss(new Command().exitOverride().configureOutput({ writeErr() {} }));
  command.parse(args, { from: "user" });
  return command.opts<LossOptions>();
}

const loss = (level: Loss["level"], axis: Loss["axis"]): Loss => ({
  kind: "sessions",
  axis,
  level,
  reason: "no-counterpart",
  count: 1,
  places: [],
});

test("nothing is forbidden unless asked", () => {
  expect(forbidden(parsed())).toBeUndefined();
  expect(forbidden(parsed("--loss", "ignore"))).toBeUndefined();
});

test("--loss error forbids every loss of ours, not what the source never held", () => {
  const forbid = forbidden(parsed("--loss", "error"));
  expect(forbid?.(loss("partial", "title"))).toBe(true);
  expect(forbid?.(loss("not-in-source", "title"))).toBe(false);
});

test("--fail-on takes a level, an axis, or both", () => {
  const forbid = forbidden(parsed("--fail-on", "dropped:thinking,evidence-only, images"));
  expect(forbid?.(loss("dropped", "thinking"))).toBe(true);
  expect(forbid?.(loss("partial", "thinking"))).toBe(false);
  expect(forbid?.(loss("evidence-only", "usage"))).toBe(true);
  expect(forbid?.(loss("partial", "images"))).toBe(true);
  expect(forbid?.(loss("dropped", "title"))).toBe(false);
  expect(forbidden(parsed("--fail-on", "not-in-source"))?.(loss("not-in-source", "title"))).toBe(true);
});

test("--fail-on takes the words of the report's lines", () => {
  const forbid = forbidden(parsed("--fail-on", "degraded:thinking,missing"));
  expect(forbid?.(loss("partial", "thinking"))).toBe(true);
  expect(forbid?.(loss("evidence-only", "thinking"))).toBe(true);
  expect(forbid?.(loss("dropped", "thinking"))).toBe(false);
  expect(forbid?.(loss("partial", "images"))).toBe(false);
  expect(forbid?.(loss("not-in-source", "title"))).toBe(true);
});

test("what it cannot mean is refused", () => {
  expect(() => parsed("--fail-on", "lost:thinking")).toThrow(/"lost" is no level/);
  expect(() => parsed("--fail-on", "a:b:c")).toThrow(/LEVEL:AXIS/);
  expect(() => forbidden(parsed("--fail-on", "dropped:thoughts"))).toThrow(UsageError);
  expect(() => parsed("--loss", "maybe")).toThrow(/error, warn, ignore/);
});
