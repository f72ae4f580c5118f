/** Claude Code's scene in the real OpenCode, and in the real Kilo, which was made from it. */
import { atomsOf, findProgram, startOpenCode } from "@asp-convert/conformance/native";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ARRIVES, claudeScene, ECHOED, ENV, HIDDEN, type Scene } from "./claude-scene.js";
import { nativeIds } from "./natives.js";

/** Kilo needs a minute to start when the machine is busy. */
const LIMIT = 240_000;

describe.each(["opencode", "kilo"] as const)("%s", (kind) => {
  /** Fetching the programs (binaries of 177 MiB) is too much for every run: `npm run test:native:all`. */
  const isWanted = nativeIds.includes(kind);
  let scene: Scene;
  beforeAll(async () => {
    if (!isWanted) return;
    await findProgram(kind);
    scene = await claudeScene(kind, `there/home/.local/share/${kind}`);
  }, 600_000);
  afterAll(() => scene?.world.remove());

  const options = () => ({
    kind,
    home: scene.world.path("there/home"),
    cwd: scene.app,
    env: ENV,
    limit: LIMIT,
  });

  test.runIf(isWanted)("what stays behind is named", () => {
    expect(scene.left).toEqual([
      // It would not be hidden here.
      "hidden-skill",
      // Kept with a model of an agent.
      "effort",
      // A rule for a tool of a server, in Claude Code's words.
      "deny mcp__my_demo__secret",
    ]);
  });

  test.runIf(isWanted)("the request holds the instructions, the skills and the server's tools", async () => {
    const { requests, exitCode, stderr } = await startOpenCode(options());
    expect(exitCode, stderr).toBe(0);
    const request = JSON.stringify(requests.at(-1)?.body ?? {});
    for (const text of ARRIVES) expect(request).toContain(text);
    expect(request).toContain("TOOL-echo");
    expect(request).not.toContain(HIDDEN);
  });

  test.runIf(isWanted)("the server's tool is called by its name with its variables", async () => {
    const call = { type: "call", name: "my-demo_echo", input: { text: "hi" } } as const;
    const { requests } = await startOpenCode({ ...options(), turns: [{ blocks: [call] }, "done"] });
    const results = requests.flatMap(({ body }) => atomsOf(body)).filter(({ kind: one }) => one === "result");
    expect(results.at(-1)?.text).toBe(ECHOED);
  });

  test.runIf(isWanted)("a command is the prompt that it was", async () => {
    const { requests } = await startOpenCode({ ...options(), command: "say", prompt: "hello world" });
    const said = requests.flatMap(({ body }) => atomsOf(body)).filter(({ kind: one }) => one === "user");
    // Its last $n takes all words that are left.
    expect(said.at(-1)?.text).toBe("Please say hello world to hello world");
  });
});
