/** What a start loads: the time it takes depends on the machine, the files do not. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Place, place } from "./run.js";

const HOOK = `--import=data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(process.env.LOADED, url + "\\n");
    return next(url, context);
  } });
`)}`;

/** The packages from elsewhere that a command loads, and how many files in all. */
async function loadedBy(
  { run, cwd }: Place,
  ...args: string[]
): Promise<{ others: string[]; files: number }> {
  const list = join(cwd, "loaded.txt");
  const { code, err } = await run(args, { env: { NODE_OPTIONS: HOOK, LOADED: list } });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const urls = readFileSync(list, "utf8").trimEnd().split("\n");
  const others = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return { others: [...new Set(others)].sort(), files: urls.length };
}

test("help is printed without any of what commands work with", async () => {
  const { others, files } = await loadedBy(place(), "--help");
  expect(others).toEqual([]);
  expect(files).toBeLessThan(20);
});

test("a store of sessions is described without schemas, YAML, Markdown or TOML", async () => {
  const here = place();
  const { others } = await loadedBy(here, "describe", here.store("claude", "plain"));
  expect(others).toEqual(["commander"]);
});

test("front matter is parsed where there is a skill", async () => {
  const here = place();
  const { others } = await loadedBy(here, "describe", here.store("claude", "project"));
  expect(others).toEqual(expect.arrayContaining(["gray-matter", "yaml"]));
  expect(others).not.toContain("zod");
});
