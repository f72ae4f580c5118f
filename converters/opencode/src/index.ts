/** OpenCode: what it is in `program.ts`, all it does in the family's `converter.ts`. */
import type { Converter } from "@asp-convert/core";
import { familyConverter } from "@asp-convert/opencode-family";
import { program } from "./program.js";

const opencode: Converter = familyConverter(program);

export default opencode;
