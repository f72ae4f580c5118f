import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { withSessions, withTarget } from "./options.js";

const parsed = (...args: string[]) =>
  withTarget(withSessions(new Command("convert")))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse(["--to", "codex", ...args], { from: "user" })
    .opts();

describe("values of options", () => {
  it.each(["--session", "--cwd", "--out"])("%s is not taken empty", (option) => {
    expect(() => parsed(option, "")).toThrow(/empty/);
  });

  it("takes several sessions, together or one by one", () => {
    expect(parsed("--session", "a", "b", "--session", "c").session).toEqual(["a", "b", "c"]);
  });
});
