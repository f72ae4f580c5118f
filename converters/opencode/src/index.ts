/** OpenCode: everything this converter does. */
import { type Converter, defineConverter } from "@asp-convert/core";
import { familyConverter } from "@asp-convert/opencode-family";
import { program } from "./program.js";

const opencode: Converter = defineConverter({
  ...familyConverter(program),
  instructions: { absent: "not taken yet" },
  skills: { absent: "not taken yet" },
  tools: { absent: "not taken yet" },
  memory: { absent: "OpenCode keeps no memory of its own" },
  settings: { absent: "not taken yet" },
});

export default opencode;
