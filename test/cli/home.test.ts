/** A folder in which several programs keep their stores, as in a home folder: each of them is found in it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place, root } from "./run.js";

const TARGET = "claude";

/** A copy of a home folder; `of` the stores in it. */
function homeWith(of: readonly (readonly [fixture: string, store: string, place: string])[]) {
  const at = place();
  for (const [fixture, store, below] of of)
    cpSync(join(root, "fixtures", fixture, store), join(at.cwd, "copy", below), { recursive: true });
  return at;
}

const pi = ["pi/tools", "home/.pi/agent", ".pi/agent"] as const;
const opencode = ["opencode/tools", "home/.local/share/opencode", ".local/share/opencode"] as const;
const codex = ["codex/text", "codex-home", ".codex"] as const;

test("with one store it is that store", async () => {
  const { run } = homeWith([pi]);
  const { code, out } = await run(["describe", "copy"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Pi {3}\.\/copy\/\.pi\/agent\n {2}sessions +1 /);
  expect((await run(["copy", "--to", TARGET])).out).toMatch(/^Pi → Claude Code +1 session/);
});

test("with several, all of them are described and listed", async () => {
  const { run } = homeWith([pi, opencode, codex]);
  const { out } = await run(["describe", "copy"]);
  expect(out.match(/^\w.* {3}\.\/copy\/\S+/gm)).toEqual([
    "Codex CLI   ./copy/.codex",
    "OpenCode   ./copy/.local/share/opencode",
    "Pi   ./copy/.pi/agent",
  ]);
  const { stores } = JSON.parse((await run(["describe", "copy", "--json"])).out) as {
    stores: { harness: string; kinds: { sessions: { count: number } } }[];
  };
  expect(stores.map(({ harness, kinds }) => [harness, kinds.sessions.count])).toEqual([
    ["codex", 1],
    ["opencode", 1],
    ["pi", 1],
  ]);
  const listed = (await run(["list", "copy", "--json"])).out.trim().split("\n");
  expect(listed.map((line) => (JSON.parse(line) as { harness: string }).harness).sort()).toEqual([
    "codex",
    "opencode",
    "pi",
  ]);
  expect((await run(["list", "copy", "--harness", "pi", "--json"])).out.trim().split("\n")).toHaveLength(1);
});

test("with several, a conversion asks which, and takes the one it is told or the only one that is left", async () => {
  const { run } = homeWith([pi, codex]);
  const { code, err } = await run(["copy", "--to", TARGET]);
  expect(code).toBe(2);
  expect(err).toMatch(/\.codex \(Codex CLI\), .*\.pi\/agent \(Pi\)\. Name one of them/);
  expect((await run(["copy", "--to", TARGET, "--from", "pi"])).out).toMatch(/^Pi → Claude Code/);
  expect((await run(["copy", "--to", "codex"])).out).toMatch(/^Pi → Codex CLI/);
});

test("a person's own home with every program in it: `list` has each session of each, as its store alone has it", async () => {
  const { run, home, cwd } = place();
  const programs = [
    ["claude", "titled", "config", ".claude"],
    ["codex", "forked", "codex-home", ".codex"],
    ["opencode", "fork", "home", ""],
    ["kilo", "basic", "home", ""],
    ["pi", "named", "home", ""],
    ...["cline", "copilot", "droid", "gemini", "kimi", "qwen"].map(
      (id) => [id, "subagent", "home", ""] as const,
    ),
  ] as const;
  const listed = async (...args: string[]) => {
    const { code, out } = await run(["list", "--json", ...args]);
    expect(code).toBe(0);
    const lines = out.trim().split("\n");
    return lines.map((line) => {
      const { harness, id, title, updatedAt, messages } = JSON.parse(line) as Record<string, unknown>;
      return { harness, id, title, updatedAt, messages };
    });
  };
  const alone: Awaited<ReturnType<typeof listed>> = [];
  for (const [program, name, store, below] of programs) {
    const from = join(root, "fixtures", program, name, store);
    cpSync(from, join(home, below), { recursive: true });
    cpSync(from, join(cwd, program, below), { recursive: true });
    const found = await listed(join(cwd, program));
    expect(new Set(found.map(({ harness }) => harness))).toEqual(new Set([program]));
    alone.push(...found);
  }
  const time = ({ updatedAt }: { updatedAt: unknown }) => String(updatedAt);
  const all = await listed();
  expect(all.map(time)).toEqual(all.map(time).sort().reverse());
  const byId = (one: { id: unknown }, other: { id: unknown }) =>
    String(one.id).localeCompare(String(other.id));
  expect(all.sort(byId)).toEqual(alone.sort(byId));
});
