/** docs/pictures: the pages as the README shows them, of an invented session, in the system's Chromium. `npm run pictures` */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const root = join(import.meta.dirname, "..");
const program = join(root, "packages/cli/bin/asp-convert.js");
const pictures = join(root, "docs/pictures");
const work = mkdtempSync(join(tmpdir(), "asp-pictures-"));
const sessionId = "5f0c1a2e-7d41-4c7e-9a33-0c2b8e6d1f90";

type Content = readonly object[] | string;
let made = 0;
function record(type: "user" | "assistant", content: Content, more: object = {}): string {
  const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString().padStart(12, "0")}`;
  const parentUuid = made === 0 ? null : uuid(made);
  const message =
    type === "user"
      ? { role: "user", content }
      : {
          id: `msg_${made}`,
          type: "message",
          role: "assistant",
          model: "claude-opus-5-5",
          content,
          stop_reason: null,
          usage: { input_tokens: 2100 + made, output_tokens: 180 },
        };
  made++;
  const timestamp = new Date(Date.UTC(2026, 10, 3, 9, 28 + made)).toISOString();
  return JSON.stringify({
    parentUuid,
    uuid: uuid(made),
    isSidechain: false,
    userType: "external",
    type,
    sessionId,
    version: "2.1.0",
    cwd: "/home/dev/orchard",
    gitBranch: "main",
    timestamp,
    message,
    ...more,
  });
}
const result = (id: string, content: string, toolUseResult: object = {}) =>
  record("user", [{ type: "tool_result", tool_use_id: id, content }], { toolUseResult });

const lines = [
  record(
    "user",
    "The nightly report shows yesterday's total twice when the clocks change. Find out why and mend it.",
  ),
  record("assistant", [
    {
      type: "thinking",
      thinking: "A day of 25 hours: whoever steps by 24 hours lands on the same date twice.",
      signature: "c2lnbmVk",
    },
    { type: "text", text: "I look at how the report walks from one day to the next." },
    {
      type: "tool_use",
      id: "toolu_1",
      name: "Bash",
      input: { command: "rg -n '24 \\* 60' src", description: "Search for fixed days" },
    },
  ]),
  result("toolu_1", "src/report/days.ts:12:  const DAY = 24 * 60 * 60 * 1000;", {
    stdout: "src/report/days.ts:12",
    stderr: "",
    interrupted: false,
  }),
  record("assistant", [
    {
      type: "text",
      text: "That is it: `days.ts` adds **24 hours** to get to the next day. On the day when the clocks go back, a day has 25:\n\n- 26 October 00:00 + 24 h is still 26 October, 23:00\n- so its total is told twice",
    },
    {
      type: "tool_use",
      id: "toolu_2",
      name: "Edit",
      input: {
        file_path: "/home/dev/orchard/src/report/days.ts",
        old_string: "export function nextDay(day: Date): Date {\n  return new Date(day.getTime() + DAY);\n}",
        new_string:
          "export function nextDay(day: Date): Date {\n  const next = new Date(day);\n  next.setDate(next.getDate() + 1);\n  return next;\n}",
      },
    },
  ]),
  result("toolu_2", "The file has been updated.", { filePath: "/home/dev/orchard/src/report/days.ts" }),
  record("assistant", [
    { type: "text", text: "The next day is now counted by the calendar. I run the tests." },
    {
      type: "tool_use",
      id: "toolu_3",
      name: "Bash",
      input: { command: "npm test", description: "Run the tests" },
    },
  ]),
  result("toolu_3", "42 passed", { stdout: "42 passed", stderr: "", interrupted: false }),
  record("assistant", [{ type: "text", text: "All 42 pass, and each day is in the report once." }]),
];

const folder = join(work, "claude/projects/-home-dev-orchard");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join("\n")}\n`);
const env = { ...process.env, HOME: work, NO_COLOR: "1" };
const run = (...args: string[]) => execFileSync(process.execPath, [program, ...args], { cwd: work, env });
run("view", "claude", "--to", "codex", "-o", "view.html");
run("matrix", "--html", "-o", "matrix.html");

mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
for (const [name, width, height] of [
  ["view", 1280, 920],
  ["matrix", 1440, 860],
] as const) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.goto(`file://${join(work, `${name}.html`)}`);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
await browser.close();
rmSync(work, { recursive: true });
