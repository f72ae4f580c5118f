/** The kinds beside sessions, apart from the main entry: the command line starts without them. */
export { instructions } from "./kinds/instructions.js";
export { memory } from "./kinds/memory.js";
export { settings } from "./kinds/settings.js";
export { skills } from "./kinds/skills.js";
export { tools } from "./kinds/tools.js";
