/**
 * Claude Code's scene in the real Pi: the request to the model holds the instructions, the skills that are not hidden
 * and the server's tool; the tool can be called; the thinking level is what was asked.
 */
import { atomsOf, findProgram, startPi, tellPi } from "@asp-convert/conformance/native";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ARRIVES, claudeScene, ECHOED, ENV, HIDDEN, type Scene } from "./claude-scene.js";

let scene: Scene;
beforeAll(async () => {
  await findProgram("pi");
  scene = await claudeScene("pi", "pi");
}, 600_000);
afterAll(() => scene?.world.remove());

const options = () => ({ store: scene.world.path("pi"), cwd: scene.app, env: ENV });

test("what stays behind is named", () => {
  expect(scene.left).toEqual(["deny mcp__my_demo__secret"]);
});

test("the request holds the instructions and the skills; how hard it thinks is what was asked", async () => {
  const { requests, exitCode } = await startPi(options());
  expect(exitCode).toBe(0);
  const request = JSON.stringify(requests[0]?.body ?? {});
  for (const text of ARRIVES) expect(request).toContain(text);
  expect(request).not.toContain(HIDDEN);
  expect(requests[0]?.body).toMatchObject({ reasoning_effort: "high" });
});

test("a command is the prompt that it was", async () => {
  const { requests } = await startPi({ ...options(), prompt: "/say hello world" });
  expect(atomsOf(requests[0]?.body ?? {}).at(-1)?.text).toBe("Please say hello to hello world");
});

test("the server connects, and its tool is called by its name with its variables", async () => {
  const listed = await tellPi(options(), "mcp", "list");
  expect(listed).toMatchObject({ exitCode: 0 });
  expect(listed.stdout).toMatch(/my-demo/);
  const call = { type: "call", name: "mcp__my_demo__echo", input: { text: "hi" } } as const;
  const { requests } = await startPi({ ...options(), turns: [{ blocks: [call] }, "done"] });
  expect(JSON.stringify(requests[0]?.body.tools)).toContain("TOOL-echo");
  expect(atomsOf(requests.at(-1)?.body ?? {}).at(-1)).toEqual({
    kind: "result",
    text: ECHOED,
  });
});
