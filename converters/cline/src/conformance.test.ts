import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { leafRules } from "../../../test/leaf-rules.js";
import cline from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/cline");
const fixtures: Fixture[] = await Promise.all(
  readdirSync(captured).map((name) => loadFixture(join(captured, name, "home/.cline"), name)),
);

/** Ids of sessions, and what subagents' files are called by. */
const ID = /(?<!\d)\d{13}_[0-9a-z]{5,6}(?![0-9a-z])/;

runConformance(cline, { fixtures, leaves: leafRules("cline"), ids: [ID] });
