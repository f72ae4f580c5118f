/**
 * What most harnesses share beside sessions, for the five other kinds. Apart from the main entry: the
 * command line starts without it, and the parsers behind it are loaded by the functions that need them.
 */

export type { Mode, ThoughtLevel } from "./kinds/options.js";
export { isMode, isThoughtLevel, modes, narrowest, nearestLevel, thoughtLevels } from "./kinds/options.js";
