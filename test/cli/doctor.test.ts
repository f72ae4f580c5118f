/** `doctor`: what is here, what is wrong, what to do. */
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { asUser, type Place, place, type RunOptions } from "./run.js";
import { say } from "./said.js";

interface Found {
  node: { version: string };
  programs: {
    id: string;
    at?: string;
    version?: string;
    verified: string[];
    stores: { root: string; sessions: number; unreadable: unknown[] }[];
  }[];
  state: Record<string, unknown>;
  problems: { level: string; about: string; text: string; next: string }[];
}

async function doctor(at: Place, code: number, options: RunOptions = {}): Promise<Found> {
  const { out, err, code: was } = await at.run(["doctor", "--json"], options);
  expect(was, err + out).toBe(code);
  return JSON.parse(out) as Found;
}

/** A program of that name on the PATH, as npm puts it there. */
function install(at: Place, name: string, version: string): RunOptions {
  const folder = join(at.home, "lib/node_modules", name);
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, version, bin: { [name]: "bin/cli.js" } }),
  );
  writeFileSync(join(folder, "bin/cli.js"), "#!/bin/sh\nexit 3\n");
  chmodSync(join(folder, "bin/cli.js"), 0o755);
  mkdirSync(join(at.home, "bin"), { recursive: true });
  symlinkSync(join(folder, "bin/cli.js"), join(at.home, "bin", name));
  return { env: { PATH: `${join(at.home, "bin")}:/usr/bin:/bin` } };
}

it("says what is here, and that nothing is wrong", async () => {
  const at = place();
  say(at, "the flux capacitor");
  await at.run(["list", "--grep", "flux"]);
  const found = await doctor(at, 0, install(at, "codex", "0.1.0"));
  const program = (id: string) => found.programs.find((each) => each.id === id);
  expect(found.node.version).toBe(process.versions.node);
  expect(program("claude")?.stores).toEqual([
    { root: join(at.home, ".claude"), sessions: 1, unreadable: [] },
  ]);
  expect(program("claude")).not.toHaveProperty("at");
  expect(program("codex")).toMatchObject({ at: join(at.home, "bin/codex"), version: "0.1.0", stores: [] });
  expect(program("codex")?.verified.length).toBeGreaterThan(0);
  expect(found.state).toMatchObject({ receipts: 0, unfinished: 0, locks: 0, index: 1 });
  expect(found.problems).toEqual([]);
  expect((await at.run(["doctor"])).out).toMatch(
    /Claude Code .*~\/\.claude \(1 session\)[\s\S]*nothing is wrong/,
  );
});

it("names a version that nobody tried: a note, no fault", async () => {
  const at = place();
  const { problems } = await doctor(at, 0, install(at, "codex", "999.0.0"));
  expect(problems).toEqual([
    expect.objectContaining({
      level: "note",
      about: "Codex CLI",
      text: expect.stringContaining("999.0.0 is newer"),
    }),
  ]);
});

it("asks a program that no package tells of, and no more than that", async () => {
  const at = place();
  const options = install(at, "codex", "0");
  writeFileSync(join(at.home, "lib/node_modules/codex/package.json"), "{}");
  writeFileSync(
    join(at.home, "lib/node_modules/codex/bin/cli.js"),
    '#!/bin/sh\n[ "$*" = --version ] && echo "codex-cli 0.12.3-alpha"\n',
  );
  const { programs } = await doctor(at, 0, options);
  expect(programs.find(({ id }) => id === "codex")?.version).toBe("0.12.3-alpha");
});

it("finds what is damaged or was left behind, and says what to do", async () => {
  const at = place();
  const path = say(at, "the flux capacitor");
  const out = await at.run(["convert", path, "--to", "codex", "--install"]);
  expect(out.code, out.err).toBe(0);
  const state = join(at.home, ".local/state/asp-convert");
  expect((await doctor(at, 0)).state).toMatchObject({ receipts: 1, log: 1 });

  await at.run(["list", "--grep", "flux"]);
  writeFileSync(join(state, "search/index.db"), "no database ".repeat(1000));
  const id = "2026-12-01T11-14-04Z-16c0";
  mkdirSync(join(state, "running", id), { recursive: true });
  const mark = { pid: 2 ** 22 - 1, start: "long ago", host: hostname() };
  writeFileSync(
    join(state, "running", id, "journal.ndjson"),
    `${JSON.stringify({ t: "open", version: 1, id, createdAt: "2026-12-01T11:14:04Z", roots: ["/nowhere"], what: "Codex CLI, 1 session", ...mark })}\n`,
  );
  writeFileSync(join(state, "locks", "dead.lock"), JSON.stringify({ ...mark, nonce: "n", root: "/nowhere" }));
  const blobs = join(state, "log/blobs");
  cpSync(blobs, `${blobs}-away`, { recursive: true });
  const { execFileSync } = await import("node:child_process");
  execFileSync("find", [blobs, "-type", "f", "-exec", "truncate", "-s", "3", "{}", ";"]);
  const { problems } = await doctor(at, 1);
  expect(problems.map(({ level, about }) => [level, about])).toEqual([
    ["problem", id],
    ["note", join(state, "locks/dead.lock")],
    ["problem", "log"],
    ["problem", "index"],
  ]);
  for (const { next } of problems) expect(next).not.toBe("");
});

it("names what of a store cannot be read", async () => {
  const at = place();
  const path = say(at, "the flux capacitor");
  say(at, "another", { folder: "-else" });
  chmodSync(dirname(path), 0);
  const { programs, problems } = await doctor(at, 1, { shell: asUser });
  chmodSync(dirname(path), 0o755);
  expect(programs.find(({ id }) => id === "claude")?.stores[0]).toMatchObject({ sessions: 1 });
  expect(problems).toEqual([
    expect.objectContaining({
      level: "problem",
      about: "Claude Code",
      text: expect.stringContaining(dirname(path)),
    }),
  ]);
});
