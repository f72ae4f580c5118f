import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { leafRules } from "../../../test/leaf-rules.js";
import claude from "./index.js";

const captured = join(import.meta.dirname, "../../../fixtures/claude");
const fixtures: Fixture[] = await Promise.all(
  readdirSync(captured)
    .filter((name) => name !== "mcp-config") // holds no session
    .map((name) => loadFixture(join(captured, name, "config"), name)),
);

runConformance(claude, {
  fixtures,
  leaves: leafRules("claude"),
  ids: [/\bmsg_[A-Za-z0-9]{1,24}(_thought)?\b/, /\ba[0-9a-f]{16}\b/],
});
