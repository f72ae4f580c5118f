export type { Assets } from "./assets.js";
export { loadAssets } from "./assets.js";
export { SeenLosses } from "./losses.js";
export { matrixPage } from "./matrix-page.js";
export type { SessionPage } from "./session-page.js";
export { sessionPage } from "./session-page.js";
export { MARK } from "./shell.js";
