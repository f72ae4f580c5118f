import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { main } from "./command.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mock-model-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** What is written to a stream of this process while the command runs. */
function listen(stream: "stdout" | "stderr"): string[] {
  const said: string[] = [];
  vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
    said.push(String(chunk));
    return true;
  });
  return said;
}

test("serves a script from a file, says where, logs what it is asked, and ends when it is told to", async () => {
  const [script, log] = [join(folder, "script.json"), join(folder, "log.ndjson")];
  await writeFile(script, JSON.stringify({ turns: ["from a file"] }));
  const said = listen("stdout");
  await main([script, "--log", log]);
  const urls = JSON.parse(said.join("")) as Record<string, string>;
  expect(Object.keys(urls)).toEqual(["anthropic", "responses", "chat", "gemini"]);
  const url = `${urls.chat}/chat/completions`;
  const answer = await fetch(url, { method: "POST", body: '{"model":"m"}' });
  expect(await answer.text()).toContain("from a file");
  expect(JSON.parse(await readFile(log, "utf8"))).toEqual({
    dialect: "chat",
    path: "/v1/chat/completions",
    body: { model: "m" },
  });
  process.emit("SIGTERM");
  await vi.waitFor(async () => expect(fetch(url)).rejects.toThrow());
});

test.each([
  ['{ "turn": [] }', /"turn" is nothing of a script/],
  ['{ "turns": {} }', /"turns" is no list/],
  ["[]", /is no JSON object/],
])("says what is wrong with the script %s", async (text, why) => {
  const script = join(folder, "script.json");
  await writeFile(script, text);
  const said = listen("stderr");
  await main([script]);
  expect(said.join("")).toMatch(why);
  expect(process.exitCode).toBe(2);
});
