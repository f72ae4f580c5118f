/**
 * The skill in the real Claude Code: its name and description are in the first request, it can be called, and the commands
 * that stand in it run: those that only look by the permission that it gives itself, the one that writes by the person's.
 * The scripted model does what the skill says.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, startClaude } from "@asp-convert/conformance/native";
import type { TurnBlock } from "@asp-convert/mock-model";
import { beforeAll, expect, test } from "vitest";
import { place, program, root } from "../cli/run.js";

const folder = join(root, "skill/asp-convert");
const skill = readFileSync(join(folder, "SKILL.md"), "utf8");

beforeAll(async () => void (await findProgram("claude")), 600_000);

/** The commands of the skill, in order, with what a model would put in. */
function commands(values: Readonly<Record<string, string>>): string[] {
  return [...skill.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.trim().split("\n"))
    .map((line) => line.replace(/\b(TEXT|PATH|ID|TARGET)\b/g, (word) => values[word] ?? word));
}

test("Claude Code finds the skill, and moves a Codex session to Pi by it", async () => {
  const at = place();
  cpSync(join(root, "fixtures/codex/tools/codex-home"), join(at.home, ".codex"), { recursive: true });
  const bin = join(at.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "asp-convert"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, "asp-convert"), 0o755);
  const config = join(at.home, "config");
  cpSync(folder, join(config, "skills/asp-convert"), { recursive: true });

  const listed = await at.run(["list", "--json", "--harness", "codex"]);
  const { id, path, title } = JSON.parse(listed.out.split("\n")[0] ?? "{}") as Record<string, string>;
  const lines = commands({ TEXT: (title ?? "").slice(0, 12), PATH: path ?? "", ID: id ?? "", TARGET: "pi" });
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "asp-convert list",
    "asp-convert list",
    "asp-convert compare",
    "asp-convert convert",
  ]);
  const call = (
    name: string,
    input: TurnBlock & { type: "call" } extends { input: infer I } ? I : never,
  ) => ({
    blocks: [{ type: "call" as const, name, input }],
  });
  const { requests, exitCode, stderr } = await startClaude({
    store: config,
    cwd: at.cwd,
    prompt: "go on with this in pi",
    // What the person says yes to, when asked: the skill itself, and the writing.
    args: ["--allowedTools", "Skill(asp-convert)", "Bash(asp-convert convert:*)", "--"],
    env: { HOME: at.home, PATH: `${bin}:${process.env.PATH}` },
    turns: [
      call("Skill", { skill: "asp-convert" }),
      ...lines.map((command) => call("Bash", { command, description: "as the skill says" })),
      "Done.",
    ],
  });
  expect(exitCode, stderr).toBe(0);
  const [, name = "", description = ""] = /^name: (.*)\ndescription: (.*)$/m.exec(skill) ?? [];
  // A whole request would bury what is missing.
  const holds = (index: number, text: string) => JSON.stringify(requests[index]?.body).includes(text);
  expect(holds(0, `- ${name}: ${description}`), "its name and description").toBe(true);
  expect(holds(1, "# Moving a session to another program"), "its text, once it is called").toBe(true);
  const last = results(requests.at(-1)?.body).slice(-lines.length);
  expect(last.filter(({ is_error }) => is_error)).toEqual([]);
  expect(last[1]?.text).toContain(id);
  expect(JSON.parse(last[2]?.text ?? "")).toMatchObject({ to: { harness: "pi" } });
  const report = JSON.parse(last[3]?.text ?? "") as { sessions: { newId: string; files: string[] }[] };
  const checked = await at.run(["verify", report.sessions[0]?.files[0] ?? ""]);
  expect(checked.code, checked.err + checked.out).toBe(0);
});

interface Result {
  text: string;
  is_error?: boolean;
}

/** What the tools gave, in order. */
function results(body: object | undefined): Result[] {
  const { messages = [] } = (body ?? {}) as { messages?: { content: string | object[] }[] };
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.flatMap((block): Result[] => {
          const {
            type,
            content: inner,
            is_error,
          } = block as {
            type: string;
            content?: string | { text?: string }[];
            is_error?: boolean;
          };
          if (type !== "tool_result") return [];
          const text =
            typeof inner === "string" ? inner : (inner ?? []).map((part) => part.text ?? "").join("");
          return [{ text, ...(is_error !== undefined && { is_error }) }];
        }),
  );
}
