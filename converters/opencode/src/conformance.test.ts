import { runConformance } from "@asp-convert/conformance";
import { capturedAll, harnesses } from "../../../test/harnesses.js";
import { leafRules } from "../../../test/leaf-rules.js";
import opencode from "./index.js";

runConformance(opencode, {
  fixtures: await capturedAll("opencode"),
  leaves: leafRules("opencode"),
  ids: harnesses.opencode.ids,
  skip: [
    {
      check: "replay",
      fixture: "legacy-json",
      axis: "side-records",
      reason:
        "the tree of version 1.1 is not copied but moved into the database, where the program finds it again",
    },
  ],
});
