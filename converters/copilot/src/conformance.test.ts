import { runConformance } from "@asp-convert/conformance";
import { capturedAll } from "../../../test/harnesses.js";
import { leafRules } from "../../../test/leaf-rules.js";
import copilot from "./index.js";

runConformance(copilot, { fixtures: await capturedAll("copilot"), leaves: leafRules("copilot") });
