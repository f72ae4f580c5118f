/** Claude Code's scene in the real Gemini CLI, and in the real Qwen Code, which was made from it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomsOf, findProgram, startGemini, startQwen, tellGemini } from "@asp-convert/conformance/native";
import { convert, diskSource, type SessionRef } from "@asp-convert/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixturesRoot, harnesses } from "../harnesses.js";
import { makeWorld, move } from "../state/world.js";
import { ARRIVES, claudeScene, ECHOED, ENV, HIDDEN, type Scene } from "./claude-scene.js";
import { nativeIds } from "./natives.js";

const programs = [
  { kind: "gemini", start: startGemini, tool: "mcp_my-demo_echo", left: ["hidden-skill", "effort"] },
  { kind: "qwen", start: startQwen, tool: "mcp__my-demo__echo", left: [] },
] as const;

describe.each(programs)("$kind", ({ kind, start, tool, left }) => {
  /** Fetching the programs is too much for every run: `npm run test:native:all`. */
  const isWanted = nativeIds.includes(kind);
  let scene: Scene;
  let root = "";
  beforeAll(async () => {
    if (!isWanted) return;
    await findProgram(kind);
    scene = await claudeScene(kind, `there/.${kind}`);
    const { world, app } = scene;
    root = world.path(`there/.${kind}`);
    const notes = `claude/projects/${app.replace(/[^A-Za-z0-9]/g, "-")}/memory`;
    const files = {
      "claude/settings.json": { permissions: { defaultMode: "plan" } },
      [`${notes}/tabs.md`]: "---\nname: tabs\ndescription: NOTE-ON-TABS.\n---\nTabs, not spaces.\n",
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(world.path(name)), { recursive: true });
      writeFileSync(world.path(name), typeof content === "string" ? content : JSON.stringify(content));
    }
    const state = { kinds: ["memory", "settings"] as ("memory" | "settings")[] };
    await move(world, {
      from: "claude",
      store: world.path("claude"),
      to: kind,
      root,
      projects: [app],
      state,
    });
  }, 600_000);
  afterAll(() => scene?.world.remove());

  const options = () => ({ store: root, cwd: scene.app, env: ENV });
  const sentOf = (requests: readonly { body: object }[]) => JSON.stringify(requests.map(({ body }) => body));

  test.runIf(isWanted)("what stays behind is named", () => {
    expect(scene.left).toEqual([...left, "deny mcp__my_demo__secret"]);
  });

  test.runIf(isWanted)(
    "the model is sent the instructions, the skills, the notes and the tools",
    async () => {
      const { requests, exitCode, stderr } = await start(options());
      expect(exitCode, stderr).toBe(0);
      const sent = sentOf(requests);
      for (const text of [...ARRIVES, "NOTE-ON-TABS", "TOOL-echo"]) expect(sent).toContain(text);
      expect(sent).not.toContain(HIDDEN);
    },
  );

  test.runIf(isWanted)("the server's tool is called by its name with its variables", async () => {
    const call = { type: "call", name: tool, input: { text: "hi" } } as const;
    const { requests } = await start({ ...options(), turns: [{ blocks: [call] }, "done"] });
    const results = requests.flatMap(({ body }) => atomsOf(body)).filter((atom) => atom.kind === "result");
    expect(results.at(-1)?.text).toContain(ECHOED);
  });
});

describe.runIf(nativeIds.includes("gemini"))("Gemini CLI's own list", () => {
  test("shows a session that came in, by its title", async () => {
    const world = makeWorld();
    try {
      const app = world.path("app");
      mkdirSync(app);
      const store = world.path("there");
      const from = harnesses.claude;
      const source = join(fixturesRoot, "claude", "titled", from.store);
      const opened = await from.converter.open(source, diskSource, world.environment);
      const refs: SessionRef[] = [];
      for await (const ref of from.converter.sessions.list(opened, {
        source: diskSource,
        environment: world.environment,
      }))
        refs.push(ref);
      await convert({
        from: from.converter,
        store: opened,
        refs,
        to: harnesses.gemini.converter,
        root: store,
        environment: world.environment,
        source: diskSource,
        installed: false,
        cwd: app,
      });
      const { stdout, stderr, exitCode } = await tellGemini({ store, cwd: app }, "--list-sessions");
      expect(exitCode, stderr).toBe(0);
      expect(stdout + stderr).toContain("second name");
    } finally {
      world.remove();
    }
  });
});
