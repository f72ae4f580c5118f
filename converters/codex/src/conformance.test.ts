import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { leafRules } from "../../../test/leaf-rules.js";
import codex from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/codex");
const fixtures: Fixture[] = await Promise.all(
  readdirSync(captured).map((name) => loadFixture(join(captured, name, "codex-home"), name)),
);

runConformance(codex, { fixtures, leaves: leafRules("codex") });
