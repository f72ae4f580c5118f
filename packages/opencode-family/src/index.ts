export type { FamilyConverter } from "./converter.js";
export { familyConverter } from "./converter.js";
export type { Program } from "./program.js";
