export { answerParts, noteUsage } from "./answer.js";
export { Calls } from "./calls.js";
export { clean, type Part, partsFor, responseFor, type Said } from "./encode.js";
export { type Beside, isSent, told } from "./events.js";
export {
  instructionFidelity,
  memoryFidelity,
  settingFidelity,
  skillFidelity,
  toolFidelity,
} from "./kinds/fidelity.js";
export type { OptionWords, Program } from "./kinds/program.js";
export { type Answered, blocksOf, isResponse, partsIn, resultsIn, SIGNATURE, usageOf } from "./parts.js";
export { type Call, completed, Pending, unanswered } from "./pending.js";
