export type { DialectName } from "./dialects/dialect.js";
export { dialectNames } from "./dialects/index.js";
export type { JsonObject } from "./json.js";
export type { AnswerTurn, ErrorTurn, Rule, Script, Turn, TurnBlock, Usage, When } from "./script.js";
export { type MockModel, type MockModelOptions, type ModelRequest, startMockModel } from "./server.js";
