/** The zod schemas of every portable shape. Apart from the main entry, so that start-up does not load zod. */

export * from "./bundle/manifest.js";
export { Account, Comparison, Loss, Place, Report, SessionReport, Tally } from "./pipeline/report.js";
export * from "./schemas.js";
export * from "./session/blocks.js";
export { Envelope, EvidencePointer } from "./session/envelope.js";
export * from "./session/events.js";
export { Relation, RelationType } from "./session/lineage.js";
export { Snapshot } from "./session/snapshot.js";
export { Import, Instruction, Instructions } from "./state/instructions.js";
export { Memory, Note } from "./state/memory.js";
export { Permission, Setting, Settings } from "./state/settings.js";
export { Definition, Restriction, Skill, SkillFile, Skills } from "./state/skills.js";
export { Hook, McpServer, RemoteServer, StdioServer, ToolMeta, ToolOptions, Tools } from "./state/tools.js";
