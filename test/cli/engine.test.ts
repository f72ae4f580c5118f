import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place, root } from "./run.js";

/** Makes a Node believe that it is an old one, once: the child of a re-run is itself again. */
const OLD = `--import=data:text/javascript,${encodeURIComponent(
  "if(!process.env.ASP_ENGINE)Object.defineProperty(process.versions,'node',{value:'20.20.2'})",
)}`;

/** The package alone, away from every node_modules. */
function away(folder: string): string {
  cpSync(join(root, "packages/cli/bin"), join(folder, "cli/bin"), { recursive: true });
  writeFileSync(join(folder, "cli/package.json"), JSON.stringify({ type: "module" }));
  return join(folder, "cli/bin/asp-convert.js");
}

test("in a checkout an old Node hands over to the one that came along", async () => {
  const { run } = place();
  expect(await run(["--version"], { env: { NODE_OPTIONS: OLD } })).toMatchObject({ code: 0, err: "" });
});

test("where there is no newer one, it says what is needed and how to get it", async () => {
  const { run, cwd } = place();
  const bin = away(cwd);
  const env = { NODE_OPTIONS: OLD };
  const shell = `PATH=/nowhere exec "$1" '${bin}' --version`;
  const { code, out, err } = await run([], { shell, env: { ...env, npm_execpath: "", npm_command: "" } });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("needs Node.js 22.15.0 or newer; this is 20.20.2");
  expect(err).toContain("npx --yes --package=node@24 --package=asp-convert asp-convert");
});

test("a newer one on the PATH is found, an older one is not taken for it", async () => {
  const { run, cwd } = place();
  const bin = away(cwd);
  mkdirSync(join(cwd, "cli/dist"));
  writeFileSync(
    join(cwd, "cli/dist/bin.js"),
    "console.log(process.env.ASP_ENGINE, process.argv.slice(2).join())",
  );
  for (const folder of ["old", "new"]) mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, "old/node"), "#!/bin/sh\necho v18.0.0\n");
  chmodSync(join(cwd, "old/node"), 0o755);
  symlinkSync(process.execPath, join(cwd, "new/node"));
  const env = { NODE_OPTIONS: OLD, PATH: `${join(cwd, "old")}:${join(cwd, "new")}:/bin:/usr/bin` };
  const shell = `exec "$1" '${bin}' a b`;
  expect(await run([], { shell, env })).toMatchObject({ code: 0, out: "20.20.2 a,b\n" });
});

test("a checkout that was not built says so", async () => {
  const { run, cwd } = place();
  const bin = away(cwd);
  const { code, err } = await run([], { shell: `exec "$1" '${bin}'` });
  expect(code).toBe(1);
  expect(err).toContain("npm run build");
});
