export { familyConverter } from "./converter.js";
export type { Program } from "./program.js";
