import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
}

const packages = globSync("{packages,converters}/*/package.json", { cwd: import.meta.dirname })
  .sort()
  .map((path) => ({
    folder: dirname(path),
    manifest: JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8")) as Manifest,
  }));

// What a package exports from dist, a test takes from src: unit tests need no build and never see a stale one.
const alias = packages.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports).map(([subpath, target]) => ({
    find: new RegExp(`^${posix.join(manifest.name, subpath)}$`),
    replacement: resolve(
      import.meta.dirname,
      folder,
      target.default.replace("./dist/", "src/").replace(/\.js$/, ".ts"),
    ),
  })),
);

const project = (name: string, tests: string[], benches: string[], more = {}): TestProjectConfiguration => ({
  extends: true,
  test: { name, include: tests, benchmark: { include: benches }, ...more },
});

const routes = ["route-matrix", "leaves", "damage", "bundle"].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  resolve: { alias },
  test: {
    passWithNoTests: true,
    projects: [
      ...packages.map(({ folder, manifest }) =>
        project(manifest.name, [`${folder}/src/**/*.test.ts`], [`${folder}/src/**/*.bench.ts`]),
      ),
      // What `new converter` makes is held by its own tests before it is anybody's.
      project("template", ["packages/cli/template/**/*.test.ts"], []),
      project("cross", ["test/**/*.test.ts"], ["bench/**/*.bench.ts"], {
        exclude: ["test/native/**", ...routes],
        testTimeout: 30_000,
      }),
      // Captured stores over every route, held against every declared level: a few of each program, or all (README).
      project("routes", [...routes], [], { testTimeout: 120_000 }),
      // Real harnesses, installed and run: slow, and each wants the machine to itself.
      project("native", ["test/native/**/*.test.ts"], [], {
        fileParallelism: false,
        testTimeout: 600_000,
        hookTimeout: 600_000,
      }),
    ],
  },
});
