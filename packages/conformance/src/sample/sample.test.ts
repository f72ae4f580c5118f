import { runConformance } from "../run.js";
import { sampleFixture } from "./fixture.js";
import { sample } from "./index.js";

runConformance(sample, {
  fixtures: [sampleFixture()],
  leaves: { structural: ["parent.relation"], axes: { version: "side-records" } },
});
