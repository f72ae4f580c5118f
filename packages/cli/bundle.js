import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { build } from "rolldown";

// The command once more, in few files: reading three hundred small ones is most of what a start takes.
// What comes from elsewhere stays where it is.
await build({
  // The workers are programs of their own.
  input: {
    bin: "dist/bin.js",
    "batch-worker": "dist/batch/worker.js",
    "picker-worker": "dist/picker/worker.js",
  },
  platform: "node",
  external: (id) => !/^(?:\.{0,2}\/|[A-Za-z]:|@asp-convert\/)/.test(id),
  output: { dir: "dist/start", cleanDir: true },
});

// The page's own program and style, where the code in few files looks for them.
cpSync("../page/assets", "dist/assets", { recursive: true });

// Who writes a converter has the guide and the examples with the package.
for (const name of ["docs", "examples", "skill"]) {
  const to = `dist/${name}`;
  rmSync(to, { recursive: true, force: true });
  cpSync(`../../${name}`, to, {
    recursive: true,
    filter: (path) => !/[/\\](node_modules|dist|pictures)$/.test(path),
  });
  for (const file of readdirSync(to).filter((file) => file.endsWith(".md"))) {
    const text = readFileSync(`${to}/${file}`, "utf8");
    const linked = text
      // Not in any package: `asp-convert schema` prints them.
      .replaceAll(/\[([^\]]+)\]\(\.\.\/(?:schema|sdk)\)/g, "$1")
      .replaceAll("](../packages/cli/", "](../../")
      .replaceAll("](../packages/", "](../../../@asp-convert/");
    writeFileSync(`${to}/${file}`, linked);
  }
}

// A manifest inside a package is taken for a package by some tools: it has another name, as in the template.
for (const entry of readdirSync("dist/examples", { withFileTypes: true })) {
  const folder = `dist/examples/${entry.name}`;
  const manifest = `${folder}/package.json`;
  if (entry.isDirectory() && existsSync(manifest)) renameSync(manifest, `${folder}/package.template.json`);
}
