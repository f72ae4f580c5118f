import { join } from "node:path";
import { loadFixture, runConformance } from "@asp-convert/conformance";
import converter from "./index.js";

const fixtures = join(import.meta.dirname, "../fixtures");

runConformance(converter, {
  // TODO: stores captured from the real program, one for each thing that it can do.
  fixtures: [await loadFixture(join(fixtures, "invented/store"), "invented")],
  leaves: {
    // Where no event holds what stands there, the axis that its loss is declared under.
    axes: { version: "side-records" },
  },
  // While you work: only: ["read", "list"]. What cannot be done, and the table says so: skip: [{ axis, reason }], with
  // `check` and `fixture` a whole check of one fixture.
  // Where the real program is. It is started as `sessions.resume.program` says, and must go on with what was written.
  ...(process.env.ACME_PROGRAM && { native: { program: process.env.ACME_PROGRAM } }),
});
