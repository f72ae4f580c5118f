import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { leafRules } from "../../../test/leaf-rules.js";
import pi from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/pi");
const fixtures: Fixture[] = await Promise.all(
  readdirSync(captured).map((name) => loadFixture(join(captured, name, "home/.pi/agent"), name)),
);

runConformance(pi, { fixtures, leaves: leafRules("pi"), ids: [/\b[0-9a-f]{8}\b/] });
