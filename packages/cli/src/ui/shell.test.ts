import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLine, quote, quotePath } from "./shell.js";

test("only what needs it is quoted", () => {
  expect(quote("0199c1de-aa", "linux")).toBe("0199c1de-aa");
  expect(quote("it's", "linux")).toBe(String.raw`'it'\''s'`);
  expect(quote("", "linux")).toBe("''");
  expect(quote("it's", "win32")).toBe("'it''s'");
  expect(quotePath("/home/me/my app", "/home/me", "linux")).toBe("~/'my app'");
  expect(quotePath("/home/meadow/x", "/home/me", "linux")).toBe("/home/meadow/x");
});

test("a whole line", () => {
  const command = ["codex", "resume", "0199"];
  expect(commandLine({ command }, "/home/me", "linux")).toBe("codex resume 0199");
  expect(commandLine({ cwd: "/home/me/src", command }, "/home/me", "linux")).toBe(
    "cd ~/src && codex resume 0199",
  );
  expect(commandLine({ cwd: "-x", command }, undefined, "linux")).toBe("cd -- -x && codex resume 0199");
  const variables = { CODEX_HOME: "./asp-out/codex" };
  expect(commandLine({ variables, command }, undefined, "linux")).toBe(
    "CODEX_HOME=./asp-out/codex codex resume 0199",
  );
  expect(commandLine({ cwd: "C:\\my app", variables, command }, undefined, "win32")).toBe(
    "cd 'C:\\my app'; $env:CODEX_HOME='./asp-out/codex'; codex resume 0199",
  );
});

test("what a terminal would obey is shown as escapes, and still means the same", () => {
  const hostile = "a'b\\c\u001b[2J\n7\u202e日";
  const quoted = quote(hostile, "linux");
  expect(quoted).toBe(String.raw`$'a\'b\\c\033[2J\0127\342\200\256日'`);
  expect(spawnSync("bash", ["-c", `printf %s ${quoted}`], { encoding: "utf8" }).stdout).toBe(hostile);
});

test("a real shell reads back exactly what was meant", () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((s) => !s.includes("\0") && s.isWellFormed());
  fc.assert(
    fc.property(text, text, text, (home, path, argument) => {
      const root = `/h/${home}`;
      const line = commandLine(
        {
          variables: { WHERE: `${root}/${path}` },
          command: ["sh", "-c", 'printf "%s\\0%s" "$WHERE" "$1"', "sh", argument],
        },
        root,
        "linux",
      );
      const { stdout } = spawnSync("bash", ["-c", line], {
        encoding: "utf8",
        env: { ...process.env, HOME: root },
      });
      expect(stdout).toBe(`${root}/${path}\0${argument}`);
    }),
    { numRuns: 40 },
  );
});
