import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { leafRules } from "../../../test/leaf-rules.js";
import gemini from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/gemini");
const fixtures: Fixture[] = await Promise.all(
  readdirSync(captured).map((name) => loadFixture(join(captured, name, "home"), name)),
);

/** The head of the id, in the names of files. */
const SHORT_ID = /(?<=\d-)[0-9a-f]{8}(?=\.jsonl)/;

runConformance(gemini, { fixtures, leaves: leafRules("gemini"), ids: [SHORT_ID] });
