/**
 * `npm run bench`: time against the floor, and memory, of the command that people run. Each figure comes from a
 * process of its own. Writes the table into README.md. `--quick`: a tenth of the sizes, README untouched.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "@asp-convert/core";
import { claudeStore, codexStore, manySessions, oneLongLine } from "./generate.ts";
import { best, run, type Taken, waited } from "./measure.ts";
import { manyOpenCodeSessions } from "./opencode.ts";

const root = join(import.meta.dirname, "..");
const cli = join(root, "packages/cli/bin/asp-convert.js");
const floor = join(import.meta.dirname, "floor.ts");
const quick = process.argv.includes("--quick");
const only = process.argv.find((word) => word.startsWith("--only="))?.slice(7);
const scale = quick ? 0.1 : 1;
const MB = 1_000_000;

interface Row {
  what: string;
  time: string;
  ratio?: string;
  memory: string;
  target: string;
  held: boolean;
}

const work = mkdtempSync(join(tmpdir(), "asp-bench-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const rows: Row[] = [];

conversion("claude-codex-100", "Claude Code → Codex, 100 MB", 100 * MB * scale, 3);
conversion("codex-claude-100", "Codex → Claude Code, 100 MB", 100 * MB * scale, 3, true);
conversion("claude-codex-1000", "Claude Code → Codex, 1 GB", 1000 * MB * scale, 1);
listing();
searching();
await openCode();
startUp("--help", ["--help"]);
startUp("describe", ["describe", join(root, "fixtures/claude/plain/config")]);
longLine();

const table = [
  "| what | time | × floor | peak memory | target | |",
  "|---|---:|---:|---:|---|---|",
  ...rows.map(
    ({ what, time, ratio = "", memory, target, held }) =>
      `| ${what} | ${time} | ${ratio} | ${memory} | ${target} | ${held ? "held" : "**missed**"} |`,
  ),
  "",
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}; made by \`npm run bench\`. ` +
    "Floor: the same file read in blocks of 1 MiB and `JSON.parse` of each line, in the same run.",
].join("\n");
console.log(`\n${table}`);
if (!quick && only === undefined) intoReadme(table);
process.exitCode = rows.every(({ held }) => held) ? 0 : 1;

/** A whole session through the command, and the floor on the same file, in turns. */
function conversion(name: string, what: string, size: number, times: number, back = false): void {
  if (skipped(name)) return;
  const store = back ? codexStore(join(work, "codex"), size) : claudeStore(join(work, "claude"), size);
  const out = join(work, "out");
  const args = ["convert", store.path, "--to", back ? "claude" : "codex", "--out", out, "--json"];
  let written = 0;
  const floors: Taken[] = [];
  const taken = best(times, () => {
    floors.push(succeeded(run(floor, [store.path])));
    rmSync(out, { recursive: true, force: true });
    const one = succeeded(run(cli, args));
    const report = JSON.parse(one.stdout) as { sessions: { files: string[] }[] };
    written = report.sessions
      .flatMap(({ files }) => files)
      .reduce((sum, path) => sum + statSync(path).size, 0);
    return one;
  });
  const base = Math.min(...floors.map(({ wall }) => wall));
  const ratio = taken.wall / base;
  rows.push({
    what: `${what} (writes ${megabytes(written)})`,
    time: seconds(taken.wall),
    ratio: `${ratio.toFixed(2)} (floor ${seconds(base)})`,
    memory: megabytes(taken.rss),
    target: "≤ 3.0 ×, ≤ 200 MB",
    held: ratio <= 3 && taken.rss <= 200 * MB,
  });
  rmSync(store.store, { recursive: true, force: true });
  rmSync(out, { recursive: true, force: true });
}

function listing(): void {
  if (skipped("list")) return;
  const store = join(work, "many");
  const count = 2000 * scale;
  const bytes = manySessions(store, count, 1000 * MB * scale);
  const taken = best(2, () => succeeded(run(cli, ["list", store, "--json"])));
  const listed = taken.stdout.trim().split("\n").length;
  rows.push({
    what: `\`list\`, ${count} sessions, ${megabytes(bytes)}`,
    time: seconds(taken.wall),
    memory: megabytes(taken.rss),
    target: "< 3 s",
    held: taken.wall < 3000 && listed === count,
  });
  rmSync(store, { recursive: true, force: true });
}

/** The first search reads every text; the next ones, among them a word that nearly every session holds, read the index. */
function searching(): void {
  if (skipped("search")) return;
  const store = join(work, "many");
  const count = 2000 * scale;
  manySessions(store, count, 1000 * MB * scale);
  const state = join(work, "state");
  const grep = (text: string) => succeeded(run(cli, ["list", store, "--json", "--grep", text], state));
  const first = grep("no such text");
  const index = statSync(join(state, "search/index.db")).size;
  const queries = ["the", "line when", "日本語 the", "naïve.*check", "no such text"];
  const all = queries.map((text) => {
    const args = ["list", store, "--json", "--grep", text];
    return { taken: grep(text), wall: Math.min(...[1, 2, 3].map(() => waited(cli, args, state))) };
  });
  const worst = Math.max(...all.map(({ wall }) => wall));
  const found = all.map(({ taken }) => taken.stdout.split("\n").length - 1);
  rows.push(
    {
      what: `\`list --grep\` over these, the first time (an index of ${megabytes(index)} is made)`,
      time: seconds(first.wall),
      memory: megabytes(first.rss),
      target: "≤ 200 MB",
      held: first.rss <= 200 * MB,
    },
    {
      what: `\`list --grep\` from then on: of ${queries.length} searches the slowest (${Math.max(...found)} sessions found)`,
      time: seconds(worst),
      memory: megabytes(Math.max(...all.map(({ taken }) => taken.rss))),
      target: "< 300 ms",
      held: worst < 300 && found[0] !== undefined && found[0] > count / 2 && found.at(-1) === 0,
    },
  );
  rmSync(store, { recursive: true, force: true });
}

/** Sessions that lie in one database: listed, and all of them converted with every record accounted for. */
async function openCode(): Promise<void> {
  if (skipped("opencode")) return;
  const store = join(work, "rows");
  const count = await manyOpenCodeSessions(store, 500 * scale, join(work, "scratch"));
  const bytes = statSync(join(store, "opencode.db")).size;
  const taken = best(3, () => succeeded(run(cli, ["list", store, "--json"])));
  const listed = taken.stdout.trim().split("\n").length;
  rows.push({
    what: `\`list\`, ${count} OpenCode sessions in a database of ${megabytes(bytes)}`,
    time: seconds(taken.wall),
    memory: megabytes(taken.rss),
    target: "< 2 s",
    held: taken.wall < 2000 && listed === count,
  });
  for (const [to, name] of [
    ["claude", "Claude Code"],
    ["codex", "Codex"],
    ["pi", "Pi"],
  ] as const) {
    const out = join(work, "out");
    const one = succeeded(run(cli, ["convert", store, "--all", "--to", to, "--out", out, "--json"]));
    const { sessions } = JSON.parse(one.stdout) as Report;
    const sum = (part: keyof Report["sessions"][number]["records"]) =>
      sessions.reduce((total, { records }) => total + records[part], 0);
    const accounted = sum("mapped") + sum("evidence") + sum("lost");
    rows.push({
      what: `these → ${name}: ${accounted} of ${sum("read")} records accounted for`,
      time: seconds(one.wall),
      memory: megabytes(one.rss),
      target: "all, ≤ 200 MB",
      held: accounted === sum("read") && sessions.length >= count && one.rss <= 200 * MB,
    });
    rmSync(out, { recursive: true, force: true });
  }
  rmSync(store, { recursive: true, force: true });
}

/** The command's own time: without what Node takes to start. */
function startUp(what: string, args: readonly string[]): void {
  if (skipped("start")) return;
  const empty = join(work, "empty.mjs");
  writeFileSync(empty, "");
  const bare = best(7, () => run(empty, []));
  const taken = best(7, () => succeeded(run(cli, args)));
  const own = taken.wall - bare.wall;
  rows.push({
    what: `\`${what}\` starts`,
    time: `${Math.round(own)} ms of its own`,
    memory: megabytes(taken.rss),
    target: "≤ 150 ms",
    held: own <= 150,
  });
}

function longLine(): void {
  if (skipped("line")) return;
  const store = oneLongLine(join(work, "line"), 600 * MB * scale);
  const taken = succeeded(
    run(cli, ["convert", store.path, "--to", "codex", "--out", join(work, "out"), "--json"]),
  );
  const report = JSON.parse(taken.stdout) as { losses: { reason: string }[] };
  const declared = report.losses.some(({ reason }) => reason === "over-bound");
  rows.push({
    what: `one line of ${megabytes(store.bytes)}${declared ? ", declared as lost" : ""}`,
    time: seconds(taken.wall),
    memory: megabytes(taken.rss),
    target: "no crash, ≤ 200 MB, declared",
    held: declared && taken.rss <= 200 * MB,
  });
  rmSync(store.store, { recursive: true, force: true });
}

function skipped(name: string): boolean {
  if (only !== undefined && !name.startsWith(only)) return true;
  console.error(`${name} …`);
  return false;
}

function succeeded(taken: Taken): Taken {
  if (taken.status !== 0) throw new Error(`failed with ${taken.status}: ${taken.stderr || taken.stdout}`);
  return taken;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

function intoReadme(text: string): void {
  const path = join(root, "README.md");
  const readme = readFileSync(path, "utf8");
  const marked = /(<!-- bench:start -->)[\s\S]*?(<!-- bench:end -->)/;
  if (marked.test(readme))
    writeFileSync(
      path,
      readme.replace(marked, (_, start, end) => `${start}\n${text}\n${end}`),
    );
  else console.error("README.md has no place for the table (<!-- bench:start --> … <!-- bench:end -->)");
}
