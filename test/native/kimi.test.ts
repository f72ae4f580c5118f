/**
 * Kimi Code for real: a session that was made for it is in its list by name and time, also in a store that has lists of
 * its own; and Claude Code's scene is in what its model is sent. By `ASP_NATIVE=kimi` (or `all`): it takes its time.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what Kimi Code takes as it is
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomsOf, findProgram, startKimi, tellKimi } from "@asp-convert/conformance/native";
import { convert, diskSource, type SessionRef } from "@asp-convert/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixturesRoot, harnesses } from "../harnesses.js";
import { ARRIVES, claudeScene, HIDDEN, type Scene } from "./claude-scene.js";
import { nativeIds } from "./natives.js";

describe.runIf(nativeIds.includes("kimi"))("Kimi Code", () => {
  let scene: Scene;
  let folder = "";
  beforeAll(async () => {
    await findProgram("kimi");
    scene = await claudeScene("kimi", "kimi");
    folder = await realpath(await mkdtemp(join(tmpdir(), "asp-kimi-test-")));
  }, 600_000);
  afterAll(async () => {
    scene?.world.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test("lists what was made for it beside its own, by its name and its time", async () => {
    const root = join(folder, "store");
    await cp(join(fixturesRoot, "kimi/long-chat", harnesses.kimi.store), root, { recursive: true });
    const { converter, store: inside } = harnesses.claude;
    const environment = {
      env: { ASP_HOME: join(folder, "asp") },
      home: folder,
      platform: process.platform,
      cwd: folder,
    };
    const from = await converter.open(join(fixturesRoot, "claude/titled", inside), diskSource, environment);
    const refs: SessionRef[] = await Array.fromAsync(
      converter.sessions.list(from, { source: diskSource, environment }),
    );
    const made = await convert({
      ...{ from: converter, store: from, refs, to: harnesses.kimi.converter, root, environment },
      ...{ source: diskSource, installed: false, cwd: folder },
    });
    const { stdout } = await tellKimi({ store: root, cwd: folder }, "session", "list", "--json", "--all");
    const listed = JSON.parse(stdout) as { id: string; title: string; workDir: string; updatedAt: number }[];
    expect(listed.find(({ id }) => id === made.sessions[0]?.newId)).toMatchObject({
      title: refs[0]?.title,
      workDir: folder,
      updatedAt: Date.parse(refs[0]?.updatedAt ?? ""),
    });
    expect(listed.map(({ title }) => title)).toEqual(
      expect.arrayContaining(["My lab title", "Fork: My lab title"]),
    );
  });

  test("what stays behind is named", () => {
    expect(scene.left).toEqual(["/say", "deny mcp__my_demo__secret"]);
  });

  test("the request holds the instructions and the skills, and the server's tool is called by its name", async () => {
    const call = { type: "call", name: "mcp__my-demo__echo", input: { text: "hi" } } as const;
    const store = { store: scene.world.path("kimi"), cwd: scene.app };
    const { requests, exitCode, stderr } = await startKimi({ ...store, turns: [{ blocks: [call] }, "done"] });
    expect(exitCode, stderr).toBe(0);
    const request = JSON.stringify(requests[0]?.body ?? {});
    for (const text of ARRIVES) expect(request).toContain(text);
    expect(request).not.toContain(HIDDEN);
    expect(request).toContain("TOOL-echo");
    // A variable inside a value stays as it is written: that was told.
    expect(atomsOf(requests.at(-1)?.body ?? {}).findLast(({ kind }) => kind === "result")?.text).toContain(
      "ECHOED hi $!5 ${DEMO_TOKEN}",
    );
  });
});
