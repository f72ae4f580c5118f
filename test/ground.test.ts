import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifests = globSync("{packages,converters}/*/package.json", { cwd: root });

test("the checkout brings its own engine, whatever node the machine has", () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  expect(major * 100 + minor).toBeGreaterThanOrEqual(2215);
});

test("the lockfile names no registry", () => {
  expect(read("package-lock.json")).not.toMatch(/"resolved": "\w+:/);
});

test("type checking knows every package", () => {
  for (const config of ["tsconfig.json", "tsconfig.test.json"])
    for (const path of manifests) expect(read(config)).toContain(`"path": "${dirname(path)}"`);
});

describe.each(manifests)("%s", (path) => {
  const manifest = JSON.parse(read(path));

  test("can be published", () => {
    expect(manifest).toMatchObject({ license: "MIT", type: "module", sideEffects: false });
    expect(manifest.exports["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" });
    expect(read(join(dirname(path), "README.md"))).toContain(`# ${manifest.name}`);
    expect(read(join(dirname(path), "LICENSE"))).toBe(read("LICENSE"));
  });

  test("runs no script when somebody installs it", () => {
    expect(Object.keys(manifest.scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  });
});
