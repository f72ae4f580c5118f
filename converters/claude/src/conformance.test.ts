import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadFixture, runConformance } from "@asp-convert/conformance";
import claude from "./index.js";

const stores = join(import.meta.dirname, "../../../fixtures/claude");
const fixtures = await Promise.all(
  readdirSync(stores)
    .filter((name) => name !== "mcp-config") // holds no session
    .map((name) => loadFixture(join(stores, name, "config"), name)),
);

runConformance(claude, {
  fixtures,
  ids: [/\bmsg_[A-Za-z0-9]{1,24}(_thought)?\b/, /\ba[0-9a-f]{16}\b/],
});
