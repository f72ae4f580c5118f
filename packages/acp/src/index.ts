export { acpMethods, aspMethods, PROTOCOL_VERSION } from "./methods.js";
export type { UpdateReader } from "./projection/from-updates.js";
export { updateReader } from "./projection/from-updates.js";
export type { UpdateMeta } from "./projection/meta.js";
export type { ProjectOptions } from "./projection/to-updates.js";
export { projector } from "./projection/to-updates.js";
export type { HeldStore } from "./state/held.js";
export { Holder } from "./state/holder.js";
