/** Kilo CLI: what it is in `program.ts`, all it does in the family's `converter.ts`. */
import type { Converter } from "@asp-convert/core";
import { familyConverter } from "@asp-convert/opencode-family";
import { program } from "./program.js";

const kilo: Converter = familyConverter(program);

export default kilo;
