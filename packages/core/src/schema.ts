/** The zod schemas of every portable shape. Apart from the main entry, so that start-up does not load zod. */
export * from "./session/blocks.js";
export * from "./session/events.js";
export { Instruction, Instructions } from "./state/instructions.js";
export { Memory, Note } from "./state/memory.js";
export { Setting, Settings } from "./state/settings.js";
export { Skill, SkillFile, Skills } from "./state/skills.js";
export { McpServer, RemoteServer, StdioServer, ToolMeta, Tools } from "./state/tools.js";
