export { Calls } from "./calls.js";
export {
  argumentsFor,
  clean,
  isSaid,
  noteError,
  type Part,
  partsFor,
  responseFor,
  type Said,
  toolName,
  unknownFor,
} from "./encode.js";
export { type Beside, isSent, told } from "./events.js";
export { instructionFidelity, skillFidelity, toolFidelity } from "./kinds/fidelity.js";
export type { Program } from "./kinds/program.js";
export { type Answered, blocksOf, isResponse, partsIn, resultsIn, SIGNATURE, usageOf } from "./parts.js";
export { type Call, completed, Pending, unanswered } from "./pending.js";
