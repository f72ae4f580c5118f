import { join } from "node:path";
import { loadFixture, runConformance } from "@asp-convert/conformance";
import converter from "./index.js";

runConformance(converter, {
  fixtures: [await loadFixture(join(import.meta.dirname, "../fixtures/plain/store"), "plain")],
  leaves: { structural: ["table", "kind"], axes: { version: "side-records" } },
});
