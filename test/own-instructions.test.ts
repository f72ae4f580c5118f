/** A person's own instructions lie in the store beside the sessions: they make no project of it. */
import { memorySource } from "@asp-convert/core";
import { expect, it } from "vitest";
import { builtIn } from "../packages/cli/src/converters.js";

const TEXTS = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", "copilot-instructions.md"];
const environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/home/dev" } as const;

it.each(builtIn.map((converter) => [converter.name, converter] as const))("%s", async (_, converter) => {
  const [root = ""] = converter.locate(environment);
  const source = memorySource(Object.fromEntries(TEXTS.map((name) => [`${root}/${name}`, "Be kind.\n"])));
  expect(await converter.open(root, source, environment)).toEqual(
    expect.not.objectContaining({ project: expect.anything() }),
  );
});

it("nor of a copy of one elsewhere, with its sessions in it", async () => {
  const files = [
    "/backup/gemini/GEMINI.md",
    "/backup/gemini/projects.json",
    "/backup/gemini/tmp/demo/logs.json",
  ];
  const source = memorySource(Object.fromEntries(files.map((path) => [path, "{}"])));
  const gemini = builtIn.find(({ id }) => id === "gemini");
  expect(await gemini?.open("/backup/gemini", source, environment)).not.toHaveProperty("project");
});
