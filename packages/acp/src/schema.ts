/** The zod schemas of every form of the protocol. Apart from the main entry, as core has it. */
export * from "./forms/capabilities.js";
export * from "./forms/methods.js";
export * from "./forms/schemas.js";
export * from "./forms/state.js";
