import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { loadFixture } from "@asp-convert/conformance/toolbox";
import readers from "./index.js";
import { leaves } from "./leaves.js";

const made = join(import.meta.dirname, "../../../fixtures/readers");

for (const reader of readers) {
  const folder = join(made, reader.id);
  runConformance(reader, {
    fixtures: await Promise.all(
      readdirSync(folder).map((name) => loadFixture(join(folder, name, "store"), name)),
    ),
    leaves: leaves[reader.id] ?? {},
  });
}
