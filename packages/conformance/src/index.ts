export type { ConformanceOptions, Skip } from "./run.js";
export { runConformance } from "./run.js";
export * from "./toolbox.js";
