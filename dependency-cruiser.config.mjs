// The arrows of the house: cli → acp, page, store, converters → core. Everything else points nowhere.
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const disk = "^(node:)?(fs|fs/promises|sqlite)$";
// Test code is a test, a bench, or what several tests use (`test-kit/` of a converter, `test/` of core: never built).
const tests = "([.](test|bench)[.]ts$|^converters/[^/]+/test-kit/|^packages/core/test/)";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    forbid("no-circles", "Two files that need each other are one file, or three.", {}, { circular: true }),
    forbid(
      "core-stands-alone",
      "Core knows no other package.",
      { path: "^packages/core/", pathNot: tests },
      { path: "^(packages/(?!core/)|converters/)" },
    ),
    forbid(
      "libraries-know-only-core",
      "acp, page and store build on core alone.",
      { path: "^packages/(acp|page|store)/", pathNot: tests },
      { path: "^(packages/(?!core/|$1/)|converters/)" },
    ),
    forbid(
      "conformance-knows-only-core",
      "The kit must work for a converter we have never seen. Its native part has the model as a script.",
      { path: "^packages/conformance/" },
      { path: "^(packages/(?!core/|conformance/|mock-model/)|converters/)" },
    ),
    forbid(
      "native-stands-alone",
      "Driving a real harness must not lean on what it checks.",
      { path: "^packages/conformance/src/native/", pathNot: tests },
      { pathNot: "^packages/(conformance/src/native|mock-model)/", dependencyTypesNot: ["core"] },
    ),
    forbid(
      "mock-model-stands-alone",
      "Whoever drives a program against a scripted model needs nothing else of us, and no library.",
      { path: "^packages/mock-model/", pathNot: tests },
      { pathNot: "^packages/mock-model/", dependencyTypesNot: ["core"] },
    ),
    forbid(
      "converters-know-only-core",
      "N converters give N×N routes because none knows another. A family's stores are one package, below its converters.",
      { path: "^converters/([^/]+)/", pathNot: tests },
      { path: "^(packages/(?!core/|[^/]+-family/)|converters/(?!$1/))" },
    ),
    forbid(
      "converter-tests-know-only-the-kit",
      "A converter's tests may use the kit, not another converter.",
      { path: "^converters/([^/]+)/(.*[.](test|bench)[.]ts$|test-kit/)" },
      { path: "^(packages/(?!core/|conformance/|mock-model/|[^/]+-family/)|converters/(?!$1/))" },
    ),
    forbid(
      "families-know-only-core",
      "What several converters share stands on core alone.",
      { path: "^packages/[^/]+-family/", pathNot: tests },
      { path: "^(packages/(?!core/|[^/]+-family/)|converters/)" },
    ),
    forbid(
      "nobody-imports-the-cli",
      "The command line is the end of every arrow.",
      { path: "^(packages/(?!cli/)|converters/)" },
      { path: "^packages/cli/" },
    ),
    forbid(
      "front-door-only",
      "Built-ins use the public API: another package's exports, never its files.",
      { path: "^(packages|converters)/([^/]+)/", pathNot: tests },
      { path: "^(packages|converters)/(?!$2/)", dependencyTypes: ["local"] },
    ),
    forbid(
      "only-io-touches-the-disk",
      "A reader takes a Source, a writer returns a plan: both run without a disk.",
      {
        path: "^(packages|converters)/[^/]+/src/",
        pathNot: [
          "^packages/core/src/io/",
          "^packages/conformance/src/native/",
          // SQLite changes a database in a folder of its own: no other code knows how.
          "^packages/conformance/src/checks/columns[.]ts$",
          "^packages/mock-model/src/command[.]ts$",
          // What every page carries, beside its code.
          "^packages/page/src/assets[.]ts$",
          // A file of its own, in no store.
          "^packages/cli/src/search/index-file[.]ts$",
          tests,
        ],
      },
      { path: disk },
    ),
    forbid(
      "nothing-unresolved",
      "An import that resolves to nothing fails at the worst time.",
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^(packages|converters)/[^/]+/dist/"] },
    exclude: { path: "^(packages|converters)/[^/]+/(dist|node_modules)/.*[.]map$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.test.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
