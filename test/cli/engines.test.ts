/** `batch` on engines: the commands of examples/engines, run with what each engine sets; and as a filter, and a library. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { place, root } from "./run.js";

const engine = (name: string) => readFileSync(join(root, "examples/engines", name), "utf8");

/** Four stores, and an `npx` that starts this checkout's command. */
function machine() {
  const here = place();
  for (const name of ["tools", "text", "forked", "compacted"])
    cpSync(join(root, "fixtures/codex", name, "codex-home"), join(here.home, "stores", name), {
      recursive: true,
    });
  const bin = join(here.home, "bin");
  mkdirSync(bin, { recursive: true });
  const command = join(root, "packages/cli/bin/asp-convert.js");
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(join(bin, "npx"), 0o755);
  const [sources, out] = [join(here.home, "stores/*"), join(here.home, "out")];
  const env = { PATH: `${bin}:${process.env.PATH}`, SOURCES: sources, OUT: out };
  return { here, out, env };
}

const sh = (script: string) => script.replaceAll("--to codex", "--to claude");

async function whole({ here, out, env }: ReturnType<typeof machine>): Promise<void> {
  const merged = join(out, "all");
  const parts = [1, 2, 3, 4].map((part) => join(out, `part-${part}`));
  const { code, err } = await here.run(["batch", "--merge", ...parts, "--out", merged], { env });
  expect(code, err).toBe(0);
  const lines = readFileSync(join(merged, "report.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.every(({ status }) => status === "done")).toBe(true);
  const plain = await here.run(["batch", env.SOURCES, "--to", "claude", "--out", join(here.home, "plain")], {
    env,
  });
  expect(plain.code, plain.err).toBe(0);
  const ids = (path: string) =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).from.id)
      .sort();
  expect(lines.map(({ from }) => from.id).sort()).toEqual(ids(join(here.home, "plain/report.ndjson")));
}

test("Kubernetes: an Indexed Job whose pods are the shards", async () => {
  const job = parse(engine("kubernetes-job.yaml"));
  expect(job).toMatchObject({ apiVersion: "batch/v1", kind: "Job", spec: { completionMode: "Indexed" } });
  const { completions, parallelism, template } = job.spec;
  expect([completions, parallelism]).toEqual([4, 4]);
  const [{ command, args }] = template.spec.containers;
  const at = machine();
  for (let index = 0; index < completions; index++) {
    const [file = "", ...rest] = [...command, sh(args[0])];
    const ran = spawnSync(file, rest, {
      encoding: "utf8",
      env: { ...process.env, ...at.env, HOME: at.here.home, JOB_COMPLETION_INDEX: String(index) },
    });
    expect(ran.status, ran.stderr).toBe(0);
  }
  await whole(at);
}, 60_000);

test("Slurm: a job array whose tasks are the shards", async () => {
  const script = engine("slurm.sh");
  const [, first, last] = /#SBATCH --array=(\d+)-(\d+)/.exec(script) ?? [];
  expect([first, last]).toEqual(["1", "4"]);
  const at = machine();
  for (let task = 1; task <= 4; task++) {
    const ran = spawnSync("sh", ["-c", sh(script)], {
      encoding: "utf8",
      env: {
        ...{ ...process.env, ...at.env, HOME: at.here.home },
        ...{ SLURM_ARRAY_TASK_ID: String(task), SLURM_ARRAY_TASK_COUNT: "4", SLURM_CPUS_PER_TASK: "1" },
      },
    });
    expect(ran.status, ran.stderr).toBe(0);
  }
  await whole(at);
}, 60_000);

const hasParallel = spawnSync("parallel", ["--version"]).status === 0;

// Debian's `parallel`; not every machine has it.
test.skipIf(!hasParallel)(
  "GNU parallel: {#} counts the shards (left out where it is not installed)",
  async () => {
    const at = machine();
    const ran = spawnSync("sh", ["-c", sh(engine("parallel.sh"))], {
      encoding: "utf8",
      env: { ...process.env, ...at.env, HOME: at.here.home },
    });
    expect(ran.status, ran.stderr).toBe(0);
    await whole(at);
  },
  60_000,
);

test("as a filter: a session in, a document or another program's session out", async () => {
  const { run, store } = place();
  const path = store("claude", "tools");
  const md = await run(["convert", path, "--to", "md", "--out", "-"]);
  expect(md).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^---\ntitle: make notes\.txt\n/),
    err: "",
  });
  const codex = await run(["convert", path, "--to", "codex", "--out", "-"]);
  expect(codex.out.split("\n").length).toBeGreaterThan(10);
  const back = await run(["convert", "-", "--to", "md", "--out", "-"], { input: codex.out });
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining("harness: codex") });
  const both = await run(["convert", path, "--to", "md", "--out", "-", "--json"]);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining("Choose one") });
});

test("the README's library is one that runs", async () => {
  const [, code = ""] =
    /```js\n(import[\s\S]*?)```/.exec(readFileSync(join(root, "packages/cli/README.md"), "utf8")) ?? [];
  const here = place();
  cpSync(join(root, "fixtures/claude/tools/config"), join(here.home, ".claude"), { recursive: true });
  const ran = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", code.replace("./codex", join(here.home, "codex"))],
    {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, HOME: here.home, ASP_HOME: join(here.home, "asp") },
    },
  );
  expect(ran.status, ran.stderr).toBe(0);
  const lines = ran.stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/make notes\.txt 3$/);
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({ type: "session.started" });
});
