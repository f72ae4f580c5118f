import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { leafRules } from "../../../test/leaf-rules.js";
import droid from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/droid");
const fixtures: Fixture[] = await Promise.all(
  readdirSync(captured).map((name) => loadFixture(join(captured, name, "home"), name)),
);

runConformance(droid, { fixtures, leaves: leafRules("droid") });
