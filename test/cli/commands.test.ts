import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { place } from "./run.js";

const transcript = /sessions\/2026\/\d\d\/\d\d\/rollout-.*\.jsonl$/;

describe("a path", () => {
  test("is described: what it is, what is in it, what to do next", async () => {
    const { run, store } = place();
    const { code, out, err } = await run([store("claude", "tools")]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Claude Code {3}.*versions 2\.1\.332\n/);
    expect(out).toMatch(/^ {2}sessions +1 \(/m);
    expect(out).toContain("aaaaaaaa-0000-4000-8000-000000000002");
    expect(out).toMatch(/^convert {2}asp-convert .* --to codex$/m);
  });

  test("is described the same by `describe`, and as one JSON document", async () => {
    const { run, store } = place();
    const path = store("codex", "tools");
    expect((await run(["describe", path])).out).toBe((await run([path])).out);
    const json = JSON.parse((await run([path, "--json"])).out);
    expect(json).toMatchObject({
      asp: 1,
      harness: "codex",
      versions: ["0.171.0"],
      kinds: { sessions: { count: 1 } },
    });
  });

  test("with --to is converted, without the word", async () => {
    const { run, store, files, cwd } = place();
    const path = store("claude", "tools");
    const before = files(path);
    const { code, out, err } = await run([path, "--to", "codex"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^Claude Code → Codex CLI {3}1 session, \d+ messages, \d+ tool calls? .* s$/);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(out).toMatch(/^ {2}kept +messages, tool calls, tool results/m);
    expect(out).toMatch(/^ {2}written +\.\/asp-out\/codex\/sessions\/2026\//m);
    expect(out).toMatch(/^ {2}resume +CODEX_HOME=\.\/asp-out\/codex codex resume [0-9a-f-]{36}$/m);
    expect(out).toMatch(/^ {2}undo +asp-convert undo \S+$/m);
    expect(Object.keys(files(join(cwd, "asp-out"))).filter((name) => transcript.test(name))).toHaveLength(1);
    expect(files(path)).toEqual(before);
  });
});

describe("convert", () => {
  test("--json is exactly one document on stdout, and it adds up", async () => {
    const { run, store } = place();
    const { code, out, err } = await run(["convert", store("claude", "tools"), "--to", "codex", "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      asp: 1,
      from: { harness: "claude", versions: ["2.1.332"] },
      to: { harness: "codex" },
    });
    const { read, mapped, evidence, lost } = report.sessions[0].records;
    expect(read).toBeGreaterThan(0);
    expect(mapped + evidence + lost).toBe(read);
  });

  test("--install writes into the real store, and undo takes back exactly that", async () => {
    const { run, store, files, home } = place();
    const path = store("codex", "text");
    const codexHome = join(home, ".codex");
    expect((await run(["convert", path, "--to", "codex", "--install"])).code).toBe(0);
    writeFileSync(join(codexHome, "config.toml"), "model = 'mine'\n");
    const before = files(codexHome);
    const installed = await run(["convert", store("claude", "tools"), "--to", "codex", "--install"]);
    expect(installed.out).toMatch(/^ {2}resume +codex resume [0-9a-f-]{36}$/m);
    const receipt = /undo (\S+)$/m.exec(installed.out)?.[1] ?? "";
    expect(files(codexHome)).not.toEqual(before);
    const undone = await run(["undo", receipt]);
    expect(undone).toMatchObject({ code: 0, err: "" });
    expect(undone.out).toContain("removed");
    expect(files(codexHome)).toEqual(before);
    expect(await run(["undo", receipt])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("undone already"),
    });
  });

  test("--install honours CODEX_HOME and CLAUDE_CONFIG_DIR", async () => {
    const { run, store, files, cwd } = place();
    const env = { CODEX_HOME: join(cwd, "my codex"), CLAUDE_CONFIG_DIR: join(cwd, "my claude") };
    await run([store("claude", "tools"), "--to", "codex", "--install"], { env });
    await run([store("codex", "tools"), "--to", "claude", "--install"], { env });
    const names = Object.keys(files(cwd)).filter((name) => name.endsWith(".jsonl"));
    expect(names.some((name) => name.startsWith("my codex/sessions/"))).toBe(true);
    expect(names.some((name) => name.startsWith("my claude/projects/"))).toBe(true);
  });

  test("--cwd moves the session, and a folder with a space and a quote can still be pasted", async () => {
    const { run, store, cwd } = place();
    const { out } = await run([
      store("claude", "tools"),
      "--to",
      "codex",
      "--cwd",
      "../home",
      "--out",
      "it's here",
    ]);
    const line = /^ {2}resume +(.*)$/m.exec(out)?.[1] ?? "";
    expect(line).toContain("cd ~ && CODEX_HOME=");
    const shell = `codex() { printf '%s\\n' "$PWD" "$CODEX_HOME" "$1"; }; ${line}`;
    const pasted = await run([], { shell });
    expect(pasted.out.split("\n").slice(0, 3)).toEqual([
      join(cwd, "../home"),
      join(cwd, "it's here"),
      "resume",
    ]);
  });

  test("--dry-run writes nothing and says what it would", async () => {
    const { run, store, files, cwd } = place();
    const { code, out } = await run([store("claude", "tools"), "--to", "codex", "--dry-run"]);
    expect(code).toBe(0);
    expect(out).toContain("nothing was written (--dry-run)");
    expect(files(cwd)).toEqual({});
  });

  test("of several sessions takes the newest and says so; --all takes all; --session one", async () => {
    const { run, store } = place();
    const path = store("codex", "forked");
    const { out, err } = await run([path, "--to", "claude", "--out", "a"]);
    expect(out).toContain("1 session,");
    expect(err).toMatch(/the newest of 2 sessions: .* Others: --session ID, or --all/);
    const all = await run([path, "--to", "claude", "--out", "b", "--all"]);
    expect(all).toMatchObject({ code: 0, err: "", out: expect.stringContaining("2 sessions,") });
    const json = (await run([path, "--to", "claude", "--out", "c", "--session", "01a22ddd-a4", "--json"]))
      .out;
    expect(JSON.parse(json).sessions.map(({ id }: { id: string }) => id)).toEqual([
      "01a22ddd-a4cf-7c12-9394-9792e12187c6",
    ]);
  });

  test("--quiet prints only how to resume", async () => {
    const { run, store } = place();
    const { out, err } = await run([store("claude", "tools"), "--to", "codex", "--quiet"]);
    expect(err).toBe("");
    expect(out).toMatch(/^CODEX_HOME=\S+ codex resume \S+\n$/);
  });

  test("a second run has nothing to do, and says so", async () => {
    const { run, store, files, cwd } = place();
    const path = store("claude", "tools");
    await run([path, "--to", "codex"]);
    const before = files(cwd);
    const again = await run([path, "--to", "codex"]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("nothing to do") });
    expect(again.out).not.toContain("undo");
    expect(files(cwd)).toEqual(before);
  });
});

test("compare says per axis what would come along, and writes nothing", async () => {
  const { run, store, files, cwd } = place();
  const { code, out } = await run(["compare", store("claude", "tools"), "--to", "codex"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Claude Code → Codex CLI {3}1 session, nothing written\n/);
  expect(out).toMatch(/^messages +\d+/m);
  const json = JSON.parse((await run(["compare", store("claude", "tools"), "--to", "codex", "--json"])).out);
  expect(json.axes.messages.kept).toBeGreaterThan(0);
  expect(json.declared.messages).toBeTypeOf("string");
  expect(files(cwd)).toEqual({});
});

test("a bundle goes out, is verified, and comes back byte for byte", async () => {
  const { run, store, files, cwd } = place();
  const path = store("codex", "tools");
  const original = Object.entries(files(path)).filter(([name]) => name.endsWith(".jsonl"));
  expect(await run(["export", path, "--out", "x.asp"])).toMatchObject({ code: 0, err: "" });
  expect((await run(["x.asp"])).out).toMatch(/^Portable bundle/);
  expect(await run(["verify", "x.asp"])).toMatchObject({ code: 0, out: expect.stringContaining("holds") });
  expect(await run(["import", "x.asp", "--to", "codex"])).toMatchObject({ code: 0, err: "" });
  const back = Object.entries(files(join(cwd, "asp-out/codex"))).filter(([name]) => name.endsWith(".jsonl"));
  expect(back).toEqual(original);
  expect((await run(["import", "x.asp", "--to", "codex"])).out).toContain("nothing to do");
  expect(await run(["import", "x.asp", "--to", "claude"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("claude --resume"),
  });
});

describe("verify", () => {
  test("finds a changed and a missing file, and a session that went on", async () => {
    const { run, store, files, cwd } = place();
    await run([store("claude", "tools"), "--to", "codex"]);
    const out = join(cwd, "asp-out/codex");
    expect(await run(["verify", out])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/(\d+) of \1 are as written/),
    });
    const name = Object.keys(files(out)).find((file) => transcript.test(file)) ?? "";
    const text = readFileSync(join(out, name), "utf8");
    writeFileSync(join(out, name), `${text}${text.slice(0, text.indexOf("\n") + 1)}`);
    expect(await run(["verify", out])).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 went on since"),
    });
    writeFileSync(join(out, name), text.replace("e", "E"));
    expect(await run(["verify", out])).toMatchObject({ code: 1, out: expect.stringContaining("changed: ") });
    const json = JSON.parse((await run(["verify", out, "--json"])).out);
    expect(json.verified[0]).toMatchObject({ ok: false, harness: "codex" });
  });

  test("finds a bundle that was tampered with", async () => {
    const { run, store, files, cwd } = place();
    await run(["export", store("codex", "text"), "--out", "x.asp"]);
    const blob =
      Object.keys(files(cwd)).find((name) => name.includes("/blobs/") && !name.endsWith("/")) ?? "";
    writeFileSync(join(cwd, blob), readFileSync(join(cwd, blob), "utf8").replace("e", "E"));
    expect(await run(["verify", "x.asp"])).toMatchObject({ code: 1, out: expect.stringContaining("sha256") });
  });
});

describe("list", () => {
  test("lists every store on the machine, the newest first, filtered", async () => {
    const { run, store } = place();
    const env = { CLAUDE_CONFIG_DIR: store("claude", "titled"), CODEX_HOME: store("codex", "forked") };
    const all = await run(["list"], { env });
    expect(all.out).toMatch(/^harness +id +title +cwd +last activity +messages +size\n/);
    expect(all.err).toMatch(/^3 sessions in /);
    const lines = (await run(["list", "--json"], { env })).out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ harness }) => harness).sort()).toEqual(["claude", "codex", "codex"]);
    const times = lines.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual([...times].sort().reverse());
    const count = async (...args: string[]) =>
      (await run(["list", "--json", ...args], { env })).out.split("\n").filter((line) => line !== "").length;
    expect(await count("--harness", "codex")).toBe(2);
    expect(await count("--cwd", "/home/dev")).toBe(3);
    expect(await count("--cwd", "/home/de")).toBe(0);
    expect(await count("--since", "2026-01-01")).toBe(3);
    expect(await count("--since", "2099-01-01")).toBe(0);
    expect(await count("--grep", lines[0].id.slice(0, 13))).toBeGreaterThan(0);
    expect(await count("--grep", "no such title")).toBe(0);
  });

  test("a session of a database is found by the path that is given for it", async () => {
    const { run, store } = place();
    const [listed] = (await run(["list", "--json", store("opencode", "fork")])).out.trimEnd().split("\n");
    const { path, id } = JSON.parse(listed ?? "");
    expect(path).toMatch(/opencode\.db\/ses_\w+\.jsonl$/);
    expect((await run(["describe", path])).out).toMatch(/^ +sessions +1 \(/m);
    const { out } = await run(["compare", path, "--to", "codex", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ from: { path }, sessions: [{ id }] });
    expect(await run(["convert", `${path}x`, "--to", "codex"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no sessions here"),
    });
  });

  test("on a machine without any store says where it looked", async () => {
    const { run } = place();
    expect(await run(["list"])).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("~/.claude"),
    });
  });

  test("takes patterns the shell did not expand", async () => {
    const { run, store } = place();
    store("codex", "text");
    const path = store("codex", "tools");
    const { out } = await run(["list", "--json", join(path, "../*")]);
    expect(out.trimEnd().split("\n")).toHaveLength(2);
  });
});

test("matrix: every axis, every harness, both directions", async () => {
  const { run } = place();
  const { out } = await run(["matrix"]);
  expect(out).toMatch(/^axis +claude read +claude write +codex read +codex write/);
  expect(out).toMatch(/^messages +kept +kept +kept +kept/m);
  expect(out).toMatch(/copilot\* read[\s\S]*^\* GitHub Copilot CLI is experimental: /m);
  // What a program has and its converter does not read looks not as if there were nothing.
  expect(out).toContain("– of Cline, GitHub Copilot CLI: there may be settings; not read");
  expect((await run(["matrix", "--markdown"])).out).toMatch(/^\| axis \| claude read \|/);
  const { matrix } = JSON.parse((await run(["matrix", "--json"])).out);
  const { plugins } = JSON.parse((await run(["plugins", "--json"])).out);
  const readers = plugins.filter(({ readOnly }: { readOnly?: string }) => readOnly !== undefined);
  expect(readers.length).toBeGreaterThan(0);
  expect(matrix).toHaveLength(plugins.length * 2 - readers.length);
});

test("schema: of each shape, and what --json gives fits it", async () => {
  const { run } = place();
  const names = (await run(["schema"])).out.trimEnd().split("\n");
  expect(names).toContain("report");
  expect(JSON.parse((await run(["schema", "report"])).out)).toMatchObject({
    type: "object",
    title: "report",
  });
  expect(Object.keys(JSON.parse((await run(["schema", "--json"])).out))).toEqual(names);
  expect(await run(["schema", "raport"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("did you mean report"),
  });
});

test("plugins: the converters at hand", async () => {
  const { run } = place();
  const { plugins } = JSON.parse((await run(["plugins", "--json"])).out);
  expect(plugins.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(["claude", "codex"]));
  expect((await run(["plugins"])).out).toContain("~/.claude");
});

describe("help", () => {
  test("bare, outside a terminal, is help; every command named there has its own", async () => {
    const { run } = place();
    const { code, out, err } = await run([]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect((await run(["--help"])).out).toBe(out);
    const names = [...(out.split("Commands\n")[1] ?? "").matchAll(/^ {2}([a-z]+) /gm)].map(
      ([, name]) => name as string,
    );
    expect(names).toEqual([
      ...[
        "describe",
        "list",
        "convert",
        "compare",
        "view",
        "export",
        "import",
        "batch",
        "verify",
        "undo",
        "capture",
        "serve",
        "switch",
        "lineage",
        "log",
        "matrix",
        "schema",
        "new",
        "doctor",
        "plugins",
        "completion",
      ],
    ]);
    for (const name of names) {
      const own = await run([name, "--help"]);
      expect(own).toMatchObject({ code: 0, err: "" });
      expect(own.out).toContain(`Usage: asp-convert ${name}`);
      expect((await run(["help", name])).out).toBe(own.out);
    }
  });
});

describe("standard input", () => {
  const lone = (at: ReturnType<typeof place>, harness: "claude" | "codex") => {
    const folder = at.store(harness, "tools");
    const name = Object.keys(at.files(folder)).find((file) => file.endsWith(".jsonl")) ?? "";
    return readFileSync(join(folder, name), "utf8");
  };

  test("a session piped in is converted, and the copy of it is gone afterwards", async () => {
    const at = place();
    const env = { TMPDIR: at.home };
    const input = lone(at, "claude");
    expect((await at.run(["-"], { input, env })).out).toMatch(/^Claude Code {3}-/);
    const { code, out } = await at.run(["-", "--to", "codex", "--json"], { input, env });
    expect(code).toBe(0);
    expect(JSON.parse(out).sessions).toHaveLength(1);
    expect(Object.keys(at.files(at.home)).filter((name) => name.startsWith("asp-spool"))).toEqual([]);
  });

  test("one of Codex for Codex gets the place and the name that Codex looks for", async () => {
    const at = place();
    const input = lone(at, "codex");
    await at.run(["-", "--to", "codex"], { input });
    const [written = ""] = Object.keys(at.files(at.cwd)).filter((name) => name.endsWith(".jsonl"));
    expect(written).toMatch(
      /^asp-out\/codex\/sessions\/2026\/11\/30\/rollout-2026-11-30T19-09-48-01a22ddd-.*\.jsonl$/,
    );
    expect(readFileSync(join(at.cwd, written), "utf8")).toBe(input);
  });

  test("an empty one is said to be empty", async () => {
    expect(await place().run(["-", "--to", "codex"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("standard input is empty"),
    });
  });
});
