/** Completion in real shells, the manual page, and help with examples first: all of the same commands. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { commands } from "../../packages/cli/src/commands/index.js";
import { manPage, manPath } from "../../scripts/man.js";
import { type Place, place, program } from "./run.js";
import { say } from "./said.js";

const { entries } = commands;
const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** A home with `asp-convert` on the PATH. */
function home(): { at: Place; env: Record<string, string> } {
  const at = place();
  const bin = join(at.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "asp-convert"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, "asp-convert"), 0o755);
  return { at, env: { HOME: at.home, PATH: `${bin}:${process.env.PATH}`, TZ: "UTC", LANG: "C.UTF-8" } };
}

/** What bash itself makes of the line: its words are its own work. */
function bash({ at, env }: ReturnType<typeof home>, line: string): string[] {
  const script = `
source <(asp-convert completion bash)
COMP_LINE=$1 COMP_POINT=\${#1}
read -ra COMP_WORDS <<< "$1"; [[ $1 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
compopt() { :; }
_asp_convert asp-convert "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["-c", script, "bash", line], { cwd: at.cwd, env, encoding: "utf8" });
  return out.split("\n").filter((each) => each !== "");
}

describe("bash", () => {
  it("completes commands, options, programs", () => {
    const here = home();
    const commands = bash(here, "asp-convert ");
    expect(commands.map((each) => each.split(" ")[0])).toEqual(entries.map(({ name }) => name));
    expect(bash(here, "asp-convert com")).toEqual([
      expect.stringMatching(/^compare +\(what would be kept/),
      expect.stringMatching(/^completion /),
    ]);
    expect(bash(here, "asp-convert convert ~/.claude --to cl")).toEqual([
      expect.stringMatching(/^claude +\(Claude Code\)$/),
      expect.stringMatching(/^cline /),
    ]);
    expect(bash(here, "asp-convert convert --fail")).toEqual(["--fail-on"]);
    expect(bash(here, "asp-convert convert --loss ")).toEqual(["error", "warn", "ignore"]);
    expect(bash(here, "asp-convert export . --kinds skills,to")).toEqual(["skills,tools"]);
    expect(bash(here, "asp-convert log ex")).toEqual(["export"]);
    expect(bash(here, "asp-convert log export x --re")).toEqual(["--revision"]);
    expect(bash(here, "asp-convert schema bundle-m")).toEqual(["bundle-manifest"]);
  });

  it("completes session ids, and finds a session by its title", () => {
    const here = home();
    const id = (path: string) => path.split("/").at(-1)?.replace(".jsonl", "") ?? "";
    const clock = id(say(here.at, "x", { start: "Mend the clock's; `touch owned` $(touch owned)" }));
    const fence = id(say(here.at, "y", { start: "Paint the fence" }));
    const both = bash(here, "asp-convert convert ~/.claude --to codex --session ");
    expect(both.map((each) => each.split(" ")[0]).sort()).toEqual([clock, fence].sort());
    expect(both.join("\n")).toContain("Paint the fence)");
    expect(bash(here, `asp-convert convert ~/.claude --session ${fence.slice(0, 8)}`)).toEqual([fence]);
    expect(bash(here, "asp-convert convert --session fence")).toEqual([fence]);
    expect(bash(here, "asp-convert convert --session nowhere")).toEqual([]);
    expect(Object.keys(here.at.files()).filter((path) => path.includes("owned"))).toEqual([]);
  });
});

describe.skipIf(!has("zsh"))(`zsh${has("zsh") ? "" : ": not on this machine"}`, () => {
  it("loads, and hands the words on", () => {
    const { at, env } = home();
    const script = `
autoload -Uz compinit && compinit -u -d ${at.home}/dump
source <(asp-convert completion zsh)
print -r -- "$_comps[asp-convert]"
_describe() { shift 2; print -rl -- "\${(@P)1}"; }
_files() { print FILES; }
words=(asp-convert des) CURRENT=2
_asp_convert`;
    const out = execFileSync("zsh", ["-fc", script], { cwd: at.cwd, env, encoding: "utf8" });
    expect(out.split("\n")).toEqual([
      "_asp_convert",
      expect.stringMatching(/^describe:what is this\?/),
      "FILES",
      "",
    ]);
  });
});

describe.skipIf(!has("fish"))(`fish${has("fish") ? "" : ": not on this machine"}`, () => {
  it("completes", () => {
    const { at, env } = home();
    const script = `asp-convert completion fish | source; complete -C "asp-convert convert . --to cod"`;
    const out = execFileSync("fish", ["--no-config", "-c", script], { cwd: at.cwd, env, encoding: "utf8" });
    expect(out).toBe("codex\tCodex CLI\n");
  });
});

test("the manual page is as the commands are", async () => {
  expect(readFileSync(manPath, "utf8"), "npm run man").toBe(await manPage());
  const { name } = JSON.parse(readFileSync(join(manPath, "../../package.json"), "utf8")) as { name: string };
  expect(manPath.endsWith(`${name}.1`)).toBe(true);
  for (const entry of entries) expect(readFileSync(manPath, "utf8")).toContain(`"asp-convert ${entry.name}`);
});

test.each(entries.map(({ name }) => name))("%s --help begins with examples", async (name) => {
  const { out } = await place().run([name, "--help"]);
  expect(out).toMatch(/^ {2}(asp-convert|source <\(asp-convert) /);
  expect(out).toContain(`\nUsage: asp-convert ${name} `);
});
