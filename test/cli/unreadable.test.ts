/** One thing in a store that cannot be read is named with its reason, and hides nothing else. */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { asUser, type Place, place } from "./run.js";

interface Bad {
  store: string;
  /** Readable. */
  good: string;
  /** Absolute: not readable, and why. */
  bad: readonly (readonly [string, RegExp])[];
}

/** A captured store with a closed file, a closed folder, a pipe, a folder and a dead link by names of sessions. */
function claude(at: Place): Bad {
  const store = at.store("claude", "tools");
  const [name = ""] = readdirSync(join(store, "projects"));
  const folder = join(store, "projects", name);
  const [session = ""] = readdirSync(folder).filter((each) => each.endsWith(".jsonl"));
  const shut = join(store, "projects", "-shut");
  mkdirSync(shut);
  return {
    store,
    good: session.replace(".jsonl", ""),
    bad: [...oddities(folder, session, (digit) => `${digit}${session.slice(1)}`), close(shut)],
  };
}

function codex(at: Place): Bad {
  const store = at.store("codex", "text");
  let folder = join(store, "sessions");
  for (let depth = 0; depth < 3; depth++) folder = join(folder, readdirSync(folder)[0] ?? "");
  const [session = ""] = readdirSync(folder);
  const shut = join(store, "sessions", "1999");
  mkdirSync(shut);
  const other = (digit: string) => session.replace(/.\.jsonl/, `${digit}.jsonl`);
  const good = /(.{36})\.jsonl/.exec(session)?.[1] ?? "";
  return { store, good, bad: [...oddities(folder, session, other), close(shut)] };
}

function oddities(folder: string, like: string, named: (digit: string) => string): Bad["bad"] {
  const free = [..."0123456789abcdef"].map(named).filter((name) => name !== like);
  const [file = "", pipe = "", directory = "", link = ""] = free.map((name) => join(folder, name));
  copyFileSync(join(folder, like), file);
  execFileSync("mkfifo", [pipe]);
  mkdirSync(directory);
  symlinkSync(join(folder, "nowhere"), link);
  return [close(file), [pipe, /a pipe/], [directory, /is a folder/], [link, /leads nowhere/]];
}

function close(path: string): readonly [string, RegExp] {
  chmodSync(path, 0o000);
  return [path, /permission denied/];
}

describe.each([
  ["claude", "codex", claude],
  ["codex", "claude", codex],
] as const)("%s", (_, to, make) => {
  const world = () => {
    const at = place();
    const made = make(at);
    const run = (...args: string[]) => at.run(args, { shell: asUser });
    const named = (err: string) => {
      for (const [path, why] of made.bad) {
        const line = err.split("\n").find((each) => each.includes(basename(path)));
        expect(line).toMatch(why);
      }
    };
    return { at, ...made, run, named };
  };

  test("list has the rest", async () => {
    const { store, good, bad, run, named } = world();
    const { code, out, err } = await run("list", store);
    expect(code).toBe(0);
    expect(out).toContain(good);
    named(err);
    const lines = (await run("list", store, "--json")).out.trim().split("\n");
    const read = lines.map((line) => JSON.parse(line) as { id?: string; path: string; unreadable?: string });
    expect(read.flatMap(({ id }) => id ?? [])).toEqual([good]);
    const told = read.flatMap(({ path, unreadable }) => (unreadable === undefined ? [] : path));
    expect(told.sort()).toEqual(bad.map(([path]) => path).sort());
  });

  test("describe says what it cannot read and why", async () => {
    const { store, good, run, named } = world();
    const { code, out } = await run(store);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(good) });
    named(out);
    const { unreadable } = JSON.parse((await run(store, "--json")).out);
    named(
      unreadable.map((each: { path: string; reason: string }) => Object.values(each).join(": ")).join("\n"),
    );
  });

  test("all of it is converted but what cannot be read: partly done", async () => {
    const { store, good, bad, run, named } = world();
    const { code, out, err } = await run(store, "--to", to, "--all", "--json");
    expect(code).toBe(4);
    named(err);
    const report = JSON.parse(out);
    expect(report.sessions.map(({ id }: { id: string }) => id)).toEqual([good]);
    expect(report.unreadable).toHaveLength(bad.length);
  });

  test("the newest, or one by its id, is none the worse", async () => {
    const { store, good, run } = world();
    expect((await run(store, "--to", to, "--latest")).code).toBe(0);
    expect((await run(store, "--to", to, "--session", good, "--out", "one")).code).toBe(0);
  });

  test("the one that cannot be read fails with the reason, and leaves nothing", async () => {
    const { at, store, bad, run } = world();
    const [path = ""] = bad[0] ?? [];
    const id = /(.{36})\.jsonl/.exec(path)?.[1] ?? "";
    const { code, out, err } = await run(store, "--to", to, "--session", id);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/may not be read \(permission denied\)/);
    expect(err).toContain(basename(path));
    expect(readdirSync(at.cwd)).toEqual([]);
  });
});

describe("a store in which nobody has talked yet", () => {
  test("is known by what it is, or by where it is", async () => {
    const at = place();
    mkdirSync(join(at.cwd, "config", "projects"), { recursive: true });
    const described = await at.run(["config"]);
    expect(described).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Claude Code.*\n {2}sessions +0/),
    });
    expect(await at.run(["list", "config"])).toMatchObject({ code: 0, out: "" });
    mkdirSync(join(at.cwd, "empty"));
    const env = { CODEX_HOME: join(at.cwd, "empty") };
    expect(await at.run(["empty"], { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Codex CLI/),
    });
    expect((await at.run(["empty"])).code).toBe(1);
  });
});

test("of the other kinds too: what cannot be read is left by name, the rest comes along", async () => {
  const at = place();
  const store = at.store("claude", "tools");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), text);
    return join(store, path);
  };
  write("skills/good/SKILL.md", "---\nname: good\ndescription: d\n---\n");
  write("skills/half/SKILL.md", "---\nname: half\ndescription: d\n---\n");
  close(write("skills/half/run.sh", "#!/bin/sh\n"));
  close(write("CLAUDE.md", "Be kind.\n"));
  execFileSync("mkfifo", [join(store, "settings.json")]);
  const { code, out } = await at.run([store, "--to", "codex", "--all", "--json"], { shell: asUser });
  expect(code).toBe(0);
  const { items, losses } = JSON.parse(out);
  const of = (name: string) => items.find(({ item }: { item: string }) => item.endsWith(name));
  expect(of("good")).toMatchObject({ kind: "skills", outcome: "written" });
  expect(of("half")).toMatchObject({ kind: "skills", outcome: "left", reason: "unreadable" });
  expect(of("CLAUDE.md")).toMatchObject({ kind: "instructions", outcome: "left", reason: "unreadable" });
  expect(of("settings.json")).toMatchObject({ outcome: "left", note: expect.stringContaining("a pipe") });
  expect(losses).toContainEqual(expect.objectContaining({ axis: "skills", reason: "unreadable" }));
  const described = await at.run([store], { shell: asUser });
  expect(described.out).toMatch(/CLAUDE\.md: may not be read/);
});
