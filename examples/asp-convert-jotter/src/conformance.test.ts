import { join } from "node:path";
import { loadFixture, runConformance } from "@asp-convert/conformance";
import converter from "./index.js";

const fixtures = join(import.meta.dirname, "../fixtures");

runConformance(converter, { fixtures: [await loadFixture(join(fixtures, "plain/store"), "plain")] });
