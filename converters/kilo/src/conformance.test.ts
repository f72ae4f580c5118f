import { runConformance } from "@asp-convert/conformance";
import { capturedAll, harnesses } from "../../../test/harnesses.js";
import { leafRules } from "../../../test/leaf-rules.js";
import kilo from "./index.js";

runConformance(kilo, {
  fixtures: await capturedAll("kilo"),
  leaves: leafRules("kilo"),
  ids: harnesses.kilo.ids,
});
