import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { codexStore } from "../../bench/generate.ts";
import { asUser, type Place, place, root } from "./run.js";

/** Runs a command that must fail: with this code, these words, no stack, nothing on stdout, nothing left behind. */
async function fails(
  at: Place,
  args: readonly string[],
  code: number,
  words: RegExp,
  options: Parameters<Place["run"]>[1] = {},
): Promise<string> {
  const before = leftovers(at);
  const result = await at.run(args, options);
  expect(result).toMatchObject({ code, out: "" });
  expect(result.err).toMatch(words);
  expect(result.err).not.toMatch(/^\s+at /m);
  expect(leftovers(at)).toEqual(before);
  return result.err;
}

/** All but our own memory of finished runs and its empty folders. */
function leftovers(at: Place): Record<string, string> {
  const entries = Object.entries(at.files()).filter(
    ([name]) => !/^home\/(\.local\/)?(state\/)?.*\/$/.test(name),
  );
  return Object.fromEntries(entries);
}

describe("a path that is none", () => {
  test("missing", async () => {
    await fails(
      place(),
      ["/no/such/store"],
      1,
      /\/no\/such\/store: there is nothing at this path\n.*asp-convert list/,
    );
    await fails(place(), ["convert", "nope", "--to", "codex"], 1, /nope: there is nothing/);
  });

  test("a mistyped command is not taken for a path", async () => {
    await fails(place(), ["lst"], 2, /neither a command nor a path.*\n.*Did you mean `asp-convert list`/);
  });

  test("something else", async () => {
    const at = place();
    await fails(at, [at.cwd], 1, /nothing here is known.*claude, codex/);
    writeFileSync(join(at.cwd, "notes.txt"), "just words");
    await fails(at, ["notes.txt", "--to", "codex"], 1, /notes\.txt: nothing here is known\. It is a text\./);
    writeFileSync(join(at.cwd, "log.jsonl"), '{"foo":1,"bar":2}\n');
    await fails(at, ["log.jsonl"], 1, /It is JSON, and its first record has "foo", "bar"\./);
    const database = new DatabaseSync(join(at.cwd, "mine.db"));
    database.exec("CREATE TABLE notes (text)");
    database.close();
    await fails(at, ["mine.db"], 1, /It is an SQLite database with the tables "notes"\./);
  });

  test("a store without sessions", async () => {
    const at = place();
    await fails(
      at,
      [at.store("claude", "mcp-config"), "--to", "codex", "--kinds", "sessions"],
      1,
      /no sessions here/,
    );
  });

  test("no such session", async () => {
    const at = place();
    const path = at.store("claude", "tools");
    await fails(at, [path, "--to", "codex", "--session", "zzz"], 1, /no session "zzz" among 1 session/);
  });

  test("a store where a bundle is wanted", async () => {
    const at = place();
    await fails(at, ["import", at.store("codex", "text"), "--to", "claude"], 1, /not a bundle\n.*convert/);
  });
});

describe("the wrong harness", () => {
  test("an unknown one is named, with the nearest", async () => {
    const at = place();
    const path = at.store("claude", "tools");
    await fails(at, [path, "--to", "codx"], 2, /no converter is called "codx": did you mean codex/);
    await fails(at, [path, "--from", "klaude"], 2, /no converter is called "klaude"/);
  });

  test("--from that does not fit finds nothing, and leaves nothing", async () => {
    const at = place();
    await fails(
      at,
      [at.store("claude", "tools"), "--from", "codex", "--to", "claude"],
      1,
      /nothing of Codex CLI is here; it looks like Claude Code\n.*--from claude/,
    );
  });

  test("a folder that could be of two is a tie that names both, and --from decides", async () => {
    const at = place();
    const both = join(at.cwd, "both");
    cpSync(at.store("claude", "tools"), both, { recursive: true });
    cpSync(at.store("codex", "archived"), both, { recursive: true });
    const err = await fails(at, [both], 2, /could be claude or codex/);
    expect(err).toContain("--from claude or --from codex");
    expect((await at.run([both, "--from", "codex"])).out).toMatch(/^Codex CLI/);
  });
});

describe("what may not be read or written", () => {
  test("an unreadable session", async () => {
    const at = place();
    const path = at.store("claude", "tools");
    const [project = ""] = readdirSync(join(path, "projects"));
    const [name = ""] = readdirSync(join(path, "projects", project));
    const file = join(path, "projects", project, name);
    const { shell, before } = { shell: asUser, before: readFileSync(file) };
    chmodSync(file, 0o000);
    const result = await at.run([path, "--to", "codex"], { shell });
    expect(result).toMatchObject({ code: 1, out: "" });
    expect(result.err).toMatch(/may not be read \(permission denied\)/);
    expect(readdirSync(at.cwd)).toEqual([]);
    chmodSync(file, 0o600);
    expect(readFileSync(file)).toEqual(before);
  });

  test("an unreadable store", async () => {
    const at = place();
    const path = at.store("codex", "text");
    chmodSync(path, 0o000);
    const { code, err } = await at.run([path], { shell: asUser });
    chmodSync(path, 0o700);
    expect(code).toBe(1);
    expect(err).toMatch(/may not be read/);
  });

  test("a read-only target", async () => {
    const at = place();
    const path = at.store("claude", "tools");
    mkdirSync(join(at.cwd, "locked"));
    chmodSync(join(at.cwd, "locked"), 0o555);
    await fails(at, [path, "--to", "codex", "--out", "locked/there"], 1, /locked.*may not be written/, {
      shell: asUser,
    });
  });

  test("a target that is a file", async () => {
    const at = place();
    writeFileSync(join(at.cwd, "taken"), "mine");
    await fails(at, [at.store("claude", "tools"), "--to", "codex", "--out", "taken"], 1, /taken/);
    expect(readFileSync(join(at.cwd, "taken"), "utf8")).toBe("mine");
  });

  test("a target that has this very session with other content gets a copy, and nothing is overwritten", async () => {
    const at = place();
    const path = at.store("claude", "tools");
    const first = JSON.parse((await at.run([path, "--to", "codex", "--json"])).out);
    const [file] = first.sessions[0].files as [string];
    writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
    const kept = readFileSync(file);
    const again = await at.run([path, "--to", "codex"]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("under a new id") });
    expect(readFileSync(file)).toEqual(kept);
  });

  test("no space", async () => {
    const at = place();
    const path = at.store("claude", "large-result");
    const shell = 'ulimit -f 8; exec "$@"'; // blocks of 512 or 1,024 bytes, by shell: the session is larger
    await fails(at, [path, "--to", "codex"], 1, /larger than this disk allows|no space/, { shell });
  });

  test("no space, really: a full file system", async ({ skip }) => {
    const at = place();
    const disk = join(at.cwd, "disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      skip("only root may mount a small file system");
    }
    try {
      const { store } = codexStore(join(at.home, "big"), 2_000_000);
      await fails(at, [store, "--to", "claude", "--out", "disk/there"], 1, /no space is left/);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

test("a truncated session is converted as far as it goes, and what is lost is said", async () => {
  const at = place();
  const path = at.store("claude", "tools");
  const [project = ""] = readdirSync(join(path, "projects"));
  const [name = ""] = readdirSync(join(path, "projects", project));
  const file = join(path, "projects", project, name);
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 40));
  const { code, out } = await at.run([path, "--to", "codex", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out).losses).toContainEqual(
    expect.objectContaining({ axis: "raw", reason: "torn-tail" }),
  );
  expect(readFileSync(file).length).toBe(whole.length - 40);
});

describe("a forbidden loss", () => {
  test("exit code 3, nothing written, named on stderr and in the JSON", async () => {
    const at = place();
    const path = at.store("claude", "compacted");
    await fails(
      at,
      [path, "--to", "codex", "--loss", "error"],
      3,
      /nothing was written: these losses are not allowed/,
    );
    const { code, out } = await at.run([path, "--to", "codex", "--loss", "error", "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ asp: 1, error: { code: "forbidden-loss" } });
    expect(readdirSync(at.cwd)).toEqual([]);
  });

  test("one that does not happen forbids nothing", async () => {
    const at = place();
    expect(
      (await at.run([at.store("claude", "tools"), "--to", "codex", "--fail-on", "dropped:images"])).code,
    ).toBe(0);
  });
});

describe("wrong usage is exit code 2", () => {
  test.each([
    [["convert", "--to", "codex"], /missing required argument 'path'/],
    [["convert", "x"], /required option '--to <id>'/],
    [["convert", "x", "--to", "codex", "--out", "y", "--install"], /cannot be used with/],
    [["convert", "x", "--to", "codex", "--lates"], /unknown option '--lates'.*Did you mean --latest/],
    [["x", "--to", "codex", "--latest", "--all"], /cannot be used with/],
    [["x", "--install"], /--install is for a conversion, and there is no --to/],
    [["list", "--since", "tomorrowish"], /Say 12h, 7d/],
    [["list", "--grep", "("], /grep/],
    [["--plain"], /no terminal to pick a session on/],
    [["completion", "tcsh"], /nothing for the shell "tcsh"/],
    [["covert", "x"], /"covert" is neither a command nor a path.*\n.*asp-convert convert/],
    [["--session", "a", "x", "--to", "codex"], /follows --session is all taken for it\n.*path first/],
    [["x", "--cwd", ""], /empty/],
    [["convert", "x", "--to", "codex", "--fail-on", "gone:thinking"], /"gone" is no level/],
  ] as const)("%s", async (args, words) => {
    await fails(place(), args, 2, words);
  });

  test("an axis or a kind that there is not", async () => {
    const at = place();
    const path = at.store("claude", "tools");
    await fails(at, [path, "--to", "codex", "--fail-on", "dropped:thoughts"], 2, /no axis "thoughts"/);
    await fails(at, [path, "--to", "codex", "--kinds", "sessions,dreams"], 2, /no kind "dreams"/);
  });
});

test("with --json an error is one JSON document too", async () => {
  const { code, out, err } = await place().run(["/no/such", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ asp: 1, error: { code: "missing", path: "/no/such" } });
  expect(err).toContain("/no/such");
});

test("a stack is shown only to who asks for it", async () => {
  const { err } = await place().run(["/no/such"], { env: { ASP_DEBUG: "1" } });
  expect(err).toMatch(/^\s+at /m);
});

describe("pipes", () => {
  test("a reader that leaves is no error", async () => {
    const at = place();
    const env = { CODEX_HOME: at.store("codex", "forked") };
    const { err } = await at.run(["list", "--json"], { env, shell: '"$@" | head -c 1 >/dev/null; exit 0' });
    expect(err).toBe("");
  });

  test("a full disk behind stdout is one", async ({ skip }) => {
    if (process.platform !== "linux") skip("/dev/full is Linux's");
    const { code, err } = await place().run(["schema", "--json"], { shell: 'exec "$@" >/dev/full' });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("could not write to standard output"),
    });
  });

  test("a long answer is whole when the reader is slow", async () => {
    const { out } = await place().run(["schema", "--json"], { shell: '"$@" | (sleep 0.3; cat)' });
    expect(out.length).toBeGreaterThan(70_000);
    expect(() => JSON.parse(out)).not.toThrow();
  });
});

test("what a title holds cannot steer the terminal", async () => {
  const at = place();
  const path = at.store("claude", "plain");
  const [project = ""] = readdirSync(join(path, "projects"));
  const [name = ""] = readdirSync(join(path, "projects", project));
  const title = {
    type: "custom-title",
    customTitle: "\u001b[2J\u001b]0;owned\u0007evil\u202etxt",
    sessionId: name.replace(".jsonl", ""),
  };
  const file = join(path, "projects", project, name);
  writeFileSync(file, `${readFileSync(file, "utf8")}${JSON.stringify(title)}\n`);
  for (const args of [[path], ["list", path], [path, "--to", "codex"]]) {
    const { out, err } = await at.run(args);
    expect(out + err).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  }
  expect((await at.run(["list", path])).out).toContain("eviltxt");
});

test("nor can what JSON holds", async () => {
  const at = place();
  const path = at.store("claude", "plain");
  const [project = ""] = readdirSync(join(path, "projects"));
  const [name = ""] = readdirSync(join(path, "projects", project));
  const file = join(path, "projects", project, name);
  const customTitle = "\u009b2Jred\u202etxt";
  writeFileSync(
    file,
    `${readFileSync(file, "utf8")}${JSON.stringify({ type: "custom-title", customTitle, sessionId: name.replace(".jsonl", "") })}\n`,
  );
  for (const args of [
    ["list", path, "--json"],
    [path, "--json"],
    [path, "--to", "codex", "--json"],
  ]) {
    const { out } = await at.run(args);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(out).toContain("\\u009b2Jred\\u202etxt");
  }
});

test("fixtures are where these tests think", () => {
  expect(readdirSync(join(root, "fixtures"))).toEqual(expect.arrayContaining(["claude", "codex"]));
});
